// What a screen reader is told when the session that is shown comes to stand otherwise.

import { announce } from "./dom.js";
import { failureWords, staleSentences } from "./notices.js";
import { T } from "./texts.js";

// Before it was read nothing was known that could have changed.
const UNKNOWN = ["unread", "unreadable"];

export class Announcer {
  #stood = null;

  /** Tells what differs from the last drawing, if that was of the same session. */
  drawn(entry, state, row) {
    const before = this.#stood;
    const now = { slot: entry.slot, state, made: entry.body?.generated_at ?? null, failure: entry.failure?.reason };
    this.#stood = now;
    if (before?.slot !== now.slot || UNKNOWN.includes(before.state)) return;
    if (before.state === state && before.made === now.made && before.failure === now.failure) return;
    const words = state === "fresh" ? freshWords(before.made, now.made) : wordsOf(state, entry, row);
    if (words !== null) announce(words);
  }

  /** Tells how it stands, to somebody who asked for a summary and gets none. */
  answer(entry, state, row) {
    announce(state === "fresh" ? T.upToDate : (wordsOf(state, entry, row) ?? ""));
  }
}

function freshWords(before, made) {
  if (before === made) return null;
  return before === null ? T.firstMade : T.updated;
}

/** What is to be said of a state; null where its notice comes with what somebody did, or at every turn. */
function wordsOf(state, { body, gone, failure }, row) {
  switch (state) {
    case "gone":
      return T.gone[gone].title;
    case "off":
      return T.offTitle;
    case "making":
      return T.generating;
    case "failed":
      return `${T.failedTitle}. ${failureWords(failure)}`;
    case "barred":
      return T.noneWhy(row.reason);
    case "stale":
      return staleSentences(body, row).join(" ");
    default:
      return null;
  }
}
