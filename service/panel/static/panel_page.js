// The page at `/panel/{slot}`: one session's summary alone, for a host to embed.

import { Banner } from "./banner.js";
import { fillTexts } from "./dom.js";
import { findRow } from "./find_row.js";
import { Connection } from "./header.js";
import { listenToKeys } from "./keyboard.js";
import { Live } from "./live.js";
import { Pane } from "./pane.js";
import { adoptToken, askToSignIn, reloadOnToken, whenSignedOut } from "./sign_in.js";
import { keepTimesTrue, makeFormats } from "./times.js";

const PREFIX = "/panel/";

class PanelPage {
  #slot;
  #refused = false;
  #asked = 0;
  #row;
  #banner = new Banner();
  #connection = new Connection();
  #root = document.getElementById("summary");
  #pane = new Pane(this.#root, {
    rowOf: () => this.#row,
    missing: () => {},
    enabled: () => {},
    switched: () => this.#lost(),
    made: () => void this.#readRow(),
    back: null,
  });
  #live = new Live({
    event: (type, data) => this.#happened(type, data),
    switched: () => this.#lost(),
    lost: () => this.#lost(),
    connected: (connected) => this.#connected(connected),
  });

  constructor(slot) {
    this.#slot = slot;
  }

  async start() {
    whenSignedOut(() => this.#signedOut());
    listenToKeys("panel", {
      j: () => this.#move(1),
      k: () => this.#move(-1),
      r: () => void this.#pane.refresh(),
    });
    this.#refused = (await adoptToken()).refused;
    this.#live.start();
    const read = [this.#pane.show(this.#slot), this.#readRow()];
    makeFormats();
    await Promise.all(read);
  }

  async #readRow() {
    const number = ++this.#asked;
    const { row, notices } = await findRow(this.#slot);
    // An answer that comes late is older than what is known, and one that tells nothing changes nothing.
    if (number !== this.#asked || row === undefined) return;
    this.#row = row;
    this.#banner.show(notices);
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
    askToSignIn(this.#root, this.#refused);
  }

  #connected(connected) {
    this.#connection.is(connected);
    this.#pane.connected(connected);
  }

  #lost() {
    this.#pane.lost();
    void this.#readRow();
  }

  #happened(type, { key, running }) {
    if (key !== this.#slot) return this.#pane.changed(key);
    if (type === "session_turn" && this.#row) this.#row = { ...this.#row, running };
    if (type === "session_deleted") {
      this.#row = null;
      this.#pane.deleted(key);
    } else this.#pane.changed(key);
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
