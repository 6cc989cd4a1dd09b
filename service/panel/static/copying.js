// The summary as Markdown, into the clipboard.

import { readMarkdown } from "./api.js";
import { openText } from "./dialogs.js";

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
