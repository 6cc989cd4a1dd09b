// The page at `/open-items`: what waits for the person in any session, the longest waiting first.

import { ApiError, readOpenItems } from "./api.js";
import { Banner } from "./banner.js";
import { openExchange } from "./dialogs.js";
import { fillTexts, h, said, separated } from "./dom.js";
import { findRow } from "./find_row.js";
import { Connection, Switch, switchTo } from "./header.js";
import { aside, stepView, turnLink } from "./intents.js";
import { listenToKeys } from "./keyboard.js";
import { Live } from "./live.js";
import { redraw } from "./patch.js";
import { slotHref } from "./rows.js";
import { adoptToken, askToSignIn, reloadOnToken, whenSignedOut } from "./sign_in.js";
import { keepTimesTrue, timeTag } from "./times.js";
import { T } from "./texts.js";

const REFRESH_PAUSE = 300;

class OpenItemsPage {
  #refused = false;
  #items = [];
  #next = null;
  // The goals that need the person though no step says what for.
  #unnamed = [];
  #asked = 0;
  #online = true;
  #banner = new Banner();
  #enabled = null;
  #failure = null;
  #timer = null;
  #connection = new Connection();
  #root = document.getElementById("items");
  #switch = new Switch(() => this.#refresh());
  #live = new Live({
    event: (type) => type !== "session_title" && this.#refresh(),
    switched: () => void this.#read(),
    lost: () => this.#refresh(),
    connected: (connected) => this.#connected(connected),
  });

  async start() {
    whenSignedOut(() => this.#signedOut());
    listenToKeys("items", {
      j: () => this.#move(1),
      k: () => this.#move(-1),
      Enter: () => false,
      r: () => this.#refresh(),
    });
    this.#refused = (await adoptToken()).refused;
    this.#live.start();
    await this.#read();
  }

  #refresh() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#read();
    }, REFRESH_PAUSE);
  }

  /** Reads as many pages as were shown, so that what was unfolded by hand stays. */
  async #read(wanted = this.#items.length) {
    const number = ++this.#asked;
    try {
      const found = await pagesOf(wanted);
      // An answer that comes after that of a later question is older than what is shown.
      if (number === this.#asked) this.#take(found);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (number === this.#asked) this.#failure = error;
    }
    this.#draw();
  }

  #take({ items, next, unnamed, enabled, notices }) {
    this.#failure = null;
    this.#items = items;
    this.#next = next;
    this.#unnamed = unnamed;
    this.#enabled = enabled;
    this.#banner.show(notices);
  }

  #connected(connected) {
    this.#connection.is(connected);
    this.#online = connected;
    this.#draw();
  }

  #draw() {
    if (this.#enabled !== null) this.#switch.is(this.#enabled);
    if (this.#enabled === null && this.#failure === null) return;
    redraw(
      this.#root,
      h("header", { class: "pane-head" }, h("h1", {}, T.itemsTitle), h("p", { class: "pane-facts" }, T.itemsWhy)),
      this.#content(),
    );
  }

  #content() {
    if (this.#failure !== null && !this.#showsItems) return this.#failureView(T.itemsFailed);
    if (this.#enabled === false) {
      const on = { click: () => this.#switchOn() };
      const button = this.#online && h("button", { type: "button", class: "primary", "data-keep": "on", on }, T.switchOn);
      return notice("off", h("h2", {}, T.offTitle), h("p", {}, T.offWhy), button);
    }
    if (!this.#showsItems) return notice("none", h("h2", {}, T.itemsNone), h("p", {}, T.itemsNoneWhy));
    return [
      this.#failure !== null && this.#failureView(T.itemsOutdated),
      this.#items.length > 0 && this.#itemsView(),
      this.#unnamed.length > 0 && unnamedView(this.#unnamed),
    ];
  }

  get #showsItems() {
    return this.#items.length > 0 || this.#unnamed.length > 0;
  }

  #failureView(lead) {
    const { reason, message } = this.#failure;
    const on = { click: () => void this.#read() };
    const again = h("button", { type: "button", class: "plain", "data-keep": "again", on }, T.retry);
    return notice("unreadable", h("h2", {}, lead), h("p", {}, T.failures[reason] ?? message), again);
  }

  async #more() {
    const shown = this.#items.length;
    await this.#read(shown + 1);
    // With the last page the button is gone that had the focus.
    if (document.activeElement === this.#root) this.#root.querySelectorAll(".item-link")[shown]?.focus();
  }

  #itemsView() {
    const more = { click: () => void this.#more() };
    return [
      h("ol", { class: "items", "data-keep": "named" }, this.#items.map(itemView)),
      this.#next !== null && h("button", { type: "button", class: "more", "data-keep": "more", on: more }, T.more),
    ];
  }

  #move(by) {
    const items = [...this.#root.querySelectorAll(".item-link")];
    const at = items.findIndex((item) => item.closest("li").contains(document.activeElement));
    items[at < 0 ? 0 : Math.min(Math.max(at + by, 0), items.length - 1)]?.focus();
  }

  async #switchOn() {
    await switchTo(true);
    await this.#read();
  }

  #signedOut() {
    this.#live.stop();
    askToSignIn(this.#root, this.#refused);
  }
}

function notice(state, ...content) {
  return h("section", { class: `notice ${state}`, "data-state": state }, ...content);
}

/** As many items as are wanted, and at least a page; the other keys are the first page's. */
async function pagesOf(wanted) {
  const first = await readOpenItems(null);
  let { items, next } = first;
  while (next !== null && items.length < wanted) {
    const page = await readOpenItems(next);
    items = [...items, ...page.items];
    ({ next } = page);
  }
  return { ...first, items, next };
}

/** Goals that need the person, and no step that says what for. */
function unnamedView(goals) {
  const sessions = new Set(goals.map(({ slot }) => slot)).size;
  return [
    notice("unnamed", h("h2", {}, T.itemsUnnamed), h("p", {}, T.itemsUnnamedWhy(sessions))),
    h("ol", { class: "items", "data-keep": "unnamed" }, goals.map(goalView)),
  ];
}

function goalView(goal, at) {
  const link = { class: "item-link", href: slotHref(goal.slot), "data-keep": `goal-${at}` };
  return h(
    "li",
    { class: "open-item needs-you", dir: "auto" },
    h("p", { class: "what" }, said("a", link, goal.intent)),
    h("p", { class: "of" }, separated([goal.title !== goal.intent && said("bdi", {}, goal.title || goal.slot), ...placeOf(goal)])),
  );
}

// Where an item comes from: its turn, which can be read on the spot, and when that was.
function placeOf(item) {
  const turns = () => findRow(item.slot).then(({ row }) => row?.user_turns ?? item.turn);
  const openTurn = (turn) => openExchange(item.slot, turn, turns());
  return [item.turn > 0 && turnLink(item.turn, openTurn), timeTag(item.since, T.waiting)];
}

function itemView(item, at) {
  return h(
    "li",
    { class: "open-item needs-you", dir: "auto" },
    stepView(item),
    aside(T.expect, item.expect),
    h(
      "p",
      { class: "of" },
      separated([
        said("a", { class: "item-link", href: slotHref(item.slot), "data-keep": `item-${at}` }, item.title || item.slot),
        // A session is often called by its newest goal: that is said once.
        item.intent !== item.title && said("bdi", { title: item.intent }, item.intent),
        ...placeOf(item),
      ]),
    ),
  );
}

fillTexts();
keepTimesTrue();
reloadOnToken();
await new OpenItemsPage().start();
