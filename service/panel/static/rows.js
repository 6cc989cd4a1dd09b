// One line of the sessions list.

import { h, said, separated } from "./dom.js";
import { projectName } from "./projects.js";
import { timeTag } from "./times.js";
import { T } from "./texts.js";

// What leaves nothing on the screen names nothing: zero-width characters, fillers, the empty Braille cell.
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** What a session is called: its one-line title, else the title it gave itself, else its key. */
export function nameOf({ headline, title, key }) {
  return [headline, title].find((name) => name && VISIBLE.test(name)) ?? key;
}

export function agentName(source) {
  return T.agents[source] ?? source;
}

export function slotHref(slot) {
  return `/?${new URLSearchParams({ slot })}`;
}

/** The state in a word; work that is done has a tick, unless that is doubted. */
export function stateChip(state, { doubted = false } = {}) {
  return h("span", { class: `chip ${state}${doubted ? " doubted" : ""}` }, T.states[state] ?? state);
}

/** The row as a list item. */
export function listRow(row) {
  return h(
    "li",
    {},
    h(
      "a",
      { class: "row", href: slotHref(row.key), "data-slot": row.key },
      said("span", { class: "row-name" }, nameOf(row)),
      h("span", { class: "row-time" }, row.running ? runningMark() : timeTag(row.last_activity)),
      h("span", { class: "row-facts" }, factsOf(row)),
    ),
  );
}

export function runningMark() {
  return h("span", { class: "working" }, T.running);
}

function factsOf(row) {
  const place = separated([
    said("bdi", {}, agentName(row.source)),
    row.project && said("bdi", { title: row.project }, projectName(row.project)),
  ]);
  return [
    row.state && stateChip(row.state),
    row.open_items > 0 && h("span", { class: "row-open" }, T.open(row.open_items)),
    h("span", { class: "row-place" }, row.reason ? said("span", {}, row.reason) : place),
  ];
}
