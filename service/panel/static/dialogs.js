// Windows above the page: one exchange of a session, the keys, text to copy by hand.

import { ApiError, readExchange } from "./api.js";
import { h, said, separated } from "./dom.js";
import { factView } from "./intents.js";
import { timeTag } from "./times.js";
import { T } from "./texts.js";

/** A modal dialog that is gone once closed; the browser gives the focus back to what opened it. */
function openDialog(kind, title, ...content) {
  const heading = h("h2", { id: "dialog-title" }, title);
  const close = h("button", { type: "button", class: "plain close", on: { click: () => dialog.close() } }, T.close);
  const dialog = h(
    "dialog",
    { class: kind, "aria-labelledby": "dialog-title", on: { close: () => dialog.remove(), click: outside } },
    h("header", {}, heading, close),
    ...content,
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function outside({ target, currentTarget }) {
  if (target === currentTarget) currentTarget.close();
}

/**
 * The stored messages of one exchange, with a way to its neighbours; `turns`: how many there are, or a promise of it;
 * `rewritten`: whether they may read otherwise than what led here. News of the session are followed while it is open.
 */
export function openExchange(slot, turn, turns, { rewritten = false } = {}) {
  const body = h("div", { class: "exchange-body", tabindex: "0" });
  const step = (to, words) => h("button", { type: "button", class: "plain", on: { click: () => show(to()) } }, words);
  // What lies beyond the last turn was taken back: one step leads over all of it.
  const steps = [step(() => Math.min(at - 1, last), T.previous), step(() => at + 1, T.following)];
  const note = rewritten && h("p", { class: "note" }, T.exchangeRewritten);
  const dialog = openDialog("exchange", T.exchange(turn), note, body, h("footer", {}, steps));
  let at = turn;
  let last = Infinity;
  const show = async (wanted) => {
    at = wanted;
    dialog.querySelector("h2").textContent = T.exchange(at);
    steps[0].disabled = at <= 1;
    steps[1].disabled = true;
    body.replaceChildren(h("p", { class: "waiting" }, T.loading));
    const [{ shown }, all] = await Promise.all([exchangeView(slot, wanted), turns]);
    // A quick second step overtakes the first.
    if (at !== wanted) return;
    last = all;
    steps[1].disabled = at >= last;
    body.replaceChildren(...(shown ?? [h("p", {}, at > last ? T.exchangeBeyond(last) : T.exchangeEmpty)]));
  };
  const look = async () => {
    const wanted = at;
    const { stored, shown } = await exchangeView(slot, wanted);
    if (at !== wanted || stored === null) return;
    // Of a session that is deleted or private nothing is stored, and so nothing stays here.
    if (!stored) dialog.close();
    else if (!isShown(shown, body)) body.replaceChildren(...shown);
  };
  followNews(dialog, slot, look);
  void show(turn);
}

/** Closes the dialog when the session is deleted; calls `look` when something else may have happened to it. */
function followNews(dialog, slot, look) {
  const closed = new AbortController();
  const hear = ({ detail }) => {
    if (detail.slot !== null && detail.slot !== slot) return;
    if (detail.deleted) dialog.close();
    else void look();
  };
  addEventListener("news", hear, { signal: closed.signal });
  dialog.addEventListener("close", () => closed.abort());
}

function isShown(nodes, body) {
  return nodes.length === body.children.length && nodes.every((node, at) => node.isEqualNode(body.children[at]));
}

/** {stored, shown}: whether anything of it is stored, null where the service cannot say; what was said, or why not. */
async function exchangeView(slot, turn) {
  try {
    const { messages } = await readExchange(slot, turn);
    return messages.length > 0 ? { stored: true, shown: messages.map(messageView) } : { stored: false, shown: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const gone = error.status === 404;
    const why = gone ? T.gone.missing.title : (T.failures[error.reason] ?? error.message);
    return { stored: gone ? false : null, shown: [h("p", {}, why)] };
  }
}

function messageView(message) {
  const facts = message.facts.map((fact) => h("li", {}, factView(fact)));
  return h(
    "article",
    { class: `message ${message.origin}` },
    h("h3", {}, separated([T.speakers[message.origin] ?? message.role, timeTag(message.ts)])),
    said("div", { class: "content" }, message.content),
    facts.length > 0 && h("ul", { class: "facts" }, facts),
  );
}

/** What the keys of a page do. */
export function openKeys(page) {
  const lines = T.shortcuts[page].map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)));
  openDialog("keys", T.keys, h("dl", {}, lines));
}

/** Text to copy by hand, where the browser does not let the page do it. */
export function openText(text) {
  const area = h("textarea", { readonly: true, rows: 16, "aria-label": T.copyTitle });
  area.value = text;
  openDialog("by-hand", T.copyTitle, h("p", {}, T.copyByHand), area);
  area.select();
}

/** Takes that text away. */
export function closeText() {
  document.querySelector("dialog.by-hand")?.close();
}
