// The summary as Markdown, into the clipboard.

import { readMarkdown } from "./api.js";
import { openText } from "./dialogs.js";
import { announce } from "./dom.js";
import { T } from "./texts.js";

const SAID_FOR = 2_500;

/** How it ended: "copied", "shown" where the browser did not let the page copy, "unknown" where there is no Markdown. */
export async function copyMarkdown(slot) {
  const text = await readMarkdown(slot);
  if (text === null) return "unknown";
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    openText(text);
    return "shown";
  }
}

/** The button says for a moment that it was done. */
export function sayCopied(button) {
  announce(T.copied);
  button?.replaceChildren(T.copied);
  setTimeout(() => button?.replaceChildren(T.copy), SAID_FOR);
}
