// A moment that is told as it comes nearer.

// One that is further away than this is told in hours and minutes, not in seconds.
const FAR = 120_000;

export class Countdown {
  #tick;
  #timer = null;

  constructor(tick) {
    this.#tick = tick;
  }

  /** Calls once more soon where the moment, in epoch milliseconds, is still to come; whoever draws then asks again. */
  to(moment) {
    clearTimeout(this.#timer);
    const left = moment - Date.now();
    if (left > 0) this.#timer = setTimeout(this.#tick, left > FAR ? FAR / 2 : 1_000);
  }
}
