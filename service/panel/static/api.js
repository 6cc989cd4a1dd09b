// The service's HTTP, as far as the page needs it.

/** An answer that is no success; `code` and `reason` are the service's own words, `retryAfter` is in seconds. */
export class ApiError extends Error {
  constructor(status, { error, code, reason } = {}, retryAfter = null) {
    super(error ?? `HTTP ${status}`);
    this.status = status;
    this.code = code ?? "unknown";
    this.reason = reason ?? this.code;
    this.retryAfter = retryAfter;
  }
}

const COOKIE = "/api/cookie";
const UNREACHABLE = 0;
// Everything but a summary that is being made is answered at once, or never.
const PATIENCE = 20_000;

/** The answer and its text. Where the service wants the token again, the window gets a "signed-out" event as well. */
async function send(path, { signal, ...options } = {}) {
  const late = options.method === undefined ? AbortSignal.timeout(PATIENCE) : null;
  const either = AbortSignal.any([signal, late].filter(Boolean));
  let answer, text;
  try {
    answer = await fetch(path, { credentials: "same-origin", redirect: "error", ...options, signal: either });
    text = await answer.text();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new ApiError(UNREACHABLE, { code: "unreachable", error: error.message });
  }
  const { headers, status } = answer;
  if (answer.ok || status === 304) return { headers, status, text };
  throw refused(answer, path, text);
}

function refused({ headers, status }, path, text) {
  if (status === 401 && path !== COOKIE) dispatchEvent(new Event("signed-out"));
  const seconds = Number.parseInt(headers.get("retry-after") ?? "", 10);
  return new ApiError(status, refusalIn(text), Number.isFinite(seconds) ? seconds : null);
}

async function ask(path, options) {
  return JSON.parse((await send(path, options)).text);
}

function refusalIn(text) {
  try {
    const body = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}

function writing(method, body, headers = {}) {
  return { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

function slotPath(slot) {
  return `/api/chat/slots/${encodeURIComponent(slot)}`;
}

/** Trades the token for a cookie that no script can read. */
export async function makeCookie(token) {
  await send(COOKIE, writing("POST", {}, { authorization: `Bearer ${token}` }));
}

/** The stream of events, as text that comes until `signal` ends it. */
export async function openEvents(signal) {
  const answer = await fetch("/api/events", { credentials: "same-origin", redirect: "error", signal });
  if (!answer.ok) throw refused(answer, "/api/events", await answer.text());
  return answer.body.pipeThrough(new TextDecoderStream());
}

/** A page of the sessions list. */
export async function listSlots(parameters, signal) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return ask(`/api/chat/slots?${query}`, { signal });
}

/** The summary with its ETag; null where it is still the one that `etag` names. */
export async function readSummary(slot, etag) {
  const headers = etag ? { "if-none-match": etag } : {};
  const answer = await send(`${slotPath(slot)}/summary`, { headers });
  return answer.status === 304 ? null : { body: JSON.parse(answer.text), etag: answer.headers.get("etag") };
}

/** Asks for a fresh summary, and waits for it, at most until `signal`. */
export async function makeSummary(slot, signal) {
  return ask(`${slotPath(slot)}/summary`, { method: "POST", signal });
}

/** The summary as Markdown; null where this service does not speak it. */
export async function readMarkdown(slot) {
  try {
    const answer = await send(`${slotPath(slot)}/summary`, { headers: { accept: "text/markdown" } });
    return answer.headers.get("content-type")?.startsWith("text/markdown") ? answer.text : null;
  } catch (error) {
    if (error.status === 406) return null;
    throw error;
  }
}

/** The newest passes of a slot, newest first, and what tells whether another one can come to more. */
export async function readUsage(slot) {
  return ask(`/api/usage?${new URLSearchParams({ slot, limit: "20" })}`);
}

/** The stored messages of one exchange. */
export async function readExchange(slot, turn) {
  return ask(`${slotPath(slot)}/messages?turn=${turn}`);
}

/** What waits for the person, over all sessions. */
export async function readOpenItems(after) {
  const answer = await ask(`/api/open-items${after ? `?${new URLSearchParams({ after })}` : ""}`);
  // Said only while it is off, or where there is something to say.
  return { enabled: true, unnamed: [], notices: [], ...answer };
}

/** Switches summaries on or off; what they are afterwards. */
export async function writeEnabled(enabled) {
  return (await ask("/api/settings", writing("PATCH", { enabled }))).enabled === true;
}
