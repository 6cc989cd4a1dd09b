// The rows of the sessions list as the service has them: a page at a time, and those loaded kept true.

import { listSlots } from "./api.js";

const PAGE = 50;
const MOST = 200;

/** One run of the list under one query. */
class Section {
  constructor(name, query) {
    this.name = name;
    this.query = query;
    this.rows = [];
    this.next = null;
    this.notices = [];
  }

  async more(signal) {
    const page = await listSlots({ ...this.query, limit: PAGE, after: this.next }, signal);
    const known = new Set(this.rows.map((row) => row.key));
    this.rows = [...this.rows, ...page.slots.filter((row) => !known.has(row.key))];
    this.next = page.next;
    this.notices = page.notices ?? [];
  }

  /** Reads the loaded part again. Beyond the largest page the older tail stays as it was read. */
  async again(signal) {
    const limit = Math.min(Math.max(this.rows.length, PAGE), MOST);
    const page = await listSlots({ ...this.query, limit }, signal);
    const whole = page.next === null || this.rows.length <= limit;
    const fresh = new Set(page.slots.map((row) => row.key));
    const tail = whole ? [] : this.rows.slice(limit).filter((row) => !fresh.has(row.key));
    this.rows = [...page.slots, ...tail];
    if (whole) this.next = page.next;
    this.notices = page.notices ?? [];
  }
}

/** What is listed under the filters {q, source, project, state, needsFirst}. */
export class Rows {
  #sections = [];
  #abort = new AbortController();
  loaded = false;

  /** Begins anew under other filters; what was asked under the old ones is let go. */
  async load({ needsFirst, ...query }) {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const sections =
      needsFirst && !query.state
        ? [new Section("needsYou", { ...query, state: "needs-you" }), new Section("others", query)]
        : [new Section(null, query)];
    await Promise.all(sections.map((section) => section.more(signal)));
    this.#sections = sections;
    this.loaded = true;
  }

  async again() {
    const { signal } = this.#abort;
    await Promise.all(this.#sections.map((section) => section.again(signal)));
  }

  async more() {
    const section = this.#sections.find(({ next }) => next !== null);
    await section?.more(this.#abort.signal);
  }

  get isWhole() {
    return this.#sections.every(({ next }) => next === null);
  }

  /** What the service has to say of itself; every page of the list carries the same. */
  get notices() {
    return this.#sections[0]?.notices ?? [];
  }

  /** [{name, rows}]: no session stands in two of them. */
  get shown() {
    const seen = new Set();
    return this.#sections.map(({ name, rows }) => {
      const mine = rows.filter(({ key }) => !seen.has(key));
      for (const { key } of mine) seen.add(key);
      return { name, rows: mine };
    });
  }

  get all() {
    return this.shown.flatMap(({ rows }) => rows);
  }

  find(key) {
    return this.all.find((row) => row.key === key) ?? null;
  }

  /** A turn began or ended on a slot: every row that shows the same transcript says so. */
  setRunning(key, running) {
    const transcript = this.find(key)?.transcript_key;
    this.#change((row) => (row.transcript_key === transcript ? { ...row, running } : row));
  }

  remove(key) {
    for (const section of this.#sections) section.rows = section.rows.filter((row) => row.key !== key);
  }

  #change(changed) {
    for (const section of this.#sections) section.rows = section.rows.map(changed);
  }
}
