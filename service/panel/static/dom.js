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

function listen(element, listeners) {
  for (const [type, listener] of Object.entries(listeners)) element.addEventListener(type, listener);
}

function present(children) {
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

/** The nodes with the separator between them. */
export function separated(nodes) {
  return present(nodes).flatMap((node, at) => (at === 0 ? [node] : [T.separator, node]));
}

/** Fills `root` anew; what had the focus keeps it, and what was unfolded stays so (both told by `data-keep`). */
export function refill(root, ...children) {
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.keep : undefined;
  const open = [...root.querySelectorAll("details[open][data-keep]")].map((details) => details.dataset.keep);
  const hadFocus = root.contains(document.activeElement) && root !== document.activeElement;
  root.replaceChildren(...present(children));
  for (const details of root.querySelectorAll("details[data-keep]")) {
    if (open.includes(details.dataset.keep)) details.open = true;
  }
  if (!hadFocus) return;
  const again = focused === undefined ? null : root.querySelector(`[data-keep="${CSS.escape(focused)}"]`);
  // A focus that falls to the document would send a keyboard user back to the top of the page.
  (again ?? root).focus({ preventScroll: true });
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
