// One stream of events for all pages of a browser, which allows six connections to one address. The page that holds the
// lock reads it and passes on what it hears; when that page goes, or says nothing any more, another takes its place.

import { EventStream } from "./event_stream.js";

const NAME = "session-summary:stream";
// A page that reads says something at least as often as the stream is opened again or has a heartbeat.
const SILENCE = 50_000;

/**
 * `heard.hello(id)` once it is followed, and whenever frames may have been missed since: it tells all that comes after
 * the event of that id; `heard.frame({type, data})`; `heard.failed()` while the service does not answer.
 */
export class SharedStream {
  #heard;
  #channel = null;
  #queue = new AbortController();
  #closed = false;
  #silence = null;
  // Whether the frames that others pass on have a beginning here.
  #joined = false;
  // The stream where this page reads it, and the id up to which it has; null while it has none.
  #stream = null;
  #at = null;

  constructor(heard) {
    this.#heard = heard;
    // Only pages of this machine, or over TLS, have locks; another one has a stream of its own.
    if (navigator.locks === undefined) {
      this.#read();
      return;
    }
    this.#channel = new BroadcastChannel(NAME);
    this.#channel.addEventListener("message", ({ data }) => this.#told(data));
    this.#follow();
  }

  close() {
    this.#closed = true;
    this.#queue.abort();
    this.#stream?.close();
    this.#channel?.close();
    clearTimeout(this.#silence);
  }

  // Asks where the page that reads is, and waits to take its place.
  #follow() {
    this.#joined = false;
    this.#listen();
    this.#channel.postMessage({ kind: "ask" });
    void this.#queueUp({});
  }

  #listen() {
    clearTimeout(this.#silence);
    // Its page may be halted: what it holds is taken from it.
    this.#silence = setTimeout(() => void this.#queueUp({ steal: true }), SILENCE);
  }

  async #queueUp(options) {
    this.#queue.abort();
    const { signal } = (this.#queue = new AbortController());
    // What takes a lock away never waits, and so may not be called off.
    const how = options.steal ? options : { signal };
    try {
      await navigator.locks.request(NAME, how, () => this.#lead(signal));
    } catch (error) {
      if (error.name !== "AbortError") throw error;
      if (!signal.aborted) this.#deposed();
    }
  }

  /** Holds the lock for as long as this page reads the stream. */
  #lead(signal) {
    if (this.#closed) return null;
    clearTimeout(this.#silence);
    this.#read();
    return new Promise((resolve) => signal.addEventListener("abort", resolve));
  }

  #deposed() {
    this.#stream?.close();
    this.#stream = null;
    this.#follow();
  }

  #read() {
    this.#at = null;
    this.#stream = new EventStream({
      frame: (frame) => this.#took(frame),
      beat: () => this.#channel?.postMessage({ kind: "beat" }),
      failed: () => {
        this.#at = null;
        this.#tell({ kind: "failed" });
      },
    });
  }

  #took(frame) {
    const begins = this.#at === null;
    this.#at = frame.id ?? this.#at;
    this.#tell(begins ? { kind: "hello", id: this.#at, anew: true } : { kind: "frame", frame });
  }

  /** To every page, this one included. */
  #tell(message) {
    this.#channel?.postMessage(message);
    this.#hear(message);
  }

  #told(message) {
    if (message.kind === "ask") return this.#answer();
    // What another page still says that read before this one comes again with this one's own stream.
    if (this.#stream !== null) return;
    this.#listen();
    this.#hear(message);
  }

  // A stream that is about to begin says so itself, to all.
  #answer() {
    if (this.#at !== null) this.#channel.postMessage({ kind: "hello", id: this.#at, anew: false });
  }

  #hear({ kind, id, anew, frame }) {
    if (kind === "failed") {
      this.#joined = false;
      this.#heard.failed();
    } else if (kind === "hello" && (anew || !this.#joined)) {
      this.#joined = true;
      this.#heard.hello(id);
    } else if (kind === "frame" && this.#joined) this.#heard.frame(frame);
  }
}
