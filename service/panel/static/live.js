// What the service announces. After every gap the page is told to look again at everything.

import { SharedStream } from "./shared_stream.js";

/**
 * Follows the stream while the page can be seen. `event(type, data)` per frame, `switched(enabled)` when the settings
 * changed, `lost()` when frames may have been missed, `connected(boolean)`. The page reads meanwhile: what it read before
 * the stream said hello is as new as the stream where nothing happened since the page was made, and else it is told that
 * it lost something. Everything else on the page hears "news" from the window.
 */
export class Live {
  #heard;
  #stream = null;
  // The event up to which the page is true as it came; null once anything may have been missed since.
  #position = document.documentElement.dataset.position;
  #ended = false;

  constructor(heard) {
    this.#heard = heard;
  }

  start() {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#rest() : this.#follow()));
    document.addEventListener("freeze", () => this.#rest());
    document.addEventListener("resume", () => this.#follow());
    this.#follow();
  }

  /** Ends it for good. */
  stop() {
    this.#ended = true;
    this.#rest();
  }

  // A tab that nobody sees needs nothing: it looks again when it is seen.
  #rest() {
    this.#stream?.close();
    this.#stream = null;
    this.#position = null;
  }

  #follow() {
    if (this.#ended || this.#stream !== null) return;
    if (document.hidden) this.#position = null;
    else
      this.#stream = new SharedStream({
        hello: (id) => this.#hello(id),
        frame: ({ type, data }) => this.#happened(type, data),
        failed: () => this.#failed(),
      });
  }

  #hello(id) {
    this.#heard.connected(true);
    if (id !== this.#position) {
      this.#heard.lost();
      tellAll({ slot: null, deleted: false });
    }
    this.#position = null;
  }

  #failed() {
    // What is asked while the service is away comes to nothing, and no frame repeats it.
    this.#position = null;
    this.#heard.connected(false);
  }

  #happened(type, data) {
    if (type === "settings") return this.#heard.switched(data.enabled);
    this.#heard.event(type, data);
    tellAll({ slot: data.key, deleted: type === "session_deleted" });
  }
}

/** News of a slot, or of any where it is null. */
function tellAll(detail) {
  dispatchEvent(new CustomEvent("news", { detail }));
}
