// The summary as Markdown, into the clipboard.

import { ApiError, readMarkdown } from "./api.js";
import { openText } from "./dialogs.js";
import { announce, tell } from "./dom.js";
import { T } from "./texts.js";

const SAID_FOR = 2_500;

/** Copies it; false where this service has no Markdown. What else came of it is said by the button in `pane`, or told. */
export async function copyMarkdown(slot, pane) {
  try {
    const text = await readMarkdown(slot);
    if (text === null) return false;
    if (await isCopied(text)) sayCopied(pane.querySelector(".copy"));
    else openText(text);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    tell(T.copyFailed(T.failures[error.reason] ?? error.message));
  }
  return true;
}

/** Whether the browser let the page copy it. */
async function isCopied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The button says for a moment that it was done. */
function sayCopied(button) {
  announce(T.copied);
  button?.replaceChildren(T.copied);
  setTimeout(() => button?.replaceChildren(T.copy), SAID_FOR);
}
