// What the service has to say of itself, above everything until it is hidden or the page is loaded anew.

import { h, said } from "./dom.js";
import { T } from "./texts.js";

export class Banner {
  #root = document.getElementById("banner");
  #hidden = new Set();
  #shown = "[]";

  /** Shows these texts, but for those that were hidden. */
  show(texts) {
    const wanted = texts.filter((text) => !this.#hidden.has(text));
    const key = JSON.stringify(wanted);
    // Drawn again only where it differs: a screen reader would read the same words with every change of the list.
    if (key === this.#shown) return;
    this.#shown = key;
    this.#root.hidden = wanted.length === 0;
    this.#root.replaceChildren(...wanted.map((text) => this.#line(text, wanted)));
  }

  #line(text, texts) {
    const hide = () => {
      this.#hidden.add(text);
      this.show(texts);
    };
    return h("p", {}, said("span", {}, text), h("button", { type: "button", class: "plain", on: { click: hide } }, T.hide));
  }
}
