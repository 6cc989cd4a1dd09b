// What is made when it is first needed, and once.

/** A function that gives what `make` makes. */
export function later(make) {
  let made = null;
  return () => (made ??= make());
}
