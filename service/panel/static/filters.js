// What narrows the sessions list: search, agent, project, state, and what needs the person first.

import { Choice } from "./choice.js";
import { h } from "./dom.js";
import { projectName } from "./projects.js";
import { agentName } from "./rows.js";
import { T } from "./texts.js";

const NEEDS_FIRST = "session-summary:needs-first";
const TYPING_PAUSE = 150;
// What the service takes.
const MOST_SEARCHED = 500;

/** The filters' own elements; `changed` is called with what is wanted. */
export class Filters {
  #changed;
  #timer = null;

  constructor(changed) {
    this.#changed = changed;
    this.wanted = { q: "", source: "", project: "", state: "", needsFirst: stored() };
    this.search = h("input", {
      type: "search",
      class: "search",
      maxlength: MOST_SEARCHED,
      placeholder: T.search,
      "aria-label": T.search,
      autocomplete: "off",
      spellcheck: "false",
      on: { input: () => this.#typed() },
    });
    this.source = new Choice(T.agent, T.anyAgent, (source) => this.#want({ source }));
    this.project = new Choice(T.project, T.anyProject, (project) => this.#want({ project }));
    this.states = h("div", { class: "states", role: "group", "aria-label": T.stateFilter });
    this.first = h("input", { type: "checkbox", on: { change: () => this.#toggled() } });
    this.first.checked = this.wanted.needsFirst;
    this.element = h(
      "form",
      { class: "filters", role: "search", on: { submit: (event) => event.preventDefault() } },
      this.search,
      h("div", { class: "selects" }, this.source.element, this.project.element),
      h("div", { class: "narrowing" }, this.states, h("label", { class: "first" }, this.first, T.needsFirst)),
    );
    this.#showStates();
  }

  get narrowed() {
    const { q, source, project, state } = this.wanted;
    return Boolean(q || source || project || state);
  }

  clear() {
    this.search.value = "";
    this.source.clear();
    this.project.clear();
    this.#want({ q: "", source: "", project: "", state: "" });
  }

  /** Offers the agents and projects that there are. */
  offer({ sources, projects }) {
    this.source.offer(sources, agentName);
    this.project.offer(projects, projectName);
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
