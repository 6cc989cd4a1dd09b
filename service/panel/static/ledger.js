// Why a session has no fresh summary, as the ledger of passes remembers it.

import { ApiError, readUsage } from "./api.js";
import { failureOf } from "./standing.js";

/** What stands between a session and its next summary, as a failure; null where nothing does. `body` is its summary. */
export async function failureInTheWay(slot, body) {
  try {
    const { passes, budget, settings_since: settled } = await readUsage(slot);
    return spent(budget) ?? lastFailure(passes, body, settled);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function spent(budget) {
  if (!budget || budget.used < budget.tokens) return null;
  const now = Date.now();
  return failureOf({ reason: "budget", retryAfter: budget.resets_at - now / 1000 }, now);
}

// A pass that a gate skipped says nothing of what the one before it came to.
function lastFailure(passes, { generated_at: made }, settled) {
  const last = passes.find(({ trigger, outcome }) => trigger !== "title" && outcome !== "skipped");
  if (last?.outcome !== "failed" || last.started_at < (made ?? 0)) return null;
  const failure = failureOf({ reason: last.reason, message: last.reason, retryAfter: null }, Date.now());
  // With other settings, or after a start in another environment, what could only fail may come to something.
  return { ...failure, at: last.started_at, retry: failure.retry || last.started_at < settled };
}
