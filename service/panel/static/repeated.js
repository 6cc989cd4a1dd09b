// Work that is wanted again while it is under way.

export class Repeated {
  #work;
  #run = null;

  constructor(work) {
    this.#work = work;
  }

  /** Does it for a subject; wanted again meanwhile, it is done once more afterwards. Another subject does not wait for it. */
  of(subject) {
    if (this.#run?.subject === subject) this.#run.again = true;
    else this.#begin({ subject, again: false, whole: null });
    return this.#run.whole;
  }

  #begin(run) {
    this.#run = run;
    run.whole = this.#all(run).finally(() => {
      if (this.#run === run) this.#run = null;
    });
  }

  async #all(run) {
    do {
      run.again = false;
      await this.#work(run.subject);
    } while (run.again);
  }
}
