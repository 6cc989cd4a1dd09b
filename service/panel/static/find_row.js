// The list's line of one session, for pages that do not show the list.

import { ApiError, listSlots } from "./api.js";

const MOST = 200;

/** The row under exactly this key; null where it is not found among those whose words hold the key. */
export async function findRow(slot) {
  try {
    const page = await listSlots({ q: slot, limit: MOST });
    return page.slots.find(({ key }) => key === slot) ?? null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
