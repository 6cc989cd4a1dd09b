// Building the page: every string becomes a text node, so nothing that a session or a model says can be markup.

import { T } from "./texts.js";

/** An element; attributes that are null, undefined or false are left out, `on` holds listeners. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") listen(element, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...present(children));
  return element;
}

// What an element does is kept beside it, so that one that stays on the page can take over what its new self would do.
const deeds = new WeakMap();

function listen(element, listeners) {
  deeds.set(element, listeners);
  for (const type of Object.keys(listeners)) element.addEventListener(type, (event) => deeds.get(element)[type]?.(event));
}

/** The element does from here on what `other`, its equal, would do. */
export function takeOver(element, other) {
  if (deeds.has(element)) deeds.set(element, deeds.get(other) ?? {});
}

/** The children that are there: lists are spread, what is null, undefined or false is left out. */
export function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** Text of a session: isolated, and in its own reading direction. */
export function said(tag, attributes, text) {
  return h(tag, { dir: "auto", ...attributes }, String(text ?? ""));
}

/** A link out of the page where the address is http(s), else its text. */
export function outward(address) {
  let url = null;
  try {
    url = new URL(address);
  } catch {
    // No address: shown as it stands.
  }
  if (url === null || !["http:", "https:"].includes(url.protocol)) return said("span", {}, address);
  return said("a", { href: url.href, target: "_blank", rel: "noopener noreferrer" }, address);
}

/** The nodes with the separator between them; none is shown where a line ends or begins. */
export function separated(nodes) {
  const separator = () => h("span", { class: "separator" }, T.separator);
  const parts = present(nodes).map((node, at) => h("span", {}, at > 0 && separator(), node));
  return h("span", { class: "separated" }, parts);
}

/** Puts the words into what the templates leave empty. */
export function fillTexts(root = document) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = T[element.dataset.text];
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", T[element.dataset.label]);
  }
}

/** Tells a screen reader, and nobody else. */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer !== null) announcer.textContent = text;
}

const TOLD_FOR = 8_000;
let told = null;

/** Tells everybody, for a while: what somebody asked for and what came to nothing. */
export function tell(text) {
  const place = document.getElementById("told");
  clearTimeout(told);
  place.textContent = text;
  told = setTimeout(() => (place.textContent = ""), TOLD_FOR);
}
