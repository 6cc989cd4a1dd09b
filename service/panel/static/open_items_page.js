// The page at `/open-items`: what waits for the person in any session, the longest waiting first.

import { ApiError, listSlots, readOpenItems, writeEnabled } from "./api.js";
import { openExchange } from "./dialogs.js";
import { announce, fillTexts, h, refill, said, separated } from "./dom.js";
import { Connection, Switch, wireKeysButton } from "./header.js";
import { aside, turnLink } from "./intents.js";
import { listenToKeys } from "./keyboard.js";
import { Live } from "./live.js";
import { agentName, nameOf, slotHref } from "./rows.js";
import { adoptToken, reloadOnToken, signInNotice } from "./sign_in.js";
import { keepTimesTrue, timeTag } from "./times.js";
import { T } from "./texts.js";

const REFRESH_PAUSE = 300;
const MOST_UNNAMED = 50;

class OpenItemsPage {
  #refused = false;
  #items = [];
  #next = null;
  // The sessions that need the person, read where no step says what for.
  #unnamed = { slots: [], next: null };
  #enabled = null;
  #failure = null;
  #timer = null;
  #connection = new Connection();
  #root = document.getElementById("items");
  #switch = new Switch(() => this.#refresh());
  #live = new Live({
    event: (type) => type !== "session_title" && this.#refresh(),
    lost: () => this.#refresh(),
    connected: (connected) => this.#connection.is(connected),
  });

  async start() {
    listenToKeys({
      j: () => this.#move(1),
      k: () => this.#move(-1),
      r: () => this.#refresh(),
    });
    this.#refused = (await adoptToken()).refused;
    await this.#live.start();
    await this.#read();
  }

  #refresh() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#read();
    }, REFRESH_PAUSE);
  }

  /** Reads as many pages as were shown, so that what was unfolded by hand stays. */
  async #read() {
    const wanted = Math.max(this.#items.length, 1);
    try {
      const first = await readOpenItems(null);
      const items = [...first.items];
      let { next } = first;
      while (next !== null && items.length < wanted) {
        const page = await readOpenItems(next);
        items.push(...page.items);
        ({ next } = page);
      }
      if (items.length === 0) this.#unnamed = await listSlots({ state: "needs-you", limit: MOST_UNNAMED });
      this.#failure = null;
      this.#enabled = first.enabled;
      this.#items = items;
      this.#next = next;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) return this.#signedOut();
      this.#failure = error;
    }
    this.#draw();
  }

  async #more() {
    const page = await readOpenItems(this.#next);
    this.#items = [...this.#items, ...page.items];
    this.#next = page.next;
    this.#draw();
  }

  #draw() {
    if (this.#enabled !== null) this.#switch.is(this.#enabled);
    refill(
      this.#root,
      h("header", { class: "pane-head" }, h("h1", {}, T.itemsTitle), h("p", { class: "pane-facts" }, T.itemsWhy)),
      this.#content(),
    );
  }

  #content() {
    if (this.#failure !== null && this.#items.length === 0) {
      const { reason, message } = this.#failure;
      return notice("unreadable", h("h2", {}, T.itemsFailed), h("p", {}, T.failures[reason] ?? message));
    }
    if (this.#enabled === false) {
      const on = { click: () => this.#switchOn() };
      const button = h("button", { type: "button", class: "primary", on }, T.switchOn);
      return notice("off", h("h2", {}, T.offTitle), h("p", {}, T.offWhy), button);
    }
    if (this.#items.length === 0) return this.#nothingListed();
    const more = { click: () => this.#more() };
    return [
      h("ol", { class: "items" }, this.#items.map((item, at) => itemView(item, at))),
      this.#next !== null && h("button", { type: "button", class: "more", "data-keep": "more", on: more }, T.more),
    ];
  }

  #nothingListed() {
    const { slots, next } = this.#unnamed;
    if (slots.length === 0) return notice("none", h("h2", {}, T.itemsNone), h("p", {}, T.itemsNoneWhy));
    return [
      notice("unnamed", h("h2", {}, T.itemsUnnamed), h("p", {}, T.itemsUnnamedWhy(slots.length, next === null))),
      h("ol", { class: "items" }, slots.map(needingView)),
    ];
  }

  #move(by) {
    const items = [...this.#root.querySelectorAll(".item-link")];
    const at = items.findIndex((item) => item.closest("li").contains(document.activeElement));
    items[at < 0 ? 0 : Math.min(Math.max(at + by, 0), items.length - 1)]?.focus();
  }

  async #switchOn() {
    await writeEnabled(true).catch((error) => announce(T.switchFailed(error.message)));
    await this.#read();
  }

  #signedOut() {
    this.#live.stop();
    this.#root.replaceChildren(signInNotice(this.#refused));
  }
}

function notice(state, ...content) {
  return h("section", { class: `notice ${state}`, "data-state": state }, ...content);
}

function needingView(row, at) {
  const link = { class: "item-link", href: slotHref(row.key), "data-keep": `item-${at}` };
  const of = separated([said("bdi", {}, agentName(row.source)), timeTag(row.last_activity, T.waiting)]);
  return h("li", { class: "open-item needs-you" }, said("a", link, nameOf(row)), h("p", { class: "of" }, of));
}

function itemView(item, at) {
  const openTurn = (turn) => openExchange(item.slot, turn, Number.MAX_SAFE_INTEGER);
  return h(
    "li",
    { class: "open-item needs-you" },
    said("p", { class: "what" }, item.what),
    aside(T.because, item.why),
    aside(T.expect, item.expect),
    h(
      "p",
      { class: "of" },
      separated([
        said("a", { class: "item-link", href: slotHref(item.slot), "data-keep": `item-${at}` }, item.title || item.slot),
        said("bdi", {}, item.intent),
        item.turn > 0 && turnLink(item.turn, openTurn),
        timeTag(item.since, T.waiting),
      ]),
    ),
  );
}

fillTexts();
keepTimesTrue();
reloadOnToken();
wireKeysButton();
await new OpenItemsPage().start();
