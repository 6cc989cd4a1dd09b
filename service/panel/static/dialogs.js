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

/** The stored messages of one exchange, with a way to its neighbours; `turns`: how many there are, or a promise of it. */
export function openExchange(slot, turn, turns) {
  const body = h("div", { class: "exchange-body", tabindex: "0" });
  const step = (to, words) => h("button", { type: "button", class: "plain", on: { click: () => show(to()) } }, words);
  // What lies beyond the last turn was taken back: one step leads over all of it.
  const steps = [step(() => Math.min(at - 1, last), T.previous), step(() => at + 1, T.following)];
  const dialog = openDialog("exchange", T.exchange(turn), body, h("footer", {}, steps));
  let at = turn;
  let last = Infinity;
  const show = async (wanted) => {
    at = wanted;
    dialog.querySelector("h2").textContent = T.exchange(at);
    steps[0].disabled = at <= 1;
    steps[1].disabled = true;
    body.replaceChildren(h("p", { class: "waiting" }, T.loading));
    const [messages, all] = await Promise.all([messagesOf(slot, wanted), turns]);
    // A quick second step overtakes the first.
    if (at !== wanted) return;
    last = all;
    steps[1].disabled = at >= last;
    body.replaceChildren(...(messages ?? [h("p", {}, at > last ? T.exchangeBeyond(last) : T.exchangeEmpty)]));
  };
  void show(turn);
}

/** What was said, or why it cannot be shown; null where nothing of it is stored. */
async function messagesOf(slot, turn) {
  try {
    const { messages } = await readExchange(slot, turn);
    return messages.length > 0 ? messages.map(messageView) : null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [h("p", {}, error.status === 404 ? T.gone.missing.title : (T.failures[error.reason] ?? error.message))];
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

/** What the keys of the page do. */
export function openKeys(known) {
  const shortcuts = T.shortcuts.filter(([keys]) => keys.some((key) => known.includes(key)));
  const lines = shortcuts.map(([keys, what]) =>
    h("div", {}, h("dt", {}, keys.map((key) => h("kbd", {}, key))), h("dd", {}, what)),
  );
  openDialog("keys", T.keys, h("dl", {}, lines));
}

/** Text to copy by hand, where the browser does not let the page do it. */
export function openText(text) {
  const area = h("textarea", { readonly: true, rows: 16, "aria-label": T.copyTitle });
  area.value = text;
  openDialog("by-hand", T.copyTitle, h("p", {}, T.copyByHand), area);
  area.select();
}
