// A choice among what there is: values come and go, and the chosen one stays as long as it is chosen.

import { h, said } from "./dom.js";
import { arrange } from "./patch.js";

export class Choice {
  #any;
  #options = new Map();
  #offered = null;

  /** `any` are the words for no choice; `chosen(value)` hears of each, "" where there is none. */
  constructor(label, any, chosen) {
    const on = { change: ({ target }) => chosen(target.value) };
    this.#any = h("option", { value: "" }, any);
    this.element = h("select", { "aria-label": label, hidden: true, on }, this.#any);
  }

  clear() {
    this.element.value = "";
  }

  /** Offers these values and no others, by their names. */
  offer(values, nameOf) {
    const { element } = this;
    const offered = JSON.stringify([values, element.value]);
    if (offered === this.#offered) return;
    this.#offered = offered;
    const kept = new Set(element.value === "" ? values : [...values, element.value]);
    this.#options = new Map([...kept].map((value) => [value, this.#option(value, nameOf(value))]));
    arrange(element, [this.#any, ...[...this.#options.values()].sort(byName)]);
    // One agent or one project is no choice; but the focus must not fall to the document.
    element.hidden = kept.size < 2 && element.value === "" && element !== document.activeElement;
  }

  #option(value, name) {
    const option = this.#options.get(value) ?? said("option", { value, title: value }, name);
    if (option.textContent !== name) option.textContent = name;
    return option;
  }
}

function byName(one, other) {
  const [name, otherName] = [one, other].map(({ textContent }) => textContent.toLowerCase());
  if (name === otherName) return one.value < other.value ? -1 : 1;
  return name < otherName ? -1 : 1;
}
