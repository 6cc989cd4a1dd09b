// The rows of the sessions list as the service has them: a page at a time, and all that are loaded kept true.

import { listSlots } from "./api.js";

const PAGE = 50;
const MOST = 200;
const NOTHING = { rows: [], next: null, notices: [], choices: { sources: [], projects: [] } };

/** One run of the list under one query; `content` is what was read of it, `most` how many rows of it are wanted. */
class Section {
  content = NOTHING;
  most = PAGE;

  constructor(name, query) {
    this.name = name;
    this.query = query;
  }

  /** All that is wanted of it, read anew from its first row on. */
  async read(signal) {
    let content = NOTHING;
    do content = await this.readOn(content, signal);
    while (content.next !== null && content.rows.length < this.most);
    return content;
  }

  /** The content with its next page. */
  async readOn({ rows, next, choices }, signal) {
    const limit = Math.min(Math.max(this.most - rows.length, 1), MOST);
    const page = await listSlots({ ...this.query, limit, after: next }, signal);
    const known = new Set(rows.map(({ key }) => key));
    const further = page.slots.filter(({ key }) => !known.has(key));
    return {
      rows: [...rows, ...further],
      next: page.next,
      notices: page.notices ?? [],
      choices: next === null ? { sources: page.sources ?? [], projects: page.projects ?? [] } : choices,
    };
  }
}

/** What is listed under the filters {q, source, project, state, needsFirst}. */
export class Rows {
  #sections = [];
  // Others than those shown while the first page under other filters is on its way.
  #wanted = [];
  #abort = new AbortController();
  #begun = 0;
  #ended = 0;
  #taken = 0;
  #byKey = new Map();
  loaded = false;

  /** Begins anew under other filters; what was asked under the old ones is let go. */
  load({ needsFirst, ...query }) {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#wanted =
      needsFirst && !query.state
        ? [new Section("needsYou", { ...query, state: "needs-you" }), new Section("others", query)]
        : [new Section(null, query)];
    return this.again();
  }

  /** Reads everything that is loaded once more. */
  again() {
    return this.#read((section, signal) => section.read(signal));
  }

  /** One more page. While rows are read again it is read with them: two answers about one list must not mix. */
  more() {
    const section = this.#wanted.find(({ content }) => content.next !== null);
    if (section === undefined) return null;
    section.most = section.content.rows.length + PAGE;
    if (this.#begun > this.#ended) return this.again();
    return this.#read((one, signal) => (one === section ? one.readOn(one.content, signal) : one.content));
  }

  async #read(contentOf) {
    const number = ++this.#begun;
    const sections = this.#wanted;
    const { signal } = this.#abort;
    try {
      const contents = await Promise.all(sections.map((section) => contentOf(section, signal)));
      if (sections === this.#wanted) this.#take(number, contents);
    } finally {
      this.#ended += 1;
    }
  }

  // An answer that comes after that of a later question is older than what is shown.
  #take(number, contents) {
    if (number < this.#taken) return;
    this.#taken = number;
    this.#sections = this.#wanted;
    this.#sections.forEach((section, at) => (section.content = contents[at]));
    this.loaded = true;
    this.#index();
  }

  get isWhole() {
    return this.#sections.every(({ content }) => content.next === null);
  }

  /** What the service has to say of itself; every page of the list carries the same. */
  get notices() {
    return this.#sections[0]?.content.notices ?? [];
  }

  /** The agents and projects of all sessions; every first page carries the same. */
  get choices() {
    return this.#sections[0]?.content.choices ?? NOTHING.choices;
  }

  /** [{name, rows}]: no session stands in two of them. */
  get shown() {
    const seen = new Set();
    return this.#sections.map(({ name, content }) => {
      const rows = content.rows.filter(({ key }) => !seen.has(key));
      for (const { key } of rows) seen.add(key);
      return { name, rows };
    });
  }

  /** In the order in which they are shown. */
  get all() {
    return [...this.#byKey.values()];
  }

  find(key) {
    return this.#byKey.get(key) ?? null;
  }

  /** A turn began or ended on a slot: every row that shows the same transcript says so. */
  setRunning(key, running) {
    const transcript = this.find(key)?.transcript_key;
    this.#change((rows) => rows.map((row) => (row.transcript_key === transcript ? { ...row, running } : row)));
  }

  remove(key) {
    this.#change((rows) => rows.filter((row) => row.key !== key));
  }

  #change(changed) {
    for (const section of this.#sections) section.content = { ...section.content, rows: changed(section.content.rows) };
    this.#index();
  }

  #index() {
    this.#byKey = new Map(this.shown.flatMap(({ rows }) => rows.map((row) => [row.key, row])));
  }
}
