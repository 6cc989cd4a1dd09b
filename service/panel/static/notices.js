// What is said above a summary, or in its place: one notice per state.

import { h, said } from "./dom.js";
import { hasSummary, mayMake, stateOf } from "./standing.js";
import { T } from "./texts.js";
import { againWords, timeTag } from "./times.js";

/** The notice for the session's state; null where the summary is fresh. */
export function noticeOf(entry, row, act) {
  const state = stateOf(entry, row);
  const build = NOTICES[state];
  if (build === undefined) return null;
  const kept = hasSummary(entry.body) ? " kept" : "";
  return h("section", { class: `notice ${state}${kept}`, "data-state": state }, build(entry, row, act));
}

/** Said in place of a summary while no session is chosen. */
export function chooseNotice() {
  return h("section", { class: "notice choose" }, title(T.chooseTitle), h("p", {}, T.chooseWhy));
}

/** Said where there is no session yet. */
export function firstNotice() {
  const [words, command] = T.firstCheck;
  return h(
    "section",
    { class: "notice first-session" },
    title(T.firstTitle),
    h("p", {}, T.firstWhy),
    h("p", {}, words),
    h("code", {}, command),
  );
}

const NOTICES = {
  unread: () => h("p", { class: "waiting" }, T.loading),
  unreadable: ({ failure }, _, act) => [title(T.readFailedTitle), why(failure), plainButton(T.retry, act.read)],
  gone: ({ gone }) => [title(T.gone[gone].title), h("p", {}, T.gone[gone].why)],
  off: ({ online }, _, act) => [title(T.offTitle), h("p", {}, T.offWhy), online && button(T.switchOn, act.switchOn)],
  making: () => [h("p", { class: "waiting" }, h("strong", {}, T.generating), " ", T.generatingWhy)],
  failed: failedNotice,
  barred: (_, row) => [title(T.noneReason), said("p", {}, T.noneWhy(row.reason))],
  running: () => [title(T.noneTitle), h("p", {}, T.noneRunning), waitingButton(T.make)],
  "too-few": tooFewNotice,
  stale: staleNotice,
  none: (entry, row, act) => [title(T.noneTitle), h("p", {}, T.noneReady), makeButton(T.make, entry, row, act)],
};

function tooFewNotice(_, row, act) {
  if (row === null) return [title(T.noneTitle), h("p", {}, T.noneTooFewUnknown)];
  const last = row.user_turns;
  if (last === 0) return [title(T.noneTitle), h("p", {}, T.noneSaid)];
  return [
    title(T.noneTitle),
    h("p", {}, T.noneTooFew(last)),
    plainButton(T.readLast, () => act.openTurn(last)),
  ];
}

function staleNotice(entry, row, act) {
  const { body } = entry;
  const head = staleWords(body, row);
  if (body.generate_state === "too_few_turns") return h("p", {}, head, " ", T.staleTooFew);
  if (row?.running) return [h("p", {}, head[0], " ", T.staleRunning), waitingButton(T.refresh)];
  return [h("p", {}, head), makeButton(T.refresh, entry, row, act)];
}

/** [what happened, what the summary lacks] */
export function staleSentences(body, row) {
  const reason = body.stale_reason === "rewritten" ? "rewritten" : "appended";
  const added = row === null ? 0 : row.user_turns - body.user_turns;
  return [T.staleTitle[reason], T.staleWhy[reason](added)];
}

function staleWords(body, row) {
  const [happened, lacks] = staleSentences(body, row);
  return [h("strong", {}, happened), " ", lacks];
}

function failedNotice(entry, row, act) {
  const { body, failure } = entry;
  const again = failure.retry && failure.notBefore > Date.now() && againWords(failure.notBefore);
  const button = row?.running ? waitingButton(T.retry) : makeButton(T.retry, entry, row, act);
  if (!hasSummary(body)) return [title(T.failedTitle), why(failure), again && h("p", {}, again), button];
  return [title(T.renewalFailedTitle), why(failure, again, body.stale && staleWords(body, row)), button];
}

/** Why it failed, and what to do. */
export function failureWords({ reason, message }) {
  return T.failures[reason] ?? message;
}

function why(failure, ...more) {
  const sentences = [coded(failureWords(failure)), failure.at !== null && timeTag(failure.at, T.tried), ...more];
  return h("p", { dir: "auto" }, sentences.map((words) => words && [words, " "]));
}

/** What stands between backticks is what one types. */
function coded(words) {
  return words.split("`").map((part, at) => (at % 2 === 0 ? part : h("code", {}, part)));
}

function makeButton(words, entry, row, act) {
  return mayMake(entry, row, Date.now()) && button(words, act.make);
}

function title(words) {
  return h("h2", {}, words);
}

function button(words, click) {
  return h("button", { type: "button", class: "primary", "data-keep": "act", on: { click } }, words);
}

function plainButton(words, click) {
  return h("button", { type: "button", class: "plain", "data-keep": "act", on: { click } }, words);
}

// Stays in the focus order, so that a screen reader hears why it does nothing.
function waitingButton(words) {
  return h(
    "button",
    { type: "button", class: "primary", "aria-disabled": "true", title: T.refreshRunning, "data-keep": "act" },
    words,
  );
}
