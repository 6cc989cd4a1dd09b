// Asking for a summary. The answer waits for a model, and a browser allows six connections to one address: of all its
// pages one waits to the end, so that everything else that they ask is answered meanwhile.

import { makeSummary } from "./api.js";

const LOCK = "session-summary:waiting";
// A refusal is answered at once.
const PATIENCE = 2_000;

/** The fresh summary; null where it is on its way, and events tell when it has come: hanging up cancels nothing. */
export async function askForSummary(slot) {
  if (navigator.locks === undefined) return askBriefly(slot);
  const alone = { ifAvailable: true };
  return navigator.locks.request(LOCK, alone, (lock) => (lock === null ? askBriefly(slot) : makeSummary(slot)));
}

async function askBriefly(slot) {
  try {
    return await makeSummary(slot, AbortSignal.timeout(PATIENCE));
  } catch (error) {
    if (error.name === "TimeoutError") return null;
    throw error;
  }
}
