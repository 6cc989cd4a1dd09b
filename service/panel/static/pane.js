// The summary pane: which session it shows, what is known of it, and how that is kept true.

import { Announcer } from "./announcements.js";
import { ApiError, readSummary } from "./api.js";
import { askForSummary } from "./asking.js";
import { copyMarkdown } from "./copying.js";
import { Countdown } from "./countdown.js";
import { closeText, openExchange } from "./dialogs.js";
import { Entries } from "./entries.js";
import { switchTo } from "./header.js";
import { failureInTheWay } from "./ledger.js";
import { Looks } from "./looks.js";
import { chooseNotice, firstNotice, noticeOf } from "./notices.js";
import { redraw } from "./patch.js";
import { Repeated } from "./repeated.js";
import { nameOf } from "./rows.js";
import { forget, lastSeen, remember } from "./since.js";
import { failureOf, hasSummary, mayMake, newEntry, stateOf, wantsPass } from "./standing.js";
import { summaryView } from "./summary_view.js";
import { T } from "./texts.js";

// Other tabs of this browser hear here that a summary is asked for: no frame says so.
const others = new BroadcastChannel("session-summary");

/**
 * `heard`: `rowOf(slot)` gives the list's line, null where there is none, undefined before that is known;
 * `missing()` where there is no such session; `enabled(boolean)` as each answer says it; `switched(boolean)` after the
 * switch was used; `made(slot)` when a pass ended; `back()`, or null where there is none.
 */
export class Pane {
  #root;
  #heard;
  #entries = new Entries();
  #shown = null;
  #reading = new Repeated((entry) => this.#readOnce(entry));
  #asking = null;
  #online = true;
  // After news of a session a pass may begin at any moment.
  #unsettled = false;
  #looks = new Looks(() => this.#lookAgain());
  #countdown = new Countdown(() => this.draw());
  #announcer = new Announcer();

