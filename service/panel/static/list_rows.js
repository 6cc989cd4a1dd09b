// The elements of the sessions list, made once per session: a list of thousands is not built anew for every key.

import { projectName } from "./projects.js";
import { listRow } from "./rows.js";

export class ListRows {
  // By key: the element, and what it shows.
  #made = new Map();
  #current = null;

  /** The elements of these rows, in their order; those of other rows are forgotten. */
  of(rows) {
    const before = this.#made;
    this.#made = new Map(rows.map((row) => [row.key, filled(before.get(row.key), row)]));
    return rows.map(({ key }) => this.#made.get(key).element);
  }

  /** The row under the key is the current one, and no other. */
  select(key) {
    if (this.#current?.dataset.slot !== key) this.#current?.removeAttribute("aria-current");
    this.#current = this.link(key);
    this.#current?.setAttribute("aria-current", "true");
  }

  /** The link of the row under the key, null where there is none. */
  link(key) {
    return this.#made.get(key)?.element.firstElementChild ?? null;
  }

  /** The current row's link, null where none is current. */
  get current() {
    return this.#current;
  }
}

function filled(made, row) {
  // What a project is called depends on the others that are known.
  const shown = JSON.stringify([row, row.project && projectName(row.project)]);
  if (made?.shown === shown) return made;
  const fresh = listRow(row);
  if (made === undefined) return { shown, element: fresh };
  // The link stays, and with it the focus.
  made.element.firstElementChild.replaceChildren(...fresh.firstElementChild.childNodes);
  return { shown, element: made.element };
}
