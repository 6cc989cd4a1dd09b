// How the summary of a session stands: which one state the page shows, and whether one may be asked for.

/**
 * What the page knows of one session's summary. `unread` says whether the last read of it failed; `listed` whether the
 * list's line of it is known, or known not to be; `told` whether the ledger was asked what stands in the way of another
 * pass, and `due` that it must be asked.
 */
export function newEntry(slot) {
  return {
    slot,
    body: null,
    etag: null,
    failure: null,
    making: false,
    gone: null,
    seen: null,
    noMarkdown: false,
    unread: false,
    listed: false,
    online: true,
    told: false,
    due: true,
  };
}

export function hasSummary(body) {
  return body !== null && body.generated_at !== null;
}

/** Why nothing can ever be made of this session: it is private, or no person spoke; null where neither holds. */
function barred(entry, row) {
  return hasSummary(entry.body) ? null : (row?.reason ?? null);
}

/** One of gone, unread, unreadable, off, making, failed, barred, running, too-few, stale, none, fresh. */
export function stateOf(entry, row) {
  const { body, failure } = entry;
  if (entry.gone !== null) return "gone";
  if (body === null) return failure === null ? "unread" : "unreadable";
  if (!body.enabled) return "off";
  if (entry.making) return "making";
  if (barred(entry, row) !== null) return "barred";
  // Only the list's line tells a private session from one whose first summary is being made.
  if (body.generate_state === "unavailable") return hasSummary(body) || entry.listed ? "making" : "unread";
  if (failure !== null && body.generate_state === "ready") return "failed";
  if (hasSummary(body)) return body.stale ? "stale" : "fresh";
  if (body.generate_state === "too_few_turns") return "too-few";
  if (!entry.listed) return "unread";
  return row?.running ? "running" : "none";
}

/** Whether a pass is wanting that nothing known so far rules out. */
export function wantsPass({ body }) {
  return body !== null && body.enabled && body.generate_state === "ready" && (body.stale || !hasSummary(body));
}

/** Whether asking for a summary at this moment can come to anything, by all that decides it. */
export function mayMake(entry, row, now) {
  const { body, failure, listed, online, told } = entry;
  if (!listed || !online || !told || !["failed", "stale", "none"].includes(stateOf(entry, row))) return false;
  if (body.generate_state !== "ready" || row?.running) return false;
  return failure === null || (failure.retry && now >= failure.notBefore);
}

// After these a second try fails in the same way until something else is changed first.
const POINTLESS = new Set(["model_auth", "memory_mode", "too_few_turns", "disabled", "deleted"]);

/** A refused or failed request as the page keeps it; `at` is when that was, in epoch seconds, null for just now. */
export function failureOf(error, now) {
  const { reason, retryAfter, message } = error;
  const retry = !POINTLESS.has(reason) && (reason !== "budget" || retryAfter !== null);
  return { reason, message, retry, at: null, notBefore: now + (retryAfter ?? 0) * 1000 };
}
