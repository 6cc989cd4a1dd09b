// The service's stream of events, read by hand: an EventSource tells neither of heartbeats nor of why it failed.

import { openEvents } from "./api.js";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;
// A heartbeat comes every 15 s: where two stay away the service hangs.
const SILENCE = 32_000;

/**
 * Reads it until it is closed, and opens it again whenever it ends. `heard.frame({type, id, data})` per frame, the first
 * of which is hello; `heard.beat()` per heartbeat; `heard.failed()` whenever it ended or could not be opened.
 */
export class EventStream {
  #heard;
  #closed = new AbortController();
  #pause = FIRST_PAUSE;

  constructor(heard) {
    this.#heard = heard;
    void this.#follow();
  }

  close() {
    this.#closed.abort();
  }

  async #follow() {
    while (!this.#closed.signal.aborted) {
      for await (const block of this.#blocks()) this.#take(block);
      if (this.#closed.signal.aborted) return;
      this.#heard.failed();
      await new Promise((resolve) => setTimeout(resolve, this.#pause));
      this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    }
  }

  // A frame or a heartbeat each; ends with the stream, however that comes.
  async *#blocks() {
    const silence = new AbortController();
    const signal = AbortSignal.any([this.#closed.signal, silence.signal]);
    let timer = setTimeout(() => silence.abort(), SILENCE);
    let rest = "";
    try {
      const reader = (await openEvents(signal)).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE);
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        yield* blocks;
      }
    } catch {
      // Cut, refused or silent: what was missed is read anew once it is open again.
    } finally {
      clearTimeout(timer);
    }
  }

  #take(block) {
    if (this.#closed.signal.aborted) return;
    this.#pause = FIRST_PAUSE;
    const fields = new Map(block.split("\n").map(fieldOf));
    try {
      if (fields.has("data")) this.#heard.frame({ id: fields.get("id") ?? null, ...JSON.parse(fields.get("data")) });
      else this.#heard.beat();
    } catch (error) {
      // Whoever fails at one frame still hears the next.
      reportError(error);
    }
  }
}

function fieldOf(line) {
  const at = line.indexOf(": ");
  return [line.slice(0, at), line.slice(at + 2)];
}
