"""Lists as lines that fit the width: sessions, open items, passes."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from service.cli.reach import Json
from service.domain.plain_text import STATE_TONES, Line, Span, Tone, columns, shortened, visible, wrapped
from service.domain.times import parse_time
from service.domain.wording import STATE_WORDS

_STATE_WIDTH = 13
_TIME_WIDTH = 11


def session_lines(slots: Sequence[Json], now: float, width: int, *, narrowed: bool) -> Iterator[Line]:
    """Two lines a session: how it stands, what it is about and when; below, its whole key, to be copied."""
    if not slots:
        yield (Span("No sessions match." if narrowed else "No sessions.", Tone.QUIET),)
    for slot in slots:
        yield from _session(slot, now, width)


def _session(slot: Json, now: float, width: int) -> Iterator[Line]:
    state = str(slot["state"] or "")
    words = "running" if slot["running"] else STATE_WORDS.get(state, "")
    tone = Tone.ACTIVE if slot["running"] else STATE_TONES.get(state, Tone.QUIET)
    title = shortened(
        slot["headline"] or slot["title"] or slot["reason"] or slot["key"], width - _STATE_WIDTH - _TIME_WIDTH
    )
    gap = " " * (width - _STATE_WIDTH - _TIME_WIDTH - columns(title))
    when = age(slot["last_activity"], now).rjust(_TIME_WIDTH)
    yield Span(f"{words:<{_STATE_WIDTH}}", tone), Span(title, Tone.STRONG), Span(gap + when, Tone.QUIET)
    yield (Span(f"{'':<{_STATE_WIDTH}}{visible(slot['key'])}{_details(slot)}", Tone.QUIET),)


def _details(slot: Json) -> str:
    turns = slot["user_turns"]
    details = [f"{turns} turn{'' if turns == 1 else 's'}"]
    details += [f"{slot['open_items']} open"] if slot["open_items"] else []
    details += ["out of date"] if slot["stale"] else []
    return "".join(f" · {detail}" for detail in details)


def open_item_lines(items: Sequence[Json], now: float, width: int) -> Iterator[Line]:
    """The items under the goal they belong to, each goal with its session and how long it has waited."""
    if not items:
        yield (Span("Nothing waits for you.", Tone.GOOD),)
    goal: tuple[str, str] | None = None
    for item in items:
        if goal != (item["slot"], item["intent"]):
            if goal is not None:
                yield ()
            goal = (item["slot"], item["intent"])
            yield from _open_goal(item, now, width)
        yield from _step(item, width)


def _open_goal(item: Json, now: float, width: int) -> Iterator[Line]:
    when = age(item["since"], now).rjust(_TIME_WIDTH)
    title = shortened(item["intent"], width - _TIME_WIDTH)
    yield Span(title, Tone.STRONG), Span(" " * (width - _TIME_WIDTH - columns(title)) + when, Tone.QUIET)
    turn = f" · turn {item['turn']}" if item["turn"] else ""
    yield (Span(f"{visible(item['slot'])}{turn}", Tone.QUIET),)


def _step(item: Json, width: int) -> Iterator[Line]:
    why = f" - {item['why']}" if item["why"] else ""
    for place, line in enumerate(wrapped(item["what"] + why, width - 4)):
        yield (Span(("    " if place else "  - ") + line),)


def usage_lines(found: Json, width: int) -> Iterator[Line]:
    """A line per pass, and the sum over all that match."""
    if not found["passes"]:
        yield (Span("No passes.", Tone.QUIET),)
        return
    yield (Span(f"{'started (UTC)':<17}{'trigger':<9}{'outcome':<9}{'tokens':>9}{'cost':>10}  session", Tone.STRONG),)
    for row in found["passes"]:
        yield _pass(row, width)
    totals = found["totals"]
    tokens = sum(totals[name] for name in _TOKENS)
    unpriced = f", {totals['unpriced']} without a known price" if totals["unpriced"] else ""
    passes = f"{totals['passes']} pass{'' if totals['passes'] == 1 else 'es'}"
    sums = (passes, f"{totals['stored']} stored", f"{tokens} tokens", _money(totals["cost_usd"]))
    yield ()
    yield (Span(", ".join(sums) + unpriced),)


_TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
_OUTCOME_TONES = {"stored": Tone.GOOD, "failed": Tone.ATTENTION, "refused": Tone.ATTENTION}


def _pass(row: Json, width: int) -> Line:
    tokens = sum(row[name] for name in _TOKENS)
    about = f"{row['slot'] or '(deleted)'}{' · ' + row['reason'] if row['reason'] else ''}"
    started = f"{datetime.fromtimestamp(row['started_at'], UTC):%Y-%m-%d %H:%M}"
    return (
        Span(f"{started:<17}{row['trigger']:<9}"),
        Span(f"{row['outcome']:<9}", _OUTCOME_TONES.get(row["outcome"], Tone.QUIET)),
        Span(f"{tokens or '':>9}{_money(row['cost_usd']) if row['cost_usd'] else '':>10}  "),
        Span(shortened(about, max(20, width - 56)), Tone.QUIET),
    )


def _money(dollars: float) -> str:
    return f"${dollars:.4f}" if dollars < 1 else f"${dollars:.2f}"


def age(ts: str | None, now: float) -> str:
    """How long ago a moment was, in the coarsest unit that says something; empty for what is no time."""
    moment = parse_time(ts)
    if moment is None:
        return ""
    seconds = max(0, int(now - moment.timestamp()))
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit} ago"
    return "just now"
