// The page at `/`: the list on the left, the summary of the selected session on the right.

import { readOpenItems } from "./api.js";
import { Banner } from "./banner.js";
import { fillTexts } from "./dom.js";
import { Connection, Switch } from "./header.js";
import { listenToKeys } from "./keyboard.js";
import { SessionList } from "./list.js";
import { Live } from "./live.js";
import { Pane } from "./pane.js";
import { adoptToken, askToSignIn, reloadOnToken, whenSignedOut } from "./sign_in.js";
import { slotHref } from "./rows.js";
import { forget } from "./since.js";
import { keepTimesTrue, makeFormats } from "./times.js";
import { findRow } from "./find_row.js";

// Below this width there is room for one of the two; layout.css breaks at the same.
const wide = matchMedia("(min-width: 45rem)");
// Someone who holds j down passes over sessions without reading them.
const PASSING = 120;

class SessionsPage {
  #refused = false;
  // The list's line of the shown session, also while the list does not hold it.
  #line = { slot: null, row: undefined };
  #asked = 0;
  #passing = null;
  #enabled = null;
  // What the address said of it when it was followed last.
  #addressed = location.search;
  #banner = new Banner();
  #connection = new Connection();
  #switch = new Switch((enabled) => this.#switched(enabled));
  #list = new SessionList(document.getElementById("sessions"), {
    opened: (slot) => this.#open(slot),
    changed: () => this.#listed(),
    failed: (error) => this.#listFailed(error),
  });
  #pane = new Pane(document.getElementById("summary"), {
    rowOf: (slot) => this.#rowOf(slot),
    missing: () => void this.#askEnabled(),
    enabled: (enabled) => this.#isEnabled(enabled),
    switched: (enabled) => this.#switched(enabled),
    made: () => this.#list.refresh(),
    back: () => this.#back(),
  });
  #live = new Live({
    event: (type, data) => this.#happened(type, data),
    switched: (enabled) => this.#switched(enabled),
    lost: () => this.#lost(),
    connected: (connected) => this.#connected(connected),
  });

  async start() {
    addEventListener("popstate", () => this.#followAddress());
    whenSignedOut(() => this.#signedOut());
    listenToKeys("sessions", {
      j: () => this.#move(1),
      k: () => this.#move(-1),
      Enter: (event) => this.#enter(event),
      "/": () => this.#search(),
      r: () => void this.#pane.refresh(),
      Escape: () => this.#pane.slot !== null && !wide.matches && this.#back(),
    });
    this.#refused = (await adoptToken()).refused;
    this.#live.start();
    this.#showAddressed();
    const loaded = this.#list.load();
    makeFormats();
    await loaded;
    // It lays the list out: not before the summary is asked for and drawn.
    requestAnimationFrame(() => this.#list.revealSelected());
  }

  // A link within the page changes the address too, but not the session.
  #followAddress() {
    if (location.search !== this.#addressed) this.#showAddressed();
  }

  #showAddressed() {
    this.#addressed = location.search;
    const slot = new URLSearchParams(location.search).get("slot");
    if (slot) {
      this.#show(slot);
      this.#list.revealSelected();
    } else if (wide.matches && this.#list.rows.length > 0) this.#show(this.#list.rows[0].key);
    else this.#showList();
  }

  #show(slot) {
    document.body.classList.add("reading");
    this.#list.select(slot);
    void this.#pane.show(slot);
    if (this.#list.loaded) this.#findStray();
  }

  #showList() {
    document.body.classList.remove("reading");
    this.#showNothing();
  }

  // With no session chosen the pane says what there is to do first.
  #showNothing() {
    if (this.#enabled === false) this.#pane.showOff();
    else this.#pane.clear({ none: this.#list.isEmpty });
  }

  #open(slot) {
    clearTimeout(this.#passing);
    if (slot !== this.#pane.slot || !document.body.classList.contains("reading")) this.#address("pushState", slotHref(slot));
    this.#show(slot);
    if (wide.matches) return;
    scrollTo(0, 0);
    document.getElementById("summary").focus({ preventScroll: true });
  }

  #back() {
    this.#address("pushState", "/");
    this.#showList();
    this.#list.focusSelected();
  }

  #move(by) {
    if (!wide.matches && document.body.classList.contains("reading")) return;
    const slot = this.#list.move(by);
    clearTimeout(this.#passing);
    if (slot === null || !wide.matches) return;
    this.#passing = setTimeout(() => {
      this.#address("replaceState", slotHref(slot));
      this.#show(slot);
    }, PASSING);
  }

  #address(how, href) {
    history[how](null, "", href);
    this.#addressed = location.search;
  }

  // On a row, Enter opens it and goes into its summary; anywhere else it is the browser's.
  #enter({ target }) {
    const row = target.closest?.("a.row");
    if (!row) return false;
    this.#open(row.dataset.slot);
    document.getElementById("summary").focus({ preventScroll: true });
    return true;
  }

  #search() {
    if (!wide.matches && document.body.classList.contains("reading")) this.#back();
    this.#list.filters.search.focus();
    this.#list.filters.search.select();
  }

  #rowOf(slot) {
    const row = this.#list.find(slot);
    if (row !== null) this.#line = { slot, row };
    return this.#line.slot === slot ? this.#line.row : undefined;
  }

  #listed() {
    this.#banner.show(this.#list.notices);
    // Of a session that turned private nothing is kept here either, whether or not it is shown.
    for (const { key, reason } of this.#list.rows) if (reason !== null) forget(key);
    const { slot } = this.#pane;
    if (slot === null) {
      if (wide.matches && this.#list.rows.length > 0) this.#show(this.#list.rows[0].key);
      else {
        this.#showNothing();
        void this.#askEnabled();
      }
      return;
    }
    this.#pane.draw();
    this.#findStray();
  }

  // The shown session may stand beyond the loaded rows, or the filters leave it out.
  async #findStray() {
    const { slot } = this.#pane;
    if (this.#list.find(slot) !== null) return;
    const number = ++this.#asked;
    const { row } = await findRow(slot);
    // A late answer is older than what is known, and one that tells nothing changes nothing.
    if (number !== this.#asked || slot !== this.#pane.slot || row === undefined) return;
    this.#line = { slot, row };
    this.#pane.draw();
  }

  // With no summary shown nothing tells yet whether the feature is on.
  async #askEnabled() {
    if (this.#enabled !== null) return;
    const { enabled } = await readOpenItems(null).catch(() => ({ enabled: null }));
    this.#isEnabled(enabled);
    if (this.#pane.slot === null) this.#showNothing();
  }

  #isEnabled(enabled) {
    if (enabled === null) return;
    this.#enabled = enabled;
    this.#switch.is(enabled);
  }

  #switched(enabled) {
    this.#isEnabled(enabled);
    this.#lost();
  }

  #listFailed(error) {
    this.#list.showFailure(error);
    if (this.#pane.slot !== null) this.#findStray();
  }

  #signedOut() {
    this.#live.stop();
    document.body.classList.add("signed-out");
    askToSignIn(document.getElementById("summary"), this.#refused);
  }

  #connected(connected) {
    this.#connection.is(connected);
    this.#pane.connected(connected);
  }

  #lost() {
    this.#pane.lost();
    this.#list.refresh();
  }

  #happened(type, { key, running }) {
    if (type === "session_deleted") {
      this.#list.remove(key);
      if (this.#line.slot === key) this.#line = { slot: key, row: null };
      this.#pane.deleted(key);
    } else {
      if (type === "session_turn") this.#list.setRunning(key, running);
      if (type !== "session_title") this.#pane.changed(key);
    }
    this.#list.refresh();
  }
}

fillTexts();
keepTimesTrue();
reloadOnToken();
await new SessionsPage().start();
