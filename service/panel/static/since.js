// Since you left: what this browser saw of each session last. Kept are numbers and hashes, never text.

const PREFIX = "session-summary:seen:";
const MOST_SLOTS = 500;

/** A 53-bit hash of a text (cyrb53): two intents of one session that collide would hide one mark, no more. */
export function hash(text) {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** What is kept of an intent: hashes of title and content, where it began, whether it needed the person. */
function trace(intent) {
  const content = [
    intent.title,
    intent.initial_intent,
    intent.state,
    intent.verified,
    intent.progress,
    intent.next_steps,
  ];
  return {
    title: hash(intent.title),
    content: hash(JSON.stringify(content)),
    start: Math.min(...intent.ranges.map(([start]) => start), Number.MAX_SAFE_INTEGER),
    needs: intent.state === "needs-you",
  };
}

/** What was seen of a session when it was last left; null on a first visit. */
export function lastSeen(slot) {
  try {
    const seen = JSON.parse(localStorage.getItem(PREFIX + slot));
    return Array.isArray(seen?.intents) && Number.isFinite(seen.generated_at) ? { known_since: null, ...seen } : null;
  } catch {
    return null;
  }
}

/** Keeps what is shown as seen. */
export function remember(slot, body) {
  if (body === null || body.generated_at === null) return;
  const { generated_at, known_since, intents } = body;
  const seen = JSON.stringify({ generated_at, known_since, intents: intents.map(trace) });
  try {
    forgetOldest();
    localStorage.setItem(PREFIX + slot, seen);
  } catch {
    // No storage, or a full one: then nothing is marked, which is all that depends on it.
  }
}

/** Nothing is kept of a session that was deleted. */
export function forget(slot) {
  try {
    localStorage.removeItem(PREFIX + slot);
  } catch {
    // As above.
  }
}

function forgetOldest() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  if (keys.length < MOST_SLOTS) return;
  const age = (key) => lastSeen(key.slice(PREFIX.length))?.generated_at ?? 0;
  for (const key of keys.sort((one, other) => age(one) - age(other)).slice(0, MOST_SLOTS / 10)) {
    localStorage.removeItem(key);
  }
}

/**
 * Per intent "new", "changed", "needs" or null, against what was seen of the same session: not of one that was deleted
 * and had its key. An intent whose title was reworded is told by its first turn.
 */
export function marks(seen, body) {
  const comparable = seen?.known_since === body.known_since && seen.generated_at !== body.generated_at;
  if (!comparable) return body.intents.map(() => null);
  const traces = body.intents.map(trace);
  const left = [...seen.intents];
  const take = (matches) => {
    const at = left.findIndex(matches);
    return at < 0 ? null : left.splice(at, 1)[0];
  };
  const before = traces.map((now) => take((old) => old.title === now.title));
  return traces.map((now, at) => mark(now, before[at] ?? take((old) => old.start === now.start)));
}

function mark(now, before) {
  if (before === null) return "new";
  if (now.needs && !before.needs) return "needs";
  return now.content === before.content ? null : "changed";
}
