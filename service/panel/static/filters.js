// What narrows the sessions list: search, agent, project, state, and what needs the person first.

import { h, said } from "./dom.js";
import { learnProjects, projectName } from "./projects.js";
import { agentName } from "./rows.js";
import { T } from "./texts.js";

const NEEDS_FIRST = "session-summary:needs-first";
const TYPING_PAUSE = 150;

/** The filters' own elements; `changed` is called with what is wanted. */
export class Filters {
  #changed;
  #timer = null;
  #known = { source: new Set(), project: new Set() };

  constructor(changed) {
    this.#changed = changed;
    this.wanted = { q: "", source: "", project: "", state: "", needsFirst: stored() };
    this.search = h("input", {
      type: "search",
      class: "search",
      placeholder: T.search,
      "aria-label": T.search,
      autocomplete: "off",
      spellcheck: "false",
      on: { input: () => this.#typed() },
    });
    this.source = this.#select("source", T.agent, T.anyAgent);
    this.project = this.#select("project", T.project, T.anyProject);
    this.states = h("div", { class: "states", role: "group", "aria-label": T.stateFilter });
    this.first = h("input", { type: "checkbox", on: { change: () => this.#toggled() } });
    this.first.checked = this.wanted.needsFirst;
    this.element = h(
      "form",
      { class: "filters", role: "search", on: { submit: (event) => event.preventDefault() } },
      this.search,
      h("div", { class: "selects" }, this.source, this.project),
      h("div", { class: "narrowing" }, this.states, h("label", { class: "first" }, this.first, T.needsFirst)),
    );
    this.#showStates();
  }

  get narrowed() {
    const { q, source, project, state } = this.wanted;
    return Boolean(q || source || project || state);
  }

  clear() {
    this.search.value = this.source.value = this.project.value = "";
    this.#want({ q: "", source: "", project: "", state: "" });
  }

  /** Offers the agents and projects that were seen so far. */
  learn(rows) {
    this.#offer(this.source, "source", rows, agentName);
    if (learnProjects(rows)) this.#renameProjects();
    this.#offer(this.project, "project", rows, projectName);
  }

  // One that was seen first may need more of its path, now that there is another of its name.
  #renameProjects() {
    for (const option of this.project.options) if (option.value) option.textContent = projectName(option.value);
  }

  #offer(select, name, rows, shown) {
    const known = this.#known[name];
    const found = rows.map((row) => row[name]).filter((value) => value && !known.has(value));
    for (const value of new Set(found)) {
      known.add(value);
      select.append(said("option", { value, title: value }, shown(value)));
    }
    // One agent or one project is no choice.
    select.hidden = known.size < 2 && select.value === "";
  }

  #select(name, label, any) {
    const on = { change: ({ target }) => this.#want({ [name]: target.value }) };
    return h("select", { "aria-label": label, hidden: true, on }, h("option", { value: "" }, any));
  }

  #showStates() {
    const choices = [["", T.anyState], ...Object.entries(T.states)];
    this.states.replaceChildren(
      ...choices.map(([state, words]) =>
        h(
          "button",
          {
            type: "button",
            class: "choice",
            "aria-pressed": String(this.wanted.state === state),
            on: { click: () => this.#chooseState(state) },
          },
          words,
        ),
      ),
    );
  }

  #chooseState(state) {
    const focused = [...this.states.children].indexOf(document.activeElement);
    this.#want({ state: this.wanted.state === state ? "" : state });
    this.states.children[focused]?.focus();
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#want({ q: this.search.value.trim() }), TYPING_PAUSE);
  }

  #toggled() {
    this.#want({ needsFirst: this.first.checked });
    try {
      localStorage.setItem(NEEDS_FIRST, this.first.checked ? "1" : "");
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  #want(some) {
    this.wanted = { ...this.wanted, ...some };
    this.#showStates();
    this.first.disabled = this.wanted.state !== "";
    this.#changed(this.wanted);
  }
}

function stored() {
  try {
    return localStorage.getItem(NEEDS_FIRST) === "1";
  } catch {
    return false;
  }
}
