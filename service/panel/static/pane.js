// The summary pane: which session it shows, what is known of it, and how that is kept true.

import { ApiError, lastPasses, makeSummary, readSummary, writeEnabled } from "./api.js";
import { copyMarkdown } from "./copying.js";
import { openExchange } from "./dialogs.js";
import { announce, h, refill } from "./dom.js";
import { Entries } from "./entries.js";
import { noticeOf } from "./notices.js";
import { forget, lastSeen, remember } from "./since.js";
import { failureOf, hasSummary, mayMake, newEntry, stateOf } from "./standing.js";
import { summaryView } from "./summary_view.js";
import { T } from "./texts.js";

// A pass that fails announces nothing, so while one runs the page asks: soon at first, then less often.
const FIRST_LOOK = 1_500;
const LONGEST_LOOK = 10_000;

/**
 * `heard`: `rowOf(slot)` gives the list's line or null; `signedOut()`; `missing()` where there is no such session;
 * `enabled(boolean)` as each answer says it;
 * `switched(boolean)` after the switch was used; `made(slot)` when a pass ended; `back()`, or null where there is none.
 */
export class Pane {
  #root;
  #heard;
  #entries = new Entries();
  #shown = null;
  #reading = null;
  #readAgain = false;
  #look = null;
  #lookPause = FIRST_LOOK;

