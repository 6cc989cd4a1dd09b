// What the page knows of each session's summary, for the sessions looked at last.

import { newEntry } from "./standing.js";

const MOST = 50;

export class Entries {
  #known = new Map();

  /** The entry of a slot, an empty one at first; it counts as looked at. */
  of(slot) {
    const entry = this.#known.get(slot) ?? newEntry(slot);
    this.#known.delete(slot);
    this.#known.set(slot, entry);
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value);
    return entry;
  }

  forget(slot) {
    this.#known.delete(slot);
  }

  /** Forgets all but one, if any. */
  keepOnly(entry) {
    this.#known.clear();
    if (entry !== null) this.#known.set(entry.slot, entry);
  }
}
