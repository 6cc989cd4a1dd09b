// The list's line of one session, for pages that do not show it.

import { ApiError, listSlots } from "./api.js";

/** {row, notices}: the row is null where there is no such session, undefined where the service could not tell. */
export async function findRow(slot) {
  try {
    const { slots, notices } = await listSlots({ key: slot });
    return { row: slots[0] ?? null, notices: notices ?? [] };
  } catch (error) {
    if (error instanceof ApiError) return { row: undefined, notices: [] };
    throw error;
  }
}
