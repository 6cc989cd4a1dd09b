// Times as people say them.

import { h } from "./dom.js";
import { later } from "./later.js";
import { LANGUAGE, T } from "./texts.js";

const relative = later(() => new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto", style: "short" }));
const exact = later(() => new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" }));
const day = later(() => new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium" }));
const clock = later(() => new Intl.DateTimeFormat(LANGUAGE, { timeStyle: "short" }));

/** Makes what times are written with, while the page waits for what they are the times of. */
export function makeFormats() {
  exact();
  relative();
}

const STEPS = [
  ["minute", 60],
  ["hour", 3600],
  ["day", 86400],
];
const OLD_SECONDS = 14 * 86400;
const COUNTED_SECONDS = 120;
// Epoch values above this are milliseconds: as seconds they would lie beyond the year 5000.
const MILLISECONDS_FROM = 1e11;

/** A Date from what sessions give: ISO text, or epoch seconds or milliseconds, also as digits; null for all else. */
function asDate(value) {
  if (value === null || value === undefined || value === "") return null;
  const number = Number(value);
  const date = Number.isFinite(number)
    ? new Date(number > MILLISECONDS_FROM ? number : number * 1000)
    : new Date(String(value));
  return Number.isNaN(date.getTime()) ? null : date;
}

/** "5 min. ago"; a date where it is long ago. */
function ago(date) {
  const seconds = (date.getTime() - Date.now()) / 1000;
  return Math.abs(seconds) > OLD_SECONDS ? day().format(date) : (distance(seconds) ?? T.justNow);
}

/** "in 10 hr.", "5 min. ago"; null within a minute. */
function distance(seconds) {
  const found = STEPS.findLast(([, step]) => Math.abs(seconds) >= step);
  return found === undefined ? null : relative().format(Math.round(seconds / found[1]), found[0]);
}

/** The sentence that says from when on something can be tried again: seconds are counted down, more is a time of day. */
export function againWords(moment) {
  const seconds = Math.ceil((moment - Date.now()) / 1000);
  if (seconds < COUNTED_SECONDS) return T.retryIn(seconds);
  return T.retryAt(momentWords(new Date(moment)), distance(seconds));
}

/** A moment as a <time>: the time of day, with its date where that is not today. */
export function momentTag(value) {
  const date = asDate(value);
  if (date === null) return null;
  return h("time", { datetime: date.toISOString(), title: exact().format(date) }, momentWords(date));
}

function momentWords(date) {
  const today = date.toDateString() === new Date().toDateString();
  return (today ? clock : exact)().format(date);
}

/** A <time> that keeps itself true; nothing where the value is no time. */
export function timeTag(value, say = (words) => words) {
  const date = asDate(value);
  if (date === null) return null;
  const element = h("time", { datetime: date.toISOString(), title: exact().format(date) }, say(ago(date)));
  speakers.set(element, say);
  return element;
}

const speakers = new WeakMap();

/** Says all times anew, once a minute. */
export function keepTimesTrue() {
  setInterval(() => {
    for (const element of document.querySelectorAll("time")) {
      const say = speakers.get(element);
      if (say !== undefined) element.textContent = say(ago(new Date(element.dateTime)));
    }
  }, 60_000);
}
