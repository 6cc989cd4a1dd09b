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

const UNREACHABLE = 0;

async function send(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", redirect: "error", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(UNREACHABLE, { code: "unreachable", error: error.message });
  }
  if (answer.ok || answer.status === 304) return answer;
  const seconds = Number.parseInt(answer.headers.get("retry-after") ?? "", 10);
  throw new ApiError(answer.status, await bodyOf(answer), Number.isFinite(seconds) ? seconds : null);
}

async function bodyOf(answer) {
  try {
    const body = await answer.json();
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
  await send("/api/cookie", writing("POST", {}, { authorization: `Bearer ${token}` }));
}

/** A page of the sessions list. */
export async function listSlots(parameters, signal) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return (await send(`/api/chat/slots?${query}`, { signal })).json();
}

/** The summary with its ETag; null where it is still the one that `etag` names. */
export async function readSummary(slot, etag) {
  const headers = etag ? { "if-none-match": etag } : {};
  const answer = await send(`${slotPath(slot)}/summary`, { headers });
  return answer.status === 304 ? null : { body: await answer.json(), etag: answer.headers.get("etag") };
}

/** Asks for a fresh summary, and waits for it. */
export async function makeSummary(slot) {
  return (await send(`${slotPath(slot)}/summary`, { method: "POST" })).json();
}

/** The summary as Markdown; null where this service does not speak it. */
export async function readMarkdown(slot) {
  try {
    const answer = await send(`${slotPath(slot)}/summary`, { headers: { accept: "text/markdown" } });
    return answer.headers.get("content-type")?.startsWith("text/markdown") ? answer.text() : null;
  } catch (error) {
    if (error.status === 406) return null;
    throw error;
  }
}

/** The newest passes of a slot, newest first. */
export async function lastPasses(slot) {
  return (await (await send(`/api/usage?${new URLSearchParams({ slot, limit: "20" })}`)).json()).passes;
}

/** The stored messages of one exchange. */
export async function readExchange(slot, turn) {
  return (await send(`${slotPath(slot)}/messages?turn=${turn}`)).json();
}

/** What waits for the person, over all sessions. */
export async function readOpenItems(after) {
  const answer = await send(`/api/open-items${after ? `?${new URLSearchParams({ after })}` : ""}`);
  // Said only while it is off.
  return { enabled: true, ...(await answer.json()) };
}

/** Switches summaries on or off; what they are afterwards. */
export async function writeEnabled(enabled) {
  return (await (await send("/api/settings", writing("PATCH", { enabled }))).json()).enabled === true;
}
