// The head of the page: whether the service answers, and the switch.

import { ApiError, writeEnabled } from "./api.js";
import { h, tell } from "./dom.js";
import { T } from "./texts.js";

// A service that starts again is back within this time; only a longer silence is worth a word.
const SILENCE = 1_500;

/** Says so where the service does not answer, and bars what needs it. */
export class Connection {
  #timer = null;
  #element = document.getElementById("connection");

  is(connected) {
    clearTimeout(this.#timer);
    this.#timer = connected ? null : setTimeout(() => this.#say(false), SILENCE);
    if (connected) this.#say(true);
  }

  #say(connected) {
    this.#element.textContent = connected ? "" : T.offline;
    const button = document.querySelector(".switch");
    // It stays in the focus order, so that a screen reader hears why it does nothing.
    button?.setAttribute("aria-disabled", String(!connected));
    button?.setAttribute("title", connected ? "" : T.needsService);
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
    document.body.classList.toggle("off", !enabled);
  }

  #build() {
    const button = h("button", { type: "button", role: "switch", class: "switch", on: { click: () => this.#change() } }, T.switchLabel);
    this.#place.replaceChildren(button);
    return button;
  }

  async #change() {
    if (this.#button.ariaDisabled === "true") return tell(T.needsService);
    const enabled = await switchTo(this.#button.getAttribute("aria-checked") !== "true");
    if (enabled === null) return;
    this.is(enabled);
    this.#switched(enabled);
  }
}

/** Switches summaries on or off; how they are afterwards, null where that could not be done, which is told. */
export async function switchTo(wanted) {
  try {
    return await writeEnabled(wanted);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    tell(T.switchFailed(T.failures[error.reason] ?? error.message));
    return null;
  }
}
