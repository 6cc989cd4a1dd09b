// The page at `/`: the list on the left, the summary of the selected session on the right.

import { readOpenItems } from "./api.js";
import { Banner } from "./banner.js";
import { fillTexts } from "./dom.js";
import { Connection, Switch, wireKeysButton } from "./header.js";
import { listenToKeys } from "./keyboard.js";
import { SessionList } from "./list.js";
import { Live } from "./live.js";
import { Pane } from "./pane.js";
import { adoptToken, reloadOnToken, signInNotice } from "./sign_in.js";
import { slotHref } from "./rows.js";
import { keepTimesTrue } from "./times.js";
import { findRow } from "./find_row.js";

// Below this width there is room for one of the two; layout.css breaks at the same.
const wide = matchMedia("(min-width: 45rem)");
// Someone who holds j down passes over sessions without reading them.
const PASSING = 120;

class SessionsPage {
  #refused = false;
  #strayRow = null;
  #passing = null;
  #enabled = null;
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
    signedOut: () => this.#signedOut(),
    missing: () => void this.#askEnabled(),
    enabled: (enabled) => this.#isEnabled(enabled),
    switched: (enabled) => this.#switched(enabled),
    made: () => this.#list.refresh(),
    back: () => this.#back(),
  });
  #live = new Live({
    event: (type, data) => this.#happened(type, data),
    lost: () => this.#lost(),
    connected: (connected) => this.#connection.is(connected),
  });

  async start() {
    addEventListener("popstate", () => this.#showAddressed());
    listenToKeys({
      j: () => this.#move(1),
      k: () => this.#move(-1),
      Enter: (event) => this.#enter(event),
      "/": () => this.#search(),
      r: () => void this.#pane.refresh(),
      Escape: () => this.#pane.slot !== null && !wide.matches && this.#back(),
    });
    this.#refused = (await adoptToken()).refused;
    await this.#live.start();
    this.#showAddressed();
    await this.#list.load();
    this.#list.revealSelected();
  }

  #showAddressed() {
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
  }

  #showList() {
    document.body.classList.remove("reading");
    this.#pane.clear();
  }

  #open(slot) {
    clearTimeout(this.#passing);
    if (slot !== this.#pane.slot || !document.body.classList.contains("reading")) history.pushState(null, "", slotHref(slot));
    this.#show(slot);
    if (wide.matches) return;
    scrollTo(0, 0);
    document.getElementById("summary").focus({ preventScroll: true });
  }

  #back() {
    history.pushState(null, "", "/");
    this.#showList();
    this.#list.focusSelected();
  }

  #move(by) {
    if (!wide.matches && document.body.classList.contains("reading")) return;
    const slot = this.#list.move(by);
    clearTimeout(this.#passing);
    if (slot === null || !wide.matches) return;
    this.#passing = setTimeout(() => {
      history.replaceState(null, "", slotHref(slot));
      this.#show(slot);
    }, PASSING);
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
    return this.#list.find(slot) ?? (this.#strayRow?.key === slot ? this.#strayRow : null);
  }

  #listed() {
    this.#banner.show(this.#list.notices);
    const { slot } = this.#pane;
    if (slot === null) {
      if (wide.matches && this.#list.rows.length > 0) this.#show(this.#list.rows[0].key);
      else void this.#askEnabled();
      return;
    }
    if (this.#list.find(slot) === null) void this.#findStray(slot);
    else this.#pane.draw();
  }

  // The shown session stands beyond the loaded rows, or the filters leave it out.
  async #findStray(slot) {
    this.#strayRow = await findRow(slot);
    this.#pane.draw();
  }

  // With no summary shown nothing tells yet whether the feature is on.
  async #askEnabled() {
    if (this.#enabled !== null) return;
    const { enabled } = await readOpenItems(null).catch(() => ({ enabled: null }));
    this.#isEnabled(enabled);
    if (enabled === false && this.#pane.slot === null) this.#pane.showOff();
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
    if (error.status === 401) return this.#signedOut();
    this.#list.showFailure(error);
  }

  #signedOut() {
    this.#live.stop();
    document.body.classList.add("signed-out");
    document.getElementById("summary").replaceChildren(signInNotice(this.#refused));
  }

  #lost() {
    this.#pane.lost();
    this.#list.refresh();
  }

  #happened(type, { key, running }) {
    if (type === "session_deleted") {
      this.#list.remove(key);
      this.#pane.deleted(key);
      return;
    }
    if (type === "session_turn") this.#list.setRunning(key, running);
    if (type !== "session_title") this.#pane.changed(key);
    this.#list.refresh();
  }
}

fillTexts();
keepTimesTrue();
reloadOnToken();
wireKeysButton();
await new SessionsPage().start();
