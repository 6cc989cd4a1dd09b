// The sessions list: its rows, the one that is selected, and how it follows what happens.

import { ApiError } from "./api.js";
import { announce, h } from "./dom.js";
import { Filters } from "./filters.js";
import { ListRows } from "./list_rows.js";
import { Rows } from "./pages_of_rows.js";
import { arrange } from "./patch.js";
import { firstNew, heir } from "./place.js";
import { tellApart } from "./projects.js";
import { T } from "./texts.js";

// Busy agents announce several changes a second. The list is read again at most this often, and the less often the longer
// that takes; not while it is read, unless that takes so long that the answer may never come.
const REFRESH_PAUSE = 300;
const PAUSE_PER_READING = 5;
const PATIENCE = 3_000;

/** `heard.opened(key)` when a row is opened, `heard.changed()` after rows were read, `heard.failed(error)`. */
export class SessionList {
  #heard;
  #rows = new Rows();
  #elements = new ListRows();
  #selected = null;
  // The keys as they are shown, and the one that stands where the selected row stands, or stood.
  #order = [];
  #place = null;
  // Why the rows could not be read the last time: {why, element}.
  #failure = null;
  #timer = null;
  #pause = REFRESH_PAUSE;
  #readSince = null;
  #body = h("div", { class: "rows" });
  #sections = new Map();
  #nothings = new Map();
  #moreButton = h("button", { type: "button", class: "more", on: { click: () => this.#more() } }, T.more);

  constructor(root, heard) {
    this.#heard = heard;
    this.filters = new Filters(() => void this.#narrow());
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

  /** True once the rows under the present filters are shown. */
  load() {
    // Nobody stands anywhere in another list.
    this.#order = [];
    return this.#read(() => this.#rows.load(this.filters.wanted));
  }

  /** Reads the loaded rows again, soon. */
  refresh() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#readSince !== null && Date.now() - this.#readSince < PATIENCE) this.refresh();
      else void (this.#rows.loaded ? this.#read(() => this.#rows.again()) : this.load());
    }, this.#pause);
  }

  select(key) {
    this.#selected = this.#place = key;
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
    const at = rows.findIndex(({ key }) => key === this.#place);
    // The row that took the place of the selected one is itself the next.
    const further = this.#place !== this.#selected && by > 0 ? by - 1 : by;
    const to = at < 0 ? 0 : Math.min(Math.max(at + further, 0), rows.length - 1);
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

  /** Says why there is no list; one that was read before stays below. */
  showFailure(error) {
    const why = T.failures[error.reason] ?? error.message;
    // Drawn once: who stands on its button still stands there when the next try fails as well.
    if (this.#failure?.why === why) return;
    const { loaded } = this.#rows;
    const lead = loaded ? T.listOutdated : T.listFailed;
    const view = [h("p", { class: "lead" }, lead), h("p", {}, why), this.#retryButton()];
    this.#failure = { why, element: h("div", { class: loaded ? "outdated" : "nothing" }, view) };
    if (loaded) this.#show();
    else this.#body.replaceChildren(this.#failure.element);
    announce(`${lead}: ${why}`);
  }

  #retryButton() {
    const again = () => this.#read(() => this.#rows.again());
    return h("button", { type: "button", class: "plain", on: { click: again } }, T.retry);
  }

  async #narrow() {
    if (await this.load()) announce(this.rows.length > 0 ? T.listed(this.rows.length, this.#rows.isWhole) : T.noMatch);
  }

  #more() {
    return this.#read(() => this.#rows.more());
  }

  /** Whether the work was done and its outcome shown. */
  async #read(work) {
    const began = (this.#readSince = Date.now());
    try {
      await work();
    } catch (error) {
      if (error.name === "AbortError") return false;
      if (!(error instanceof ApiError)) throw error;
      this.#heard.failed(error);
      return false;
    } finally {
      if (this.#readSince === began) this.#readSince = null;
      this.#pause = Math.min(Math.max(PAUSE_PER_READING * (Date.now() - began), REFRESH_PAUSE), PATIENCE);
    }
    this.#failure = null;
    tellApart(this.#rows.choices.projects);
    // The page first: it asks for the summary that is to be shown, which is on its way while the rows are drawn.
    this.#heard.changed();
    this.#show();
    this.filters.offer(this.#rows.choices);
    return true;
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
    const { activeElement } = document;
    const focused = this.#body.contains(activeElement) ? activeElement : null;
    const before = this.#order;
    this.#order = this.rows.map(({ key }) => key);
    const shown = this.#rows.shown.filter(({ rows }) => rows.length > 0);
    const elements = this.#elements.of(shown.flatMap(({ rows }) => rows));
    const content = shown.flatMap(({ name, rows }) => this.#section(name, elements.splice(0, rows.length)));
    if (content.length === 0) content.push(this.#nothing(this.filters.narrowed));
    if (!this.#rows.isWhole) content.push(this.#moreButton);
    if (this.#failure !== null) content.unshift(this.#failure.element);
    arrange(this.#body, content);
    this.#elements.select(this.#selected);
    this.#place = heir(this.#place, before, this.#order);
    if (focused !== null) this.#keepFocus(focused, before);
  }

  // A focus that falls to the document would send a keyboard user back to the top of the page; one that is moved falls.
  #keepFocus(focused, before) {
    const next = focused.isConnected ? focused : this.#elements.link(this.#successor(focused, before));
    if (next !== document.activeElement) (next ?? this.filters.search).focus({ preventScroll: true });
  }

  #successor(focused, before) {
    if (focused === this.#moreButton) return firstNew(before, this.#order);
    return heir(focused.dataset.slot, before, this.#order);
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
