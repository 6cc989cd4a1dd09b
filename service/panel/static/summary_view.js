// The summary of one session, drawn: a function of what is known of it.

import { h, said, separated, tell } from "./dom.js";
import { anchorOf, aside, chips, intentView, stepView } from "./intents.js";
import { later } from "./later.js";
import { noticeOf } from "./notices.js";
import { projectName } from "./projects.js";
import { agentName, nameOf, runningMark } from "./rows.js";
import { marks } from "./since.js";
import { hasSummary } from "./standing.js";
import { momentTag, timeTag } from "./times.js";
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
    shown && !entry.noMarkdown && copyButton(entry, act),
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

// Stays in the focus order while it can do nothing, so that a screen reader hears why.
function copyButton({ online }, act) {
  const barred = online ? {} : { "aria-disabled": "true", title: T.needsService };
  const click = online ? act.copy : () => tell(T.needsService);
  return h("button", { type: "button", class: "plain copy", "data-keep": "copy", ...barred, on: { click } }, T.copy);
}

function summaryOf(entry, row, act) {
  const { body } = entry;
  const marked = marks(entry.seen, body);
  return [
    sinceView(entry, marked),
    openItemsView(entry, row, marked, () => act.openTurn(row?.user_turns ?? body.user_turns)),
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
  const parts = T.sinceCounts(counts).map((words) => unbroken(words));
  const list = parts.flatMap((part, at) => (at === 0 ? [part] : [", ", part]));
  return h("p", { class: "since", "data-since": "" }, T.since(momentTag(entry.seen.generated_at), list));
}

function openItemsView(entry, row, marked, readLast) {
  const goals = entry.body.intents.map((intent, at) => ({ intent, at, mark: marked[at] }));
  const waiting = goals.filter(({ intent }) => OPEN_STATES.includes(intent.state));
  const items = waiting.reduce((sum, { intent }) => sum + intent.next_steps.length, 0);
  const count = items > 0 && h("span", { class: "count" }, T.openItemsCount(items));
  return h(
    "section",
    { class: "open-items", "aria-labelledby": "open-items-title" },
    h("h2", { id: "open-items-title" }, T.openItems, count),
    OPEN_STATES.map((state) => waitingView(state, waiting.filter(({ intent }) => intent.state === state))),
    waiting.length === 0 && h("p", { class: "nothing-open" }, nothingOpenWords(entry, row)),
    items === 0 && readLastButton(readLast),
  );
}

// Of turns that no summary has read nobody knows what waits in them.
function nothingOpenWords({ body, making }, row) {
  if (!body.stale && !making) return T.nothingOpen;
  return T.nothingWasOpen(row === null ? 0 : row.user_turns - body.user_turns);
}

/** The goals of one state: their steps, then those of which the summary names no step. */
function waitingView(state, goals) {
  const named = goals.filter(({ intent }) => intent.next_steps.length > 0);
  const unnamed = goals.filter(({ intent }) => intent.next_steps.length === 0);
  return [
    named.length > 0 && h("ol", {}, named.map(openItemsOf)),
    unnamed.length > 0 && unnamedView(state, unnamed),
  ];
}

function readLastButton(click) {
  return h("button", { type: "button", class: "plain read-last", "data-keep": "read-last", on: { click } }, T.readLast);
}

function unnamedView(state, goals) {
  const more = goals.length - MOST_UNNAMED;
  const lines = goals
    .slice(0, MOST_UNNAMED)
    .map((goal) =>
      h(
        "li",
        { class: `open-item ${state}`, dir: "auto" },
        goalLine(goal),
        aside(T.stands, goal.intent.progress.at(-1)),
      ),
    );
  return [
    h("p", { class: "nothing-open" }, T.unnamed[state](goals.length)),
    h("ul", { class: "unnamed" }, lines, more > 0 && h("li", { class: "of more-unnamed" }, T.andMore(more))),
  ];
}

// The goal is named once, behind the last of its steps.
function openItemsOf(goal) {
  const { state, next_steps: steps } = goal.intent;
  const last = steps.at(-1);
  return steps.map((step) =>
    h("li", { class: `open-item ${state}`, dir: "auto" }, stepView(step), step === last && goalLine(goal)),
  );
}

function goalLine({ intent, at, mark }) {
  return h("p", { class: "of goal-line" }, chips(intent, mark), intentLink(intent, at));
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

/** Words that stay on one line. */
function unbroken(...words) {
  return h("span", { class: "unbroken" }, words);
}

function footView(entry) {
  const { body } = entry;
  const { generator, coverage } = body;
  const outline = generator?.engine === "outline";
  const parts = [
    unbroken(T.made, " ", timeTag(body.generated_at)),
    generator && (outline ? T.byOutline : T.byEngine(generator.model ?? generator.engine)),
    unbroken(T.covers(body.user_turns)),
    coverage?.excerpted > 0 && unbroken(T.excerpted(coverage.excerpted)),
    coverage?.left_out > 0 && unbroken(T.leftOut(coverage.left_out)),
    !outline && unbroken(costOf(body)),
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
