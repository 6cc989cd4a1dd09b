// The summary of one session, drawn: a function of what is known of it.

import { h, said, separated } from "./dom.js";
import { anchorOf, aside, intentView, stepView } from "./intents.js";
import { later } from "./later.js";
import { noticeOf } from "./notices.js";
import { projectName } from "./projects.js";
import { agentName, nameOf, runningMark, stateChip } from "./rows.js";
import { marks } from "./since.js";
import { hasSummary } from "./standing.js";
import { timeTag } from "./times.js";
import { LANGUAGE, T } from "./texts.js";

// What may be cut off by its line clamp can be read whole by pointing at it.
const LONG_NAME = 120;
const OPEN_STATES = ["needs-you", "in-progress"];
const MOST_UNNAMED = 3;

/** Everything the pane shows. `act` holds what buttons do: make, read, switchOn, openTurn, copy, back. */
export function summaryView(entry, row, act) {
  const { body } = entry;
  const shown = entry.gone === null && hasSummary(body) && body.enabled;
  return [
    headView(entry, row, shown, act),
    noticeOf(entry, row, act),
    shown && summaryOf(entry, row, act),
  ];
}

function headView(entry, row, shown, act) {
  const back = act.back && h("button", { type: "button", class: "back", on: { click: act.back } }, T.back);
  const name = row === null ? entry.slot : nameOf(row);
  return h(
    "header",
    { class: "pane-head" },
    back,
    said("h1", { title: name.length > LONG_NAME && name }, name),
    row && factsOf(row, name),
    shown && !entry.noMarkdown && copyButton(act),
  );
}

function factsOf(row, name) {
  const facts = [
    row.headline && row.title && !row.title.startsWith(name) && said("bdi", { title: row.title }, row.title),
    said("bdi", {}, agentName(row.source)),
    row.project && said("bdi", { title: row.project }, projectName(row.project)),
    h("span", {}, T.turns(row.user_turns)),
    row.running ? runningMark() : timeTag(row.last_activity),
  ];
  return h("p", { class: "pane-facts" }, separated(facts));
}

function copyButton(act) {
  return h("button", { type: "button", class: "plain copy", "data-keep": "copy", on: { click: act.copy } }, T.copy);
}

function summaryOf(entry, row, act) {
  const { body } = entry;
  const marked = marks(entry.seen, body);
  return [
    sinceView(entry, marked),
    openItemsView(body.intents, () => act.openTurn(row?.user_turns ?? body.user_turns)),
    h(
      "section",
      { class: "intents" },
      h("h2", {}, T.intents),
      body.intents.map((intent, at) => intentView(intent, at, marked[at], act.openTurn)),
    ),
    body.constraints.length > 0 && constraintsView(body.constraints),
    footView(entry),
  ];
}

function sinceView(entry, marked) {
  const counts = { needs: 0, newNeeding: 0, new: 0, changed: 0 };
  marked.forEach((mark, at) => {
    const needing = mark === "new" && entry.body.intents[at].state === "needs-you";
    if (mark !== null) counts[needing ? "newNeeding" : mark] += 1;
  });
  if (marked.every((mark) => mark === null)) return null;
  const sentence = timeTag(entry.seen.generated_at, (when) => T.since(when, counts));
  return h("p", { class: "since", "data-since": "" }, sentence);
}

function openItemsView(intents, readLast) {
  const waiting = OPEN_STATES.flatMap((state) =>
    intents.flatMap((intent, at) => (intent.state === state ? [{ intent, at }] : [])),
  );
  const items = waiting.flatMap(({ intent, at }) => openItemsOf(intent, at));
  const unnamed = waiting.filter(({ intent }) => intent.next_steps.length === 0);
  const count = items.length > 0 && h("span", { class: "count" }, T.openItemsCount(items.length));
  return h(
    "section",
    { class: "open-items", "aria-labelledby": "open-items-title" },
    h("h2", { id: "open-items-title" }, T.openItems, count),
    items.length > 0 && h("ol", {}, items),
    waiting.length === 0 && h("p", { class: "nothing-open" }, T.nothingOpen),
    unnamed.length > 0 && unnamedView(unnamed, items.length > 0),
    items.length === 0 && readLastButton(readLast),
  );
}

function readLastButton(click) {
  return h("button", { type: "button", class: "plain read-last", "data-keep": "read-last", on: { click } }, T.readLast);
}

/** Goals that wait for the person or go on though their summary names no step. */
function unnamedView(goals, besides) {
  const needing = goals.filter(({ intent }) => intent.state === "needs-you").length;
  const more = goals.length - MOST_UNNAMED;
  return [
    h("p", { class: "nothing-open" }, besides ? T.unnamedToo(goals.length) : T.unnamed(needing, goals.length - needing)),
    h(
      "ul",
      { class: "unnamed" },
      goals.slice(0, MOST_UNNAMED).map(({ intent, at }) =>
        h("li", { dir: "auto" }, goalLine(intent, at), aside(T.stands, intent.progress.at(-1))),
      ),
      more > 0 && h("li", { class: "of" }, T.andMore(more)),
    ),
  ];
}

// The goal is named once, behind the last of its steps.
function openItemsOf(intent, at) {
  const last = intent.next_steps.at(-1);
  return intent.next_steps.map((step) =>
    h(
      "li",
      { class: `open-item ${intent.state}`, dir: "auto" },
      stepView(step),
      step === last && goalLine(intent, at),
    ),
  );
}

function goalLine(intent, at) {
  return h("p", { class: "of goal-line" }, stateChip(intent.state), intentLink(intent, at));
}

function intentLink(intent, at) {
  const go = (event) => {
    event.preventDefault();
    const target = document.getElementById(anchorOf(at));
    target?.scrollIntoView({ block: "start" });
    target?.focus({ preventScroll: true });
  };
  return said("a", { href: `#${anchorOf(at)}`, title: intent.title, on: { click: go } }, intent.title);
}

function constraintsView(constraints) {
  return h(
    "section",
    { class: "constraints" },
    h("h2", {}, T.constraints),
    h("ul", {}, constraints.map((line) => said("li", {}, line))),
  );
}

function footView(entry) {
  const { body } = entry;
  const { generator, coverage } = body;
  const outline = generator?.engine === "outline";
  const parts = [
    h("span", {}, T.made, " ", timeTag(body.generated_at)),
    generator && (outline ? T.byOutline : T.byEngine(generator.model ?? generator.engine)),
    T.covers(body.user_turns),
    coverage?.excerpted > 0 && T.excerpted(coverage.excerpted),
    coverage?.left_out > 0 && T.leftOut(coverage.left_out),
    !outline && costOf(body),
  ];
  return h("footer", { class: "foot" }, separated(parts));
}

// Cents say nothing of a tenth of one: small amounts keep two significant digits.
const dollars = later(
  () => new Intl.NumberFormat(LANGUAGE, { style: "currency", currency: "USD", maximumSignificantDigits: 2 }),
);

function costOf({ cost_usd: cost }) {
  return typeof cost === "number" ? T.cost(dollars().format(cost)) : T.costUnknown;
}