  constructor(root, heard) {
    this.#root = root;
    this.#heard = heard;
    addEventListener("pagehide", () => this.#leave());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#leave() : this.#comeBack()));
  }

  get slot() {
    return this.#shown?.slot ?? null;
  }

  /** Shows a session: what is known of it at once, what the store says as soon as it answers. */
  show(slot) {
    if (slot === this.slot) return this.read();
    this.#leave();
    this.#shown = this.#entries.of(slot);
    this.#comeBack();
    this.#root.scrollTop = 0;
    this.draw();
    return this.read();
  }

  /** Shows no session. */
  clear() {
    this.#leave();
    this.#shown = null;
    const choose = h("section", { class: "notice choose" }, h("h2", {}, T.chooseTitle), h("p", {}, T.chooseWhy));
    this.#root.replaceChildren(choose);
  }

  /** Says that the feature is off, where there is no session yet that could. */
  showOff() {
    const off = { ...newEntry(""), body: { enabled: false } };
    this.#root.replaceChildren(noticeOf(off, null, { switchOn: () => this.#switchOn() }));
  }

  /** Something happened to a session; of one that is not shown, nothing is read until it is. */
  changed(slot) {
    if (slot === this.slot && this.#shown.gone === null) void this.read();
  }

  /** A session was deleted: nothing of it stays here either. */
  deleted(slot) {
    forget(slot);
    this.#entries.forget(slot);
    if (slot !== this.slot) return;
    this.#shown = { ...newEntry(slot), gone: "deleted" };
    this.draw();
    announce(T.goneTitle);
  }

  /** Frames may have been missed: everything is read again before it is believed. */
  lost() {
    this.#entries.keepOnly(this.#shown);
    if (this.#shown !== null) void this.read();
  }

  draw() {
    if (this.#shown === null) return;
    const row = this.#heard.rowOf(this.slot);
    refill(this.#root, summaryView(this.#shown, row, this.#actions()));
    this.#root.dataset.state = stateOf(this.#shown, row);
    this.#lookWhileMaking(row);
  }

  /** What the key r does: makes a summary where one can be made, else looks whether there is news. */
  async refresh() {
    if (this.#shown === null) return;
    if (mayMake(this.#shown, this.#heard.rowOf(this.slot), Date.now())) return void this.#make();
    await this.read();
    if (this.#shown !== null && stateOf(this.#shown, null) === "fresh") announce(T.upToDate);
  }

  /** Reads the shown summary; a call while one is under way makes it read once more afterwards. */
  read() {
    this.#readAgain = this.#reading !== null;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #readAll() {
    do {
      this.#readAgain = false;
      await this.#readOnce(this.#shown);
    } while (this.#readAgain);
  }

  async #readOnce(entry) {
    if (entry === null || entry.gone === "deleted") return;
    try {
      const read = await readSummary(entry.slot, entry.etag);
      if (read !== null) this.#take(entry, read.body, read.etag);
      else if (entry.failure?.reason === "unreachable") entry.failure = null;
    } catch (error) {
      this.#readFailed(entry, error);
    }
    if (entry === this.#shown) this.draw();
  }

  #take(entry, body, etag) {
    const news = hasSummary(entry.body) && hasSummary(body) && entry.body.generated_at !== body.generated_at;
    // A failure is told until the summary it failed to make is there.
    if (body.generated_at !== entry.body?.generated_at || entry.body === null) {
      entry.failure = null;
    }
    Object.assign(entry, { body, etag, gone: null });
    this.#heard.enabled(body.enabled);
    if (entry !== this.#shown) return;
    if (news) announce(T.updated);
    if (entry.seen !== null || document.hidden) return;
    // A first visit: what it shows is what later summaries are compared with.
    remember(entry.slot, body);
    entry.seen = lastSeen(entry.slot);
  }

  #readFailed(entry, error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) return this.#heard.signedOut();
    if (error.status === 404) {
      Object.assign(entry, newEntry(entry.slot), { gone: entry.body === null ? "unknown" : "deleted" });
      this.#heard.missing();
      return forget(entry.slot);
    }
    if (entry.body === null) entry.failure = failureOf(error, Date.now());
  }

  async #make() {
    const entry = this.#shown;
    Object.assign(entry, { making: true, failure: null });
    this.draw();
    try {
      this.#take(entry, await makeSummary(entry.slot), null);
      this.#heard.made(entry.slot);
    } catch (error) {
      this.#makeFailed(entry, error);
    } finally {
      entry.making = false;
    }
    // What the answer was made of may have moved on while it travelled.
    if (entry === this.#shown) await this.read();
  }

  #makeFailed(entry, error) {
    if (!(error instanceof ApiError)) throw error;
    if ([401, 404].includes(error.status)) return this.#readFailed(entry, error);
    // These are states, which the next read shows with their own words.
    if (["in_flight", "running", "disabled"].includes(error.reason)) return this.#heard.made(entry.slot);
    entry.failure = failureOf(error, Date.now());
    announce(T.failedTitle);
    if (entry.failure.notBefore > Date.now()) this.#countDown(entry);
  }

  #countDown(entry) {
    const timer = setInterval(() => {
      if (entry === this.#shown) this.draw();
      if (entry.failure === null || entry.failure.notBefore <= Date.now()) clearInterval(timer);
    }, 1000);
  }

  #lookWhileMaking(row) {
    const making = stateOf(this.#shown, row) === "making" && !this.#shown.making;
    if (!making) {
      clearTimeout(this.#look);
      this.#look = null;
      this.#lookPause = FIRST_LOOK;
    } else if (this.#look === null) {
      this.#look = setTimeout(() => this.#lookAgain(), this.#lookPause);
      this.#lookPause = Math.min(this.#lookPause * 1.5, LONGEST_LOOK);
    }
  }

  async #lookAgain() {
    const entry = this.#shown;
    const before = entry?.body?.generated_at;
    this.#look = null;
    await this.read();
    const over = entry === this.#shown && ["none", "stale"].includes(stateOf(entry, this.#heard.rowOf(entry.slot)));
    if (over && before === entry.body.generated_at) await this.#askWhyNothingCame(entry);
  }

  // The pass that was waited for is over and left no summary: the ledger knows its reason.
  async #askWhyNothingCame(entry) {
    const last = (await this.#passesOf(entry.slot)).find(({ trigger }) => trigger !== "title");
    if (last?.outcome !== "failed") return;
    entry.failure = failureOf({ reason: last.reason, retryAfter: null, message: last.reason }, Date.now());
    this.draw();
  }

  async #passesOf(slot) {
    try {
      return await lastPasses(slot);
    } catch (error) {
      if (error instanceof ApiError) return [];
      throw error;
    }
  }

  #actions() {
    const entry = this.#shown;
    return {
      make: () => this.#make(),
      read: () => this.read(),
      switchOn: () => this.#switchOn(),
      copy: () => this.#copy(entry),
      openTurn: (turn) => openExchange(entry.slot, turn, entry.body.user_turns),
      back: this.#heard.back,
    };
  }

  async #switchOn() {
    try {
      this.#heard.switched(await writeEnabled(true));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      announce(T.switchFailed(error.message));
      this.#root.querySelector(".notice")?.append(h("p", {}, T.switchFailed(error.message)));
    }
  }

  async #copy(entry) {
    try {
      const ended = await copyMarkdown(entry.slot);
      entry.noMarkdown = ended === "unknown";
      this.draw();
      if (ended !== "copied") return;
      this.#root.querySelector(".copy")?.replaceChildren(T.copied);
      announce(T.copied);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      announce(T.failures[error.reason] ?? error.message);
    }
  }

  // What is shown counts as seen when the person looks away from it, not before: until then marks stay.
  #leave() {
    if (this.#shown !== null) remember(this.#shown.slot, this.#shown.body);
  }

  #comeBack() {
    if (this.#shown !== null) this.#shown.seen = lastSeen(this.#shown.slot);
  }
}
