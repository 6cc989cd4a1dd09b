// The summary of one session, drawn: a function of what is known of it.

import { h, said, separated } from "./dom.js";
import { anchorOf, aside, intentView } from "./intents.js";
import { noticeOf } from "./notices.js";
import { agentName, nameOf, projectName, runningMark, stateChip } from "./rows.js";
import { marks } from "./since.js";
import { hasSummary } from "./standing.js";
import { timeTag } from "./times.js";
import { LANGUAGE, T } from "./texts.js";

// What may be cut off by its line clamp can be read whole by pointing at it.
const LONG_NAME = 120;
const OPEN_STATES = ["needs-you", "in-progress"];

/** Everything the pane shows. `act` holds what buttons do: make, read, switchOn, openTurn, copy, back. */
export function summaryView(entry, row, act) {
  const { body } = entry;
  const shown = entry.gone === null && hasSummary(body) && body.enabled;
  return [
    headView(entry, row, shown, act),
    noticeOf(entry, row, act),
    shown && summaryOf(entry, act),
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
    row.headline && row.title && row.title !== name && said("bdi", {}, row.title),
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

function summaryOf(entry, act) {
  const { body } = entry;
  const marked = marks(entry.seen, body);
  return [
    sinceView(entry, marked),
    openItemsView(body.intents),
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
  const counts = { new: 0, changed: 0, needs: 0 };
  for (const mark of marked) if (mark !== null) counts[mark] += 1;
  if (counts.new + counts.changed + counts.needs === 0) return null;
  const sentence = timeTag(entry.seen.generated_at, (when) => T.since(when, counts));
  return h("p", { class: "since", "data-since": "" }, sentence);
}

function openItemsView(intents) {
  const items = OPEN_STATES.flatMap((state) =>
    intents.flatMap((intent, at) =>
      intent.state === state ? intent.next_steps.map((step) => openItem(step, intent, at)) : [],
    ),
  );
  const count = items.length > 0 && h("span", { class: "count" }, T.openItemsCount(items.length));
  return h(
    "section",
    { class: "open-items", "aria-labelledby": "open-items-title" },
    h("h2", { id: "open-items-title" }, T.openItems, count),
    items.length > 0 ? h("ol", {}, items) : h("p", { class: "nothing-open" }, nothingOpenWords(intents)),
  );
}

/** A goal may need the person though its summary names no step. */
function nothingOpenWords(intents) {
  const needing = intents.filter(({ state }) => state === "needs-you").length;
  return needing > 0 ? T.openUnnamed(needing) : T.nothingOpen;
}

function openItem(step, intent, at) {
  return h(
    "li",
    { class: `open-item ${intent.state}` },
    said("p", { class: "what" }, step.what),
    aside(T.because, step.why),
    h("p", { class: "of" }, stateChip(intent.state), " ", intentLink(intent, at)),
  );
}

function intentLink(intent, at) {
  const go = (event) => {
    event.preventDefault();
    const target = document.getElementById(anchorOf(at));
    target?.scrollIntoView({ block: "start" });
    target?.focus({ preventScroll: true });
  };
  return said("a", { href: `#${anchorOf(at)}`, on: { click: go } }, intent.title);
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
const dollars = new Intl.NumberFormat(LANGUAGE, { style: "currency", currency: "USD", maximumSignificantDigits: 2 });

function costOf({ cost_usd: cost }) {
  return typeof cost === "number" ? T.cost(dollars.format(cost)) : T.costUnknown;
}
