// When the page looks by itself whether a pass has ended: one that fails announces nothing.

// Soon at first, then less often.
const FIRST_LOOK = 1_500;
const LONGEST_LOOK = 10_000;

export class Looks {
  #look;
  #timer = null;
  #pause = FIRST_LOOK;

  constructor(look) {
    this.#look = look;
  }

  /** Goes on looking for as long as it is told to. */
  goOn(wanted) {
    if (!wanted) {
      clearTimeout(this.#timer);
      this.#timer = null;
      this.#pause = FIRST_LOOK;
    } else if (this.#timer === null) {
      this.#timer = setTimeout(() => this.#now(), this.#pause);
      this.#pause = Math.min(this.#pause * 1.5, LONGEST_LOOK);
    }
  }

  #now() {
    this.#timer = null;
    this.#look();
  }
}
