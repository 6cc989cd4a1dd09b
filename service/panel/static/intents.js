// One intent as the page shows it: what was asked, where it stands, what shows it, what to do next.

import { h, outward, said, separated } from "./dom.js";
import { isDoubted, verdict } from "./evidence.js";
import { stateChip } from "./rows.js";
import { T, span } from "./texts.js";

/** The place of an intent in the page, for links from the open items. */
export function anchorOf(at) {
  return `intent-${at + 1}`;
}

/** An intent; a dropped one is a line that unfolds. `mark` is what happened to it since the person left. */
export function intentView(intent, at, mark, openTurn) {
  const head = [h("span", { class: "intent-title" }, intent.title), chips(intent, mark)];
  if (intent.state === "dropped") {
    return h(
      "details",
      { class: "intent dropped", id: anchorOf(at), "data-keep": anchorOf(at) },
      h("summary", {}, h("h3", { dir: "auto" }, head)),
      h("div", { class: "intent-body" }, turnsLine(intent, openTurn), parts(intent, openTurn)),
    );
  }
  return h(
    "article",
    { class: `intent ${intent.state}`, id: anchorOf(at), tabindex: "-1" },
    h("h3", { dir: "auto" }, head),
    turnsLine(intent, openTurn),
    parts(intent, openTurn),
  );
}

/** How it stands, and what happened to it since the person left; "Now needs you" says both. */
export function chips(intent, mark) {
  const { state } = intent;
  if (mark === "needs") return h("span", { class: `chip ${state} mark needs` }, T.marks.needs);
  return [stateChip(state, { doubted: isDoubted(intent) }), mark && h("span", { class: `mark ${mark}` }, T.marks[mark])];
}

function turnsLine(intent, openTurn) {
  const { origin_turn: origin } = intent;
  const ranges = mergedRanges(intent.ranges);
  if (ranges.length === 0) return h("p", { class: "turns" }, T.noTurns);
  const one = ranges.length === 1 && ranges[0][0] === ranges[0][1];
  const buttons = ranges.map((range) => turnButton(range[0], span(range), T.openTurns(range), openTurn));
  return h(
    "p",
    { class: "turns" },
    separated([
      h("span", {}, one ? T.intentTurn : T.intentTurns, " ", commas(buttons)),
      ranges.length > 1 && T.resumed(ranges.length - 1),
      origin && origin !== ranges[0][0] && h("span", {}, T.began, " ", turnLink(origin, openTurn)),
    ]),
  );
}

/** The ranges in order, those that overlap or follow each other without a gap as one: only a gap is a pause. */
function mergedRanges(ranges) {
  const merged = [];
  for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1] + 1) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function commas(nodes) {
  return nodes.flatMap((node, at) => (at === 0 ? [node] : [", ", node]));
}

/** A turn number that opens its exchange. */
export function turnLink(turn, openTurn) {
  return turnButton(turn, T.turn(turn), T.openTurn(turn), openTurn);
}

function turnButton(turn, words, label, openTurn) {
  const on = { click: () => openTurn(turn) };
  return h("button", { type: "button", class: "turn", title: label, on }, words);
}

function parts(intent, openTurn) {
  const proof = proofOf(intent, openTurn);
  return h(
    "dl",
    { class: "parts" },
    intent.initial_intent && part(T.askedFor, said("p", {}, intent.initial_intent)),
    intent.progress.length > 0 && part(T.stands, list(intent.progress)),
    proof && part(T.checked, proof),
    intent.next_steps.length > 0 && part(inferredLabel(), stepsList(intent.next_steps)),
  );
}

function part(label, content) {
  return h("div", { class: "part" }, h("dt", {}, label), h("dd", {}, content));
}

function list(lines) {
  return h("ul", {}, lines.map((line) => said("li", {}, line)));
}

function inferredLabel() {
  return [T.next, h("span", { class: "inferred", title: T.inferredWhy }, T.inferred)];
}

function stepsList(steps) {
  return h(
    "ol",
    { class: "steps" },
    steps.map((step) => h("li", { dir: "auto" }, stepView(step), aside(T.expect, step.expect))),
  );
}

/** What to do and why; its direction is that of the list item it stands in, whose mark must be on the same side. */
export function stepView({ what, why }) {
  return [h("p", { class: "what" }, what), aside(T.because, why)];
}

/** A labelled line of its own; nothing where there is nothing to say. */
export function aside(label, text) {
  return text ? h("p", { class: "aside" }, h("span", { class: "aside-label" }, label), " ", said("bdi", {}, text)) : null;
}

function proofOf(intent, openTurn) {
  const found = verdict(intent);
  const evidence = intent.evidence ?? [];
  if (found === null && evidence.length === 0) return null;
  return [found && verdictLine(found, openTurn), evidence.length > 0 && evidenceList(evidence, openTurn)];
}

// What is neither a good sign nor an open question has no mark.
const SIGNS = { confirmed: "good", passed: "neutral" };

function verdictLine({ word, fact }, openTurn) {
  const sentence = T.evidence[word];
  const words = typeof sentence === "function" ? sentence(turnLink(fact.turn, openTurn), runOf(fact)) : sentence;
  return h("p", { class: `verdict ${SIGNS[word] ?? "open"}`, "data-verdict": word }, words);
}

function runOf(fact) {
  return h("span", {}, said("code", {}, fact.text), " ", T.results[fact.result] ?? "");
}

function evidenceList(evidence, openTurn) {
  const lines = evidence.map((fact) => h("li", {}, turnLink(fact.turn, openTurn), " ", factView(fact)));
  return h("details", { class: "evidence" }, h("summary", {}, T.allEvidence(evidence.length)), h("ul", {}, lines));
}

/** A fact in words; its text is shown as it is, only a pull request's address is a link. */
export function factView(fact) {
  const text = fact.kind === "opened_pr" ? outward(fact.text) : said("code", {}, fact.text);
  const result = fact.kind === "ran" && T.results[fact.result];
  return h("span", { class: `fact ${fact.result ?? ""}` }, T.facts[fact.kind] ?? fact.kind, " ", text, result && ` ${result}`);
}
