// The head of the page: whether the service answers, and the switch.

import { ApiError, writeEnabled } from "./api.js";
import { h, tell } from "./dom.js";
import { T } from "./texts.js";

// A service that starts again is back within this time; only a longer silence is worth a word.
const SILENCE = 1_500;

/** Says so where the service does not answer. */
export class Connection {
  #timer = null;
  #element = document.getElementById("connection");

  is(connected) {
    clearTimeout(this.#timer);
    this.#timer = connected ? null : setTimeout(() => this.#say(T.offline), SILENCE);
    if (connected) this.#say("");
  }

  #say(words) {
    this.#element.textContent = words;
  }
}

/** The switch of the whole feature, shown once it is known how it stands; `switched(boolean)` after a change. */
export class Switch {
  #place = document.getElementById("switch");
  #switched;
  #button = null;

  constructor(switched) {
    this.#switched = switched;
  }

  is(enabled) {
    if (this.#place === null) return;
    this.#button ??= this.#build();
    this.#button.setAttribute("aria-checked", String(enabled));
  }

  #build() {
    const button = h("button", { type: "button", role: "switch", class: "switch", on: { click: () => this.#change() } }, T.switchLabel);
    this.#place.replaceChildren(button);
    return button;
  }

  async #change() {
    const wanted = this.#button.getAttribute("aria-checked") !== "true";
    try {
      const enabled = await writeEnabled(wanted);
      this.is(enabled);
      this.#switched(enabled);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tell(T.switchFailed(T.failures[error.reason] ?? error.message));
    }
  }
}
