// How the page gets its cookie: from the token in the address, which it then drops.

import { ApiError, makeCookie } from "./api.js";
import { h } from "./dom.js";
import { T } from "./texts.js";

/** Takes the token out of the address, if there is one; whether it was refused. */
export async function adoptToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return { refused: false };
  // First of all out of the address bar, and so out of the history and of every screenshot.
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    await makeCookie(token);
    return { refused: false };
  } catch (error) {
    if (error instanceof ApiError) return { refused: error.status === 401 || error.status === 403 };
    throw error;
  }
}

/** A token pasted behind the address of the open page opens it. */
export function reloadOnToken() {
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#token=")) location.reload();
  });
}

/** Calls `act` once the service wants the token: there was none, or it does not hold any more. */
export function whenSignedOut(act) {
  addEventListener("signed-out", act, { once: true });
}

/** Says in the place of `root` how to sign in; what is still drawn into that nobody sees any more. */
export function askToSignIn(root, refused) {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  const place = root.cloneNode(false);
  place.removeAttribute("data-state");
  place.append(signInNotice(refused));
  root.replaceWith(place);
}

function signInNotice(refused) {
  return h(
    "section",
    { class: "notice", "data-state": "signed-out" },
    h("h1", {}, T.signInTitle),
    refused && h("p", {}, T.signInRefused),
    h("p", {}, T.signInWhy),
    h("p", {}, h("code", {}, "session-summary serve")),
    h("p", {}, T.signInAgain),
    h("p", {}, h("code", {}, "session-summary token show")),
  );
}
