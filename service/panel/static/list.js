// The sessions list: its rows, the one that is selected, and how it follows what happens.

import { ApiError } from "./api.js";
import { h } from "./dom.js";
import { Filters } from "./filters.js";
import { ListRows } from "./list_rows.js";
import { Rows } from "./pages_of_rows.js";
import { arrange } from "./patch.js";
import { T } from "./texts.js";

// Busy agents announce several changes a second; the list is read again at most this often, and not while it is read,
// unless that takes so long that the answer may never come.
const REFRESH_PAUSE = 300;
const PATIENCE = 3_000;

/** `heard.opened(key)` when a row is opened, `heard.changed()` after rows were read, `heard.failed(error)`. */
export class SessionList {
  #heard;
  #rows = new Rows();
  #elements = new ListRows();
  #selected = null;
  #timer = null;
  #readSince = null;
  #body = h("div", { class: "rows" });
  #sections = new Map();
  #nothings = new Map();
  #moreButton = h("button", { type: "button", class: "more", on: { click: () => this.#more() } }, T.more);

  constructor(root, heard) {
    this.#heard = heard;
    this.filters = new Filters(() => this.load());
    this.#body.addEventListener("click", (event) => this.#clicked(event));
    root.replaceChildren(h("h1", { class: "unseen" }, T.sessions), this.filters.element, this.#body);
  }

  get rows() {
    return this.#rows.all;
  }

  /** Whether there is no session at all. */
  get isEmpty() {
    return this.#rows.loaded && this.rows.length === 0 && !this.filters.narrowed;
  }

  /** Whether any rows were read so far. */
  get loaded() {
    return this.#rows.loaded;
  }

  get notices() {
    return this.#rows.notices;
  }

  find(key) {
    return this.#rows.find(key);
  }

  load() {
    return this.#read(() => this.#rows.load(this.filters.wanted));
  }

  /** Reads the loaded rows again, soon. */
  refresh() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#readSince !== null && Date.now() - this.#readSince < PATIENCE) this.refresh();
      else void (this.#rows.loaded ? this.#read(() => this.#rows.again()) : this.load());
    }, REFRESH_PAUSE);
  }

  select(key) {
    this.#selected = key;
    this.#elements.select(key);
  }

  setRunning(key, running) {
    this.#rows.setRunning(key, running);
    this.#show();
  }

  remove(key) {
    this.#rows.remove(key);
    this.#show();
  }

  /** Moves the selection by one row and gives it the focus; the row's key, null where there is none. */
  move(by) {
    const { rows } = this;
    if (rows.length === 0) return null;
    const at = rows.findIndex(({ key }) => key === this.#selected);
    const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1);
    if (to === rows.length - 1 && !this.#rows.isWhole) void this.#more();
    this.select(rows[to].key);
    this.focusSelected();
    return this.#selected;
  }

  focusSelected() {
    this.#elements.current?.focus({ preventScroll: true });
    this.revealSelected();
  }

  /** Scrolls the list as little as it takes to see the selected row. */
  revealSelected() {
    this.#elements.current?.scrollIntoView({ block: "nearest" });
  }

  /** Says why there is no list; one that was read before stays. */
  showFailure(error) {
    if (this.#rows.loaded) return;
    const again = h("button", { type: "button", class: "plain", on: { click: () => this.load() } }, T.retry);
    const why = h("p", {}, T.failures[error.reason] ?? error.message);
    this.#body.replaceChildren(h("div", { class: "nothing" }, h("p", { class: "lead" }, T.listFailed), why, again));
  }

  #more() {
    return this.#read(() => this.#rows.more());
  }

  async #read(work) {
    const began = (this.#readSince = Date.now());
    try {
      await work();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof ApiError)) throw error;
      this.#heard.failed(error);
      return;
    } finally {
      if (this.#readSince === began) this.#readSince = null;
    }
    this.filters.learn(this.rows);
    // The page first: it asks for the summary that is to be shown, which is on its way while the rows are drawn.
    this.#heard.changed();
    this.#show();
  }

  #clicked(event) {
    const row = event.target.closest("a.row");
    // With a modifier it is a link like any other: a new tab, a new window.
    if (row === null || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.#heard.opened(row.dataset.slot);
  }

  #show() {
    if (!this.#rows.loaded) return;
    const shown = this.#rows.shown.filter(({ rows }) => rows.length > 0);
    const elements = this.#elements.of(shown.flatMap(({ rows }) => rows));
    const content = shown.flatMap(({ name, rows }) => this.#section(name, elements.splice(0, rows.length)));
    if (content.length === 0) content.push(this.#nothing(this.filters.narrowed));
    if (!this.#rows.isWhole) content.push(this.#moreButton);
    arrange(this.#body, content);
    this.#elements.select(this.#selected);
  }

  #section(name, items) {
    const parts = this.#sections.get(name) ?? {
      heading: name && h("h2", { class: "section-name" }, T[name]),
      list: h("ul"),
    };
    this.#sections.set(name, parts);
    arrange(parts.list, items);
    return parts.heading ? [parts.heading, parts.list] : [parts.list];
  }

  #nothing(narrowed) {
    const clear = { click: () => this.filters.clear() };
    const [lead, ...rest] = narrowed
      ? [T.noMatch, h("button", { type: "button", class: "plain", on: clear }, T.clearFilters)]
      : [T.noSessions, h("p", {}, T.noSessionsWhy)];
    const made = this.#nothings.get(narrowed) ?? h("div", { class: "nothing" }, h("p", { class: "lead" }, lead), rest);
    this.#nothings.set(narrowed, made);
    return made;
  }
}
