// Single keys, where nothing is being typed and no dialog is open.

import { openKeys } from "./dialogs.js";

/** Calls what `actions` holds under the key that was pressed; `?`, and its button, list the keys of the page. */
export function listenToKeys(page, actions) {
  const list = () => openKeys(page);
  const all = { "?": list, ...actions };
  document.getElementById("keys")?.addEventListener("click", list);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && event.target.matches?.("input[type=search]")) event.target.blur();
    if (isTyping(event.target) || document.querySelector("dialog[open]") !== null) return;
    const action = all[event.key];
    // An action that has nothing to do leaves the key to the browser.
    if (action !== undefined && action(event) !== false) event.preventDefault();
  });
}

function isTyping(target) {
  return target.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable]") ?? false;
}
