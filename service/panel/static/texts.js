// Every word the page says, in one place. To translate the page, translate this file and change LANGUAGE.

import { later } from "./later.js";

export const LANGUAGE = "en";

// A browser takes tens of milliseconds to make its first format: not before the service was asked for what is shown.
const numbers = later(() => new Intl.NumberFormat(LANGUAGE));
const plurals = later(() => new Intl.PluralRules(LANGUAGE));

/** "1 turn", "3 turns". */
function counted(n, one, other) {
  return `${numbers().format(n)} ${plurals().select(n) === "one" ? one : other}`;
}

/** "1–14" */
export function span([start, end]) {
  return start === end ? numbers().format(start) : `${numbers().format(start)}–${numbers().format(end)}`;
}

export const T = {
  product: "Session Summary",
  pageTitle: (name) => `${name} · Session Summary`,
  navigation: "Pages",
  sessions: "Sessions",
  openItems: "Open items",
  summary: "Summary",
  skipToSummary: "Skip to the summary",
  keysMark: "?",
  keys: "Keyboard",
  close: "Close",
  hide: "Hide",
  back: "All sessions",
  loading: "Loading…",
  justNow: "just now",
  separator: " · ",

  offline: "The service does not answer. Trying again…",
  needsService: "The service does not answer; this works again as soon as it does.",

  agents: {
    "claude-code": "Claude Code",
    codex: "Codex",
    gemini: "Gemini CLI",
    opencode: "OpenCode",
    pi: "pi",
    openclaw: "OpenClaw",
    copilot: "Copilot CLI",
    kiro: "Kiro CLI",
    amazonq: "Amazon Q",
    kirocrew: "KiroCrew",
    cursor: "Cursor",
    aider: "Aider",
    host: "Host",
  },
  states: { "needs-you": "Needs you", "in-progress": "In progress", done: "Done", dropped: "Dropped" },

  // The list
  search: "Search sessions",
  anyAgent: "Any agent",
  anyProject: "Any project",
  agent: "Agent",
  project: "Project",
  stateFilter: "State",
  anyState: "All",
  needsFirst: "Needs you first",
  needsYou: "Needs you",
  others: "Everything else",
  more: "Show more",
  running: "working",
  open: (n) => `${numbers().format(n)} open`,
  noSessions: "No sessions yet",
  noSessionsWhy: "They appear here as soon as an agent on this machine works, or a host sends one.",
  listFailed: "The sessions could not be read",
  listOutdated: "The sessions could not be read again; these may have changed",
  noMatch: "No session matches",
  clearFilters: "Clear search and filters",
  firstTitle: "Waiting for the first session",
  firstWhy: "Work with an agent on this machine, or let a host send a session; its summary is shown here.",
  firstCheck: ["To see which agents were found, and where they were looked for:", "session-summary doctor"],
  listed: (n, all) => `${counted(n, "session", "sessions")}${all ? "" : " so far"}`,

  // The summary
  chooseTitle: "Choose a session",
  chooseWhy: "Its summary is shown here: why the work began, where it stands, what to do next.",
  turns: (n) => counted(n, "turn", "turns"),
  openItemsCount: (n) => numbers().format(n),
  nothingOpen: "Nothing waits for you in this session.",
  nothingWasOpen: (added) =>
    `Nothing waited for you when this summary was made${added > 0 ? `; ${counted(added, "turn", "turns")} came since` : ""}.`,
  unnamed: {
    "needs-you": (n) => `No next step named; ${counted(n, "goal needs", "goals need")} you:`,
    "in-progress": (n) => `No next step named; ${counted(n, "goal", "goals")} in progress:`,
  },
  andMore: (n) => `and ${numbers().format(n)} more below`,
  readLast: "Read the last turn",
  intents: "What this session is about",
  intentTurns: "turns",
  intentTurn: "turn",
  turn: (n) => `turn ${numbers().format(n)}`,
  openTurns: (range) => `Read turns ${span(range)}`,
  openTurn: (n) => `Read turn ${numbers().format(n)}`,
  noTurns: "turns not known",
  resumed: (n) => (n === 1 ? "resumed once" : `resumed ${numbers().format(n)} times`),
  began: "began in",
  askedFor: "You asked for",
  stands: "Where it stands",
  checked: "What shows it",
  next: "Suggested next",
  inferred: "inferred",
  inferredWhy: "Suggested by the summary; nobody said it in the session.",
  because: "Why",
  expect: "Expect",
  constraints: "How this project works",
  allEvidence: (n) => `What the tools show (${numbers().format(n)})`,

  evidence: {
    confirmed: (turn, run) => ["Confirmed in ", turn, ": ", run],
    passed: (turn, run) => ["In ", turn, ": ", run],
    passedOnly: (turn, run) => ["Not confirmed as a whole; in ", turn, ": ", run],
    contradicted: (turn, run) => ["Said to be verified, but in ", turn, ": ", run],
    failed: (turn, run) => ["Not confirmed; in ", turn, ": ", run],
    saidOnly: ["Said to be verified, nothing shows it"],
    unverified: ["Not verified yet"],
  },
  results: { passed: "passed", failed: "failed", unknown: "result unknown" },
  facts: {
    edited: "edited",
    committed: "committed",
    pushed: "pushed",
    opened_pr: "opened",
    ran: "ran",
    denied: "you refused",
    answered: "you chose",
  },

  // Since you left
  marks: { new: "New", changed: "Changed", needs: "Now needs you" },
  since: (when, counts) => ["Since your last look (summary of ", when, "): ", counts, "."],
  sinceCounts: (counts) => {
    const parts = [];
    if (counts.needs) parts.push(`${counted(counts.needs, "goal now needs", "goals now need")} you`);
    if (counts.newNeeding) parts.push(`${numbers().format(counts.newNeeding)} new that ${counts.newNeeding === 1 ? "needs" : "need"} you`);
    if (counts.new) parts.push(`${numbers().format(counts.new)} new`);
    if (counts.changed) parts.push(`${numbers().format(counts.changed)} changed`);
    return parts;
  },

  // Footer
  made: "Made",
  byEngine: (model) => `by ${model}`,
  byOutline: "by the built-in outline, in the session's own words, without a model",
  covers: (n) => `covers ${counted(n, "turn", "turns")}`,
  excerpted: (n) => `${numbers().format(n)} in part`,
  leftOut: (n) => `${numbers().format(n)} left out`,
  cost: (usd) => `cost ${usd}`,
  costUnknown: "its model has no known price",

  // States
  offTitle: "Summaries are off",
  offWhy:
    "While they are off, sessions are still read and stored on this machine, but no summary is made or shown. Switched on, a summary is made when a turn ends; where a model is configured that spends its tokens.",
  switchOn: "Switch summaries on",
  switchLabel: "Summaries",
  switchFailed: (why) => `The switch could not be changed: ${why}`,
  noneTitle: "No summary yet",
  noneReady: "One is made when the next turn ends, or now.",
  noneSaid: "Nothing was said yet.",
  noneTooFew: (n) =>
    `The session has ${counted(n, "turn", "turns")} so far; a summary is made when it has more (setting session_summary.min_user_turns).`,
  noneTooFewUnknown: "A summary is made when the session has more turns (setting session_summary.min_user_turns).",
  noneRunning: "The agent is working. A summary can be made when its turn has ended.",
  noneReason: "Nothing to sum up",
  noneWhy: (reason) => `${reason.charAt(0).toLocaleUpperCase(LANGUAGE)}${reason.slice(1)}.`,
  make: "Make a summary",
  generating: "A summary is being made…",
  generatingWhy: "It appears here by itself.",
  staleTitle: { appended: "The session went on.", rewritten: "The session was rewritten." },
  staleWhy: {
    appended: (n) =>
      n > 0
        ? `${counted(n, "turn was", "turns were")} added after this summary was made.`
        : "Something was added after this summary was made.",
    rewritten: () => "Messages this summary was made from were changed or taken back.",
  },
  staleTooFew: "It now has too few turns for another one (setting session_summary.min_user_turns).",
  staleRunning: "The agent is working; the summary can be renewed when its turn has ended.",
  refresh: "Refresh",
  refreshRunning: "The agent is working: wait until its turn has ended",
  upToDate: "Up to date",
  firstMade: "The summary was made",
  updated: "The summary was updated",
  failedTitle: "No summary was made",
  renewalFailedTitle: "The summary could not be renewed",
  tried: (when) => `It was tried ${when}.`,
  retry: "Try again",
  retryIn: (seconds) => `It can be tried again in ${counted(seconds, "second", "seconds")}.`,
  retryAt: (moment, away) => `It can be tried again at ${moment} (${away}).`,
  gone: {
    deleted: { title: "This session was deleted", why: "This service keeps nothing of it." },
    missing: {
      title: "This session is not here any more",
      why: "It was deleted, or this service began with an empty store.",
    },
    unknown: {
      title: "No such session",
      why: "It was deleted, or it never was on this service. If it arrives, it is shown here.",
    },
  },
  readFailedTitle: "The summary could not be read",
  signInTitle: "This page needs its token",
  signInWhy: "Open it by the address that the service prints when it starts; the token stands at its end:",
  signInAgain: "Or ask for the token again, and put it behind this page's address as #token=…:",
  signInRefused: "The token in the address was not accepted; perhaps it belongs to another data folder.",

  failures: {
    queue_full: "Too many summaries wait already. Try again in a moment.",
    budget: "Today's token budget is used up. Raise the setting daily_token_budget, or wait until tomorrow (UTC).",
    moved: "The session moved on meanwhile. Try again.",
    too_few_turns: "The session has too few turns. Go on in it, or lower the setting session_summary.min_user_turns.",
    memory_mode: "The session is private; nothing is made of it.",
    model_overloaded: "The model is overloaded. Try again later.",
    model_timeout: "The model did not answer in time. Try again, or choose a faster one (setting models.background).",
    model_unreachable: "The model could not be reached. Check the network and its address (setting anthropic.base_url).",
    model_cut: "The model's answer broke off. Try again.",
    model_refused: "The model refused to answer. Try again, or choose another model (setting models.background).",
    model_truncated:
      "The model's answer did not fit. Lower session_summary.max_input_chars or max_intents, then try again.",
    model_auth: "The model side refused the key. Check ANTHROPIC_API_KEY and start the service again.",
    model_error:
      "The model side answered with an error. Check models.background and anthropic.base_url; `session-summary doctor` shows them.",
    reply_unusable:
      "The model's answer held no usable summary. Try again, or choose another model (setting models.background).",
    reply_ambiguous: "The model's answer held two different summaries. Try again.",
    deadline: "It took too long. Try again, or raise the setting pass_deadline_seconds.",
    store_busy: "The store is busy; nothing was changed. Try again in a moment.",
    store_full: "The store cannot be written: the disk is full or read-only. Make room, then try again.",
    unreachable: "The service does not answer. Is it still running?",
  },

  // Markdown
  copy: "Copy as Markdown",
  copied: "Copied",
  copyFailed: (why) => `It could not be copied: ${why}`,
  copyTitle: "The summary as Markdown",
  copyByHand: "This browser did not let the page copy it. Copy it from here:",

  // The exchange
  exchange: (n) => `Turn ${numbers().format(n)}`,
  exchangeEmpty: "Nothing of this turn is stored.",
  exchangeRewritten: "The session was rewritten after this summary was made: the words may have changed.",
  exchangeBeyond: (last) => `The session has only ${counted(last, "turn", "turns")} now: this one was taken back.`,
  previous: "Previous turn",
  following: "Next turn",
  speakers: { person: "You", automation: "Automation", assistant: "Agent" },

  // Open items over all sessions
  itemsTitle: "Open items",
  itemsWhy: "Finished work that needs you; goals in progress stay with their session. The longest waiting comes first.",
  itemsNone: "Nothing waits for you",
  itemsUnnamed: "No next step named",
  itemsUnnamedWhy: (n) => `${counted(n, "session needs", "sessions need")} you, and the summary does not say for what:`,
  itemsNoneWhy: "No finished work is waiting to be checked.",
  itemsFailed: "The open items could not be read",
  itemsOutdated: "The open items could not be read again; these may have changed",
  waiting: (when) => `last worked on ${when}`,

  shortcuts: {
    sessions: [
      ["j", "next session"],
      ["k", "previous session"],
      ["Enter", "go into its summary"],
      ["/", "search"],
      ["r", "refresh the summary"],
      ["?", "show these keys"],
      ["Esc", "close, or leave the search"],
    ],
    items: [
      ["j", "next open item"],
      ["k", "previous open item"],
      ["Enter", "open its session"],
      ["r", "read the open items again"],
      ["?", "show these keys"],
      ["Esc", "close"],
    ],
    panel: [
      ["j", "next goal"],
      ["k", "previous goal"],
      ["r", "refresh the summary"],
      ["?", "show these keys"],
      ["Esc", "close"],
    ],
  },
};
