// The page at `/panel/{slot}`: one session's summary alone, for a host to embed.

import { fillTexts } from "./dom.js";
import { findRow } from "./find_row.js";
import { Connection } from "./header.js";
import { listenToKeys } from "./keyboard.js";
import { Live } from "./live.js";
import { Pane } from "./pane.js";
import { adoptToken, reloadOnToken, signInNotice } from "./sign_in.js";
import { keepTimesTrue } from "./times.js";

const PREFIX = "/panel/";

class PanelPage {
  #slot;
  #refused = false;
  #row = null;
  #connection = new Connection();
  #root = document.getElementById("summary");
  #pane = new Pane(this.#root, {
    rowOf: () => this.#row,
    signedOut: () => this.#signedOut(),
    missing: () => {},
    enabled: () => {},
    switched: () => this.#lost(),
    made: () => void this.#readRow(),
    back: null,
  });
  #live = new Live({
    event: (type, data) => this.#happened(type, data),
    lost: () => this.#lost(),
    connected: (connected) => this.#connection.is(connected),
  });

  constructor(slot) {
    this.#slot = slot;
  }

  async start() {
    listenToKeys({
      j: () => this.#move(1),
      k: () => this.#move(-1),
      r: () => void this.#pane.refresh(),
    });
    this.#refused = (await adoptToken()).refused;
    await this.#live.start();
    await Promise.all([this.#pane.show(this.#slot), this.#readRow()]);
  }

  async #readRow() {
    this.#row = await findRow(this.#slot);
    this.#pane.draw();
  }

  /** From intent to intent. */
  #move(by) {
    const intents = [...this.#root.querySelectorAll("article.intent, details.intent > summary")];
    const at = intents.findIndex((intent) => intent.contains(document.activeElement));
    const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), intents.length - 1);
    intents[to]?.focus();
  }

  #signedOut() {
    this.#live.stop();
    this.#root.replaceChildren(signInNotice(this.#refused));
  }

  #lost() {
    this.#pane.lost();
    void this.#readRow();
  }

  #happened(type, { key, running }) {
    if (key !== this.#slot) return;
    if (type === "session_deleted") return this.#pane.deleted(key);
    if (type === "session_turn" && this.#row !== null) this.#row = { ...this.#row, running };
    this.#pane.changed(key);
    void this.#readRow();
  }
}

function addressedSlot() {
  const encoded = location.pathname.slice(PREFIX.length);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

fillTexts();
keepTimesTrue();
reloadOnToken();
await new PanelPage(addressedSlot()).start();
