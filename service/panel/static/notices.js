// What is said above a summary, or in its place: one notice per state.

import { h, said } from "./dom.js";
import { hasSummary, mayMake, stateOf } from "./standing.js";
import { T } from "./texts.js";

/** The notice for the session's state; null where the summary is fresh. */
export function noticeOf(entry, row, act) {
  const state = stateOf(entry, row);
  const build = NOTICES[state];
  return build === undefined ? null : h("section", { class: `notice ${state}`, "data-state": state }, build(entry, row, act));
}

const NOTICES = {
  unread: () => h("p", { class: "waiting" }, T.loading),
  unreadable: ({ failure }, _, act) => [title(T.readFailedTitle), why(failure), retryButton(T.retry, act.read)],
  gone: ({ gone }) =>
    gone === "deleted" ? [title(T.goneTitle), h("p", {}, T.goneWhy)] : [title(T.unknownTitle), h("p", {}, T.unknownWhy)],
  off: (_, __, act) => [title(T.offTitle), h("p", {}, T.offWhy), button(T.switchOn, act.switchOn)],
  making: () => [h("p", { class: "waiting" }, h("strong", {}, T.generating), " ", T.generatingWhy)],
  failed: failedNotice,
  barred: (_, row) => [title(T.noneReason), said("p", {}, row.reason)],
  running: () => [title(T.noneTitle), h("p", {}, T.noneRunning), waitingButton(T.make)],
  "too-few": (_, row) => [title(T.noneTitle), h("p", {}, row ? T.noneTooFew(row.user_turns) : T.noneTooFewUnknown)],
  stale: staleNotice,
  none: (entry, row, act) => [title(T.noneTitle), h("p", {}, T.noneReady), button(T.make, act.make)],
};

function staleNotice({ body }, row, act) {
  const reason = body.stale_reason === "rewritten" ? "rewritten" : "appended";
  const head = [h("strong", {}, T.staleTitle[reason]), " ", T.staleWhy[reason]];
  if (body.generate_state === "too_few_turns") return h("p", {}, head, " ", T.staleTooFew);
  if (row?.running) return [h("p", {}, h("strong", {}, T.staleTitle[reason]), " ", T.staleRunning), waitingButton(T.refresh)];
  return [h("p", {}, head), button(T.refresh, act.make)];
}

function failedNotice(entry, row, act) {
  const { failure } = entry;
  const seconds = Math.ceil((failure.notBefore - Date.now()) / 1000);
  return [
    title(T.failedTitle),
    why(failure),
    hasSummary(entry.body) && h("p", {}, T.failedKept),
    failure.retry && seconds > 0 && h("p", {}, T.retryIn(seconds)),
    mayMake(entry, row, Date.now()) && button(T.retry, act.make),
  ];
}

function why(failure) {
  return said("p", {}, T.failures[failure.reason] ?? failure.message);
}

function title(words) {
  return h("h2", {}, words);
}

function button(words, click) {
  return h("button", { type: "button", class: "primary", "data-keep": "act", on: { click } }, words);
}

function retryButton(words, click) {
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
