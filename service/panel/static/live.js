// What the service announces. After every gap the page is told to look again at everything.

const TYPES = ["session_summary", "session_title", "session_turn", "session_changed", "session_deleted"];
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;
const HELLO_WITHIN = 400;

/**
 * Follows the stream. `event(type, data)` per frame, `lost()` when frames may have been missed, `connected(boolean)`.
 * The promise is settled once the stream has said hello, or after a moment without it: what is read from then on cannot
 * be older than what the stream tells.
 */
export class Live {
  #heard;
  #source = null;
  #pause = FIRST_PAUSE;
  #begun = false;
  #away = false;
  #retry = null;
  #ready;
  #whenReady;

  constructor(heard) {
    this.#heard = heard;
    this.#whenReady = new Promise((settle) => (this.#ready = settle));
    document.addEventListener("visibilitychange", () => this.#followVisibility());
  }

  start() {
    this.#open();
    setTimeout(() => this.#begin(), HELLO_WITHIN);
    return this.#whenReady;
  }

  stop() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  // A browser allows six connections to one address: a tab that nobody sees must not hold one.
  #followVisibility() {
    if (document.hidden) this.stop();
    else if (this.#source === null) this.#open();
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
    source.addEventListener("hello", () => this.#hello());
    source.addEventListener("reset", () => this.#heard.lost());
    for (const type of TYPES) source.addEventListener(type, (frame) => this.#frame(type, frame));
  }

  #hello() {
    if (this.#begun) this.#heard.lost();
    this.#begin();
  }

  // From here on the page reads; a hello that comes only after this follows a gap.
  #begin() {
    this.#begun = true;
    this.#ready();
  }

  #failed(source) {
    this.#heard.connected(false);
    this.#away = true;
    this.#begin();
    if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
    this.#source = null;
    this.#retry = setTimeout(() => this.#source ?? this.#open(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #frame(type, frame) {
    const { data } = JSON.parse(frame.data);
    this.#heard.event(type, data);
  }
}
