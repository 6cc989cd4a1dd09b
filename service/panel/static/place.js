// Who stands where in a list whose rows come and go.

/** The key that stands where `key` did: itself, else the first that is left of those below it, else the last of all. */
export function heir(key, before, now) {
  const at = before.indexOf(key);
  if (at < 0 || now.includes(key)) return key;
  const left = new Set(now);
  return before.slice(at + 1).find((other) => left.has(other)) ?? now.at(-1) ?? null;
}

/** The first key that was not there before, else the last of all. */
export function firstNew(before, now) {
  const known = new Set(before);
  return now.find((key) => !known.has(key)) ?? now.at(-1) ?? null;
}
