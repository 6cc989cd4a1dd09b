// Drawing again what is already there: only what differs is touched, so that focus, selection, scrolling and what was
// unfolded stay with a reader to whose session nothing happened.

import { present, takeOver } from "./dom.js";

// What people act on is put in whole where it differs: half of it would do what its old self did.
const WHOLE = "a, button, input, select, textarea, time";

/** Makes `root` hold these children; what had the focus keeps it, or gives it to what `data-keep` calls the same. */
export function redraw(root, ...children) {
  const { activeElement } = document;
  const focused = root !== activeElement && root.contains(activeElement) ? activeElement : null;
  patchChildren(root, present(children));
  if (focused === null || focused.isConnected) return;
  const { keep } = focused.dataset;
  const again = keep === undefined ? null : root.querySelector(`[data-keep="${CSS.escape(keep)}"]`);
  // A focus that falls to the document would send a keyboard user back to the top of the page.
  (again ?? root).focus({ preventScroll: true });
}

/** Makes `parent` hold exactly these elements, most of which it holds already; only those out of place are moved. */
export function arrange(parent, wanted) {
  const kept = new Set(wanted);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  let at = parent.firstElementChild;
  for (const element of wanted) {
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
  }
}

function patchChildren(parent, wanted) {
  let at = parent.firstChild;
  for (const given of wanted) {
    const node = given instanceof Node ? given : document.createTextNode(given);
    const old = firstAlike(at, node);
    if (old === null) {
      parent.insertBefore(node, at);
      continue;
    }
    removeUpTo(at, old);
    at = old.nextSibling;
    patch(old, node);
  }
  removeUpTo(at, null);
}

function firstAlike(from, node) {
  for (let old = from; old !== null; old = old.nextSibling) if (alike(old, node)) return old;
  return null;
}

/** Whether one can become the other: equal, or a part of the page of the same name. */
function alike(old, node) {
  if (old.nodeName !== node.nodeName) return false;
  if (node.nodeType !== Node.ELEMENT_NODE) return true;
  return node.matches(WHOLE) ? old.isEqualNode(node) : nameOf(old) === nameOf(node);
}

function nameOf(element) {
  return element.dataset.keep ?? (element.id || element.classList[0]);
}

function removeUpTo(from, end) {
  for (let node = from; node !== end; ) {
    const next = node.nextSibling;
    node.remove();
    node = next;
  }
}

function patch(old, node) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== node.data) old.data = node.data;
    return;
  }
  takeOver(old, node);
  patchAttributes(old, node);
  patchChildren(old, [...node.childNodes]);
}

function patchAttributes(old, node) {
  for (const { name, value } of [...node.attributes]) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  // What somebody unfolded stays so.
  for (const { name } of [...old.attributes]) if (name !== "open" && !node.hasAttribute(name)) old.removeAttribute(name);
}
