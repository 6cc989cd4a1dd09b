// What the service announces. After every gap the page is told to look again at everything.

import { probe } from "./api.js";

const TYPES = ["session_summary", "session_title", "session_turn", "session_changed", "session_deleted"];
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;

/**
 * Follows the stream. `event(type, data)` per frame, `switched(enabled)` when the feature was, `lost()` when frames may
 * have been missed, `connected(boolean)`. The page reads meanwhile: what it read before the stream said hello is as new
 * as the stream where nothing happened since the page was made, and else it is told that it lost something.
 */
export class Live {
  #heard;
  #source = null;
  #pause = FIRST_PAUSE;
  // The event up to which the page is true as it came; null once the stream has said hello.
  #position = document.documentElement.dataset.position;
  #away = false;
  #ended = false;
  #retry = null;

  constructor(heard) {
    this.#heard = heard;
    document.addEventListener("visibilitychange", () => this.#followVisibility());
  }

  start() {
    this.#open();
  }

  /** Ends it for good. */
  stop() {
    this.#ended = true;
    this.#close();
  }

  #close() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  // A browser allows six connections to one address: a tab that nobody sees must not hold one.
  #followVisibility() {
    if (document.hidden) this.#close();
    else if (this.#source === null && !this.#ended) this.#open();
  }

  #open() {
    const source = new EventSource("/api/events");
    this.#source = source;
    source.addEventListener("open", () => {
      this.#pause = FIRST_PAUSE;
      this.#heard.connected(true);
      // What was asked while the service was away came to nothing, and no frame repeats it.
      if (this.#away) this.#heard.lost();
      this.#away = false;
    });
    source.addEventListener("error", () => this.#failed(source));
    source.addEventListener("hello", (frame) => this.#hello(frame));
    source.addEventListener("reset", () => this.#heard.lost());
    source.addEventListener("settings", (frame) => this.#heard.switched(dataOf(frame).enabled));
    for (const type of TYPES) source.addEventListener(type, (frame) => this.#heard.event(type, dataOf(frame)));
  }

  #hello(frame) {
    if (String(dataOf(frame).id) !== this.#position) this.#heard.lost();
    this.#position = null;
  }

  #failed(source) {
    if (source !== this.#source) return;
    this.#heard.connected(false);
    this.#away = true;
    if (source.readyState !== EventSource.CLOSED) return;
    this.#source = null;
    // The service answered, and not with a stream: perhaps it wants the token.
    void probe();
    this.#retry = setTimeout(() => this.#source ?? this.#open(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }
}

function dataOf(frame) {
  return JSON.parse(frame.data).data;
}
