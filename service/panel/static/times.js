// Times as people say them.

import { h } from "./dom.js";
import { LANGUAGE } from "./texts.js";

const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium" });

const STEPS = [
  ["minute", 60],
  ["hour", 3600],
  ["day", 86400],
];
const OLD_SECONDS = 14 * 86400;
// Epoch values above this are milliseconds: as seconds they would lie beyond the year 5000.
const MILLISECONDS_FROM = 1e11;

/** A Date from what sessions give: ISO text, or epoch seconds or milliseconds, also as digits; null for all else. */
export function asDate(value) {
  if (value === null || value === undefined || value === "") return null;
  const number = Number(value);
  const date = Number.isFinite(number)
    ? new Date(number > MILLISECONDS_FROM ? number : number * 1000)
    : new Date(String(value));
  return Number.isNaN(date.getTime()) ? null : date;
}

/** "5 min. ago"; a date where it is long ago. */
export function ago(date) {
  const seconds = (date.getTime() - Date.now()) / 1000;
  if (Math.abs(seconds) > OLD_SECONDS) return day.format(date);
  const [unit, size] = STEPS.findLast(([, step]) => Math.abs(seconds) >= step) ?? ["second", 1];
  return unit === "second" ? relative.format(0, "second") : relative.format(Math.round(seconds / size), unit);
}

/** A <time> that keeps itself true; nothing where the value is no time. */
export function timeTag(value, say = (words) => words) {
  const date = asDate(value);
  if (date === null) return null;
  const element = h("time", { datetime: date.toISOString(), title: exact.format(date) }, say(ago(date)));
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
