// One line of the sessions list.

import { h, said, separated } from "./dom.js";
import { timeTag } from "./times.js";
import { T } from "./texts.js";

/** What a session is called: its one-line title, else the title it gave itself, else its key. */
export function nameOf(row) {
  return row.headline || row.title || row.key;
}

export function agentName(source) {
  return T.agents[source] ?? source;
}

/** The last part of a path: projects differ there, and only it fits. */
export function projectName(project) {
  return project.split(/[/\\]/).filter(Boolean).at(-1) ?? project;
}

export function slotHref(slot) {
  return `/?${new URLSearchParams({ slot })}`;
}

export function stateChip(state) {
  return h("span", { class: `chip ${state}` }, T.states[state] ?? state);
}

/** The row as a list item; the selected one is the current one. */
export function listRow(row, { selected }) {
  return h(
    "li",
    {},
    h(
      "a",
      {
        class: "row",
        href: slotHref(row.key),
        "data-keep": row.key,
        "data-slot": row.key,
        "aria-current": selected && "true",
      },
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