  constructor(root, heard) {
    this.#root = root;
    this.#heard = heard;
    others.addEventListener("message", ({ data }) => this.changed(data));
    addEventListener("pagehide", () => this.#leave());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#leave() : this.#comeBack()));
  }

  get slot() {
    return this.#shown?.slot ?? null;
  }

  /** Shows a session: what is known of it at once, what the store says as soon as it answers. */
  show(slot) {
    if (slot !== this.slot) this.#turnTo(slot);
    this.#shown.due = true;
    // Asked for before anything is drawn.
    const reading = this.read();
    this.draw();
    return reading;
  }

  #turnTo(slot) {
    const first = this.#shown === null;
    this.#leave();
    closeText();
    this.#shown = this.#entries.of(slot);
    this.#unsettled = false;
    this.#comeBack();
    // What was unfolded was another session's.
    redraw(this.#root);
    // It lays the page out, which would hold up the very first summary.
    if (!first) this.#root.scrollTop = 0;
  }

  /** Shows no session; where there is `none` yet, how the first one comes. */
  clear({ none = false } = {}) {
    this.#leave();
    this.#shown = null;
    this.#looks.goOn(false);
    document.title = T.product;
    redraw(this.#root, none ? firstNotice() : chooseNotice());
  }

  /** Says that the feature is off, where there is no session yet that could. */
  showOff() {
    const off = { ...newEntry(""), body: { enabled: false } };
    redraw(this.#root, noticeOf(off, null, { switchOn: () => this.#switchOn() }));
  }

  /** Something happened to a session; of one that is not shown, nothing is read until it is. */
  changed(slot) {
    if (slot === this.slot) this.#shown.due = this.#unsettled = true;
    // The service answers again, it seems.
    else if (!this.#shown?.unread) return;
    // What is asked for here is read when it was answered.
    if (!this.#shown.making) void this.read();
  }

  /** A session was deleted: nothing of it stays here either. */
  deleted(slot) {
    forget(slot);
    this.#entries.forget(slot);
    if (slot !== this.slot) return;
    this.#shown = { ...newEntry(slot), gone: "deleted" };
    this.draw();
  }

  /** Frames may have been missed: everything is read again before it is believed. */
  lost() {
    this.#entries.keepOnly(this.#shown);
    if (this.#shown === null) return;
    this.#shown.due = true;
    void this.read();
  }

  /** Whether the service answers: nothing is offered that needs it while it does not. */
  connected(online) {
    this.#online = online;
    this.draw();
  }

  draw() {
    if (this.#shown === null) return;
    const row = this.#row();
    const entry = Object.assign(this.#shown, { listed: row !== undefined, online: this.#online });
    const state = stateOf(entry, row ?? null);
    redraw(this.#root, summaryView(entry, row ?? null, this.#actions()));
    this.#root.dataset.state = state;
    document.title = T.pageTitle(row ? nameOf(row) : entry.slot);
    const wantsLook = state === "making" ? !entry.making : this.#unsettled && wantsPass(entry);
    this.#looks.goOn(entry.unread || wantsLook);
    if (!hasSummary(entry.body)) closeText();
    this.#countdown.to(entry.failure?.notBefore ?? 0);
    this.#announcer.drawn(entry, state, row ?? null);
  }

  #row() {
    return this.#heard.rowOf(this.slot);
  }

  /** What the key r does: makes a summary where one can be made, else looks whether there is news. */
  async refresh() {
    const entry = this.#shown;
    if (entry === null) return;
    if (!this.#mayMake()) {
      // What stood in the way may not stand there any more.
      entry.due = true;
      await this.read();
      await this.#asking;
    }
    if (entry !== this.#shown) return;
    const row = this.#row() ?? null;
    if (this.#mayMake()) void this.#make();
    else this.#announcer.answer(entry, stateOf(entry, row), row);
  }

  #mayMake() {
    return mayMake(this.#shown, this.#row() ?? null, Date.now());
  }

  /** Reads the shown summary; a call while one is under way makes it read once more afterwards. */
  read() {
    return this.#reading.of(this.#shown);
  }

  async #readOnce(entry) {
    if (entry === null) return;
    try {
      const read = await readSummary(entry.slot, entry.etag);
      entry.unread = false;
      if (read !== null) this.#take(entry, read.body, read.etag);
      else if (entry.failure?.reason === "unreachable") entry.failure = null;
    } catch (error) {
      this.#readFailed(entry, error);
    }
    if (entry !== this.#shown) return;
    this.draw();
    this.#asking = this.#askLedger(entry);
  }

  // A summary that is not fresh may have a reason, which only the ledger remembers.
  async #askLedger(entry) {
    if (!entry.due || entry.making || !wantsPass(entry)) return;
    entry.due = false;
    const before = entry.failure;
    const failure = await failureInTheWay(entry.slot, entry.body);
    if (entry.due) return;
    entry.told = true;
    // What was tried meanwhile is newer.
    if (!entry.making && entry.failure === before) entry.failure = failure;
    if (entry === this.#shown) this.draw();
  }

  #take(entry, body, etag) {
    // A failure is told until the summary it failed to make is there.
    if (body.generated_at !== entry.body?.generated_at || entry.body === null) entry.failure = null;
    Object.assign(entry, { body, etag, gone: null });
    this.#heard.enabled(body.enabled);
    // Of a session that turned private nothing is kept here either.
    if (body.enabled && !hasSummary(body)) {
      forget(entry.slot);
      entry.seen = null;
    }
    if (entry !== this.#shown) return;
    if (entry.seen?.known_since === body.known_since || document.hidden) return;
    // A first visit to this session: what it shows is what later summaries are compared with.
    remember(entry.slot, body);
    entry.seen = lastSeen(entry.slot);
  }

  #readFailed(entry, error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) {
      const gone = entry.gone ?? (entry.body === null ? "unknown" : "missing");
      Object.assign(entry, newEntry(entry.slot), { gone });
      this.#heard.missing();
      return forget(entry.slot);
    }
    entry.unread = true;
    if (entry.body === null) entry.failure = failureOf(error, Date.now());
  }

  async #make() {
    const entry = this.#shown;
    Object.assign(entry, { making: true, failure: null, due: true });
    this.draw();
    others.postMessage(entry.slot);
    try {
      const made = await askForSummary(entry.slot);
      if (made !== null) this.#take(entry, made, null);
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
    if (error.status === 404) return this.#readFailed(entry, error);
    // These are states, which the next read shows with their own words.
    if (["in_flight", "running", "disabled"].includes(error.reason)) return this.#heard.made(entry.slot);
    Object.assign(entry, { failure: failureOf(error, Date.now()), due: false });
  }

  #lookAgain() {
    this.#unsettled = false;
    this.#shown.due = true;
    void this.read();
  }

  #actions() {
    const entry = this.#shown;
    return {
      make: () => this.#make(),
      read: () => this.read(),
      switchOn: () => this.#switchOn(),
      copy: () => this.#copy(entry),
      openTurn: (turn) => this.#openTurn(entry, turn),
      back: this.#heard.back,
    };
  }

  async #switchOn() {
    const enabled = await switchTo(true);
    if (enabled !== null) this.#heard.switched(enabled);
  }

  #openTurn({ slot, body }, turn) {
    const rewritten = body.stale_reason === "rewritten";
    openExchange(slot, turn, this.#row()?.user_turns ?? body.user_turns, { rewritten });
  }

  async #copy(entry) {
    if (await copyMarkdown(entry.slot, this.#root)) return;
    entry.noMarkdown = true;
    this.draw();
  }

  // What is shown counts as seen when the person looks away from it, not before: until then marks stay.
  #leave() {
    if (this.#shown !== null) remember(this.#shown.slot, this.#shown.body);
  }

  #comeBack() {
    if (this.#shown !== null) this.#shown.seen = lastSeen(this.#shown.slot);
  }
}
