// The sessions list: its rows, the one that is selected, and how it follows what happens.

import { ApiError } from "./api.js";
import { h, refill } from "./dom.js";
import { Filters } from "./filters.js";
import { Rows } from "./pages_of_rows.js";
import { listRow } from "./rows.js";
import { T } from "./texts.js";

// Busy agents announce several changes a second; the list is read again at most this often.
const REFRESH_PAUSE = 300;

/** `heard.opened(key)` when a row is opened, `heard.changed()` after rows were read, `heard.failed(error)`. */
export class SessionList {
  #heard;
  #rows = new Rows();
  #selected = null;
  #timer = null;
  #body = h("div", { class: "rows" });

  constructor(root, heard) {
    this.#heard = heard;
    this.filters = new Filters(() => this.load());
    this.#body.addEventListener("click", (event) => this.#clicked(event));
    root.replaceChildren(h("h1", { class: "unseen" }, T.sessions), this.filters.element, this.#body);
  }

  get rows() {
    return this.#rows.all;
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
      void (this.#rows.loaded ? this.#read(() => this.#rows.again()) : this.load());
    }, REFRESH_PAUSE);
  }

  select(key) {
    this.#selected = key;
    this.#show();
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
    this.#selectedRow()?.focus({ preventScroll: true });
    this.revealSelected();
  }

  /** Scrolls the list as little as it takes to see the selected row. */
  revealSelected() {
    this.#selectedRow()?.scrollIntoView({ block: "nearest" });
  }

  #selectedRow() {
    return this.#body.querySelector("[aria-current]");
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
    try {
      await work();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof ApiError)) throw error;
      this.#heard.failed(error);
      return;
    }
    this.filters.learn(this.rows);
    this.#show();
    this.#heard.changed();
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
    refill(
      this.#body,
      shown.length === 0 ? this.#nothing() : shown.map((section) => this.#section(section)),
      !this.#rows.isWhole && this.#moreButton(),
    );
  }

  #section({ name, rows }) {
    const items = rows.map((row) => listRow(row, { selected: row.key === this.#selected }));
    return [name && h("h2", { class: "section-name" }, T[name]), h("ul", {}, items)];
  }

  #moreButton() {
    return h("button", { type: "button", class: "more", "data-keep": "more", on: { click: () => this.#more() } }, T.more);
  }

  #nothing() {
    if (!this.filters.narrowed) {
      return h("div", { class: "nothing" }, h("p", { class: "lead" }, T.noSessions), h("p", {}, T.noSessionsWhy));
    }
    const clear = { click: () => this.filters.clear() };
    return h(
      "div",
      { class: "nothing" },
      h("p", { class: "lead" }, T.noMatch),
      h("button", { type: "button", class: "plain", on: clear }, T.clearFilters),
    );
  }
}
