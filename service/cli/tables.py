"""Lists as lines that fit the width: sessions, open items, passes."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from service.cli.reach import Json
from service.domain.lines import Line, Span, Tone, columns, shortened, visible, wrapped
from service.domain.plain_text import STATE_TONES
from service.domain.times import parse_time
from service.domain.wording import STATE_WORDS

_STATE_WIDTH = 13
_TIME_WIDTH = 11
# Narrower than this, a title beside state and time would say too little.
_TITLE_BESIDE_WIDTH = 60
# The page tells a date from the same age on.
_OLD_SECONDS = 14 * 86_400
_INDENT = "  "
_DOT = " · "


def session_lines(slots: Sequence[Json], now: float, width: int, *, narrowed: bool) -> Iterator[Line]:
    """A few lines a session: how it stands, what it is about and when; below, its whole key, to be copied."""
    if not slots:
        yield (Span("No sessions match." if narrowed else "No sessions.", Tone.QUIET),)
    for slot in slots:
        yield from _session(slot, now, width)


def _session(slot: Json, now: float, width: int) -> Iterator[Line]:
    title = slot["headline"] or slot["title"] or slot["reason"] or slot["key"]
    when = age(slot["last_activity"], now)
    if width < _TITLE_BESIDE_WIDTH:
        yield _standing(slot), Span(when.rjust(width - _STATE_WIDTH), Tone.QUIET)
        yield Span(_INDENT), Span(shortened(title, width - len(_INDENT)), Tone.STRONG)
        yield from _key_and_details(slot["key"], _details(slot), _INDENT, width)
        return
    title = shortened(title, width - _STATE_WIDTH - _TIME_WIDTH)
    gap = " " * (width - _STATE_WIDTH - _TIME_WIDTH - columns(title))
    yield _standing(slot), Span(title, Tone.STRONG), Span(gap + when.rjust(_TIME_WIDTH), Tone.QUIET)
    yield from _key_and_details(slot["key"], _details(slot), " " * _STATE_WIDTH, width)


def _standing(slot: Json) -> Span:
    state = str(slot["state"] or "")
    words = "running" if slot["running"] else STATE_WORDS.get(state, "")
    tone = Tone.ACTIVE if slot["running"] else STATE_TONES.get(state, Tone.QUIET)
    return Span(f"{words:<{_STATE_WIDTH}}", tone)


def _details(slot: Json) -> Iterator[str]:
    turns = slot["user_turns"]
    yield f"{turns} turn{'' if turns == 1 else 's'}"
    if slot["open_items"]:
        yield f"{slot['open_items']} open"
    if slot["stale"]:
        yield "out of date"


def _key_and_details(key: str, details: Iterable[str], indent: str, width: int) -> Iterator[Line]:
    """The key is never cut, to be copied; the details stand behind it where they fit, else below."""
    first, rest = indent + visible(key), visible(_DOT.join(details))
    joined = f"{first}{_DOT}{rest}" if rest else first
    for line in (joined,) if columns(joined) <= width else filter(str.strip, (first, indent + rest)):
        yield (Span(line, Tone.QUIET),)


def open_item_lines(items: Sequence[Json], unnamed: Sequence[Json], now: float, width: int) -> Iterator[Line]:
    """The items under the goal they belong to, each goal with its session and how long it has waited.

    Below stand the goals that need the person though no step says what for.
    """
    if not items and not unnamed:
        yield (Span("Nothing waits for you.", Tone.GOOD),)
    goal: tuple[str, str] | None = None
    for item in items:
        if goal != (item["slot"], item["intent"]):
            if goal is not None:
                yield ()
            goal = (item["slot"], item["intent"])
            yield from _open_goal(item, now, width)
        yield from _step(item, width)
    if items and unnamed:
        yield ()
    yield from _unnamed_goals(unnamed, now, width)


def _unnamed_goals(goals: Sequence[Json], now: float, width: int) -> Iterator[Line]:
    if sessions := len({goal["slot"] for goal in goals}):
        need, whose = (
            ("1 session needs", "its summary does")
            if sessions == 1
            else (f"{sessions} sessions need", "their summaries do")
        )
        yield from ((Span(line),) for line in wrapped(f"{need} you, and {whose} not say for what:", width))
    for goal in goals:
        yield ()
        yield from _open_goal(goal, now, width)


def _open_goal(item: Json, now: float, width: int) -> Iterator[Line]:
    when = age(item["since"], now).rjust(_TIME_WIDTH)
    title = shortened(item["intent"], width - _TIME_WIDTH)
    yield Span(title, Tone.STRONG), Span(" " * (width - _TIME_WIDTH - columns(title)) + when, Tone.QUIET)
    yield from _key_and_details(item["slot"], [f"turn {item['turn']}"] if item["turn"] else [], "", width)


def _step(item: Json, width: int) -> Iterator[Line]:
    why = f" - {item['why']}" if item["why"] else ""
    for place, line in enumerate(wrapped(item["what"] + why, width - 4)):
        yield (Span(("    " if place else "  - ") + line),)


def usage_lines(found: Json, width: int) -> Iterator[Line]:
    """A few lines a pass: what came of it, and below whose it was, the whole key; then the sum over all that match."""
    if not found["passes"]:
        yield (Span("No passes.", Tone.QUIET),)
        return
    wide = width >= _COUNTED_WIDTH
    header = f"{'outcome':<{_OUTCOME_WIDTH}}{'started (UTC)':<18}{'trigger':<9}"
    yield (Span(header + _counted("tokens", "cost") if wide else header.rstrip(), Tone.STRONG),)
    for row in found["passes"]:
        yield from _pass(row, width, wide=wide)
    yield ()
    totals = found["totals"]
    passes = f"{totals['passes']} pass{'' if totals['passes'] == 1 else 'es'}"
    sums = [passes, f"{totals['stored']} stored", f"{_tokens(totals)} tokens", _money(totals["cost_usd"])]
    sums += [f"{totals['unpriced']} without a known price"] if totals["unpriced"] else []
    for line in wrapped(", ".join(sums), width):
        yield (Span(line),)


_OUTCOME_WIDTH = 9
# Where a line has room for tokens and cost.
_COUNTED_WIDTH = 55
_TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
_OUTCOME_TONES = {"stored": Tone.GOOD, "failed": Tone.ATTENTION, "refused": Tone.ATTENTION}


def _pass(row: Json, width: int, *, wide: bool) -> Iterator[Line]:
    tokens, cost = _tokens(row), _money(row["cost_usd"]) if row["cost_usd"] else ""
    started = f"{datetime.fromtimestamp(row['started_at'], UTC):%Y-%m-%d %H:%M}"
    yield (
        Span(f"{row['outcome']:<{_OUTCOME_WIDTH}}", _OUTCOME_TONES.get(row["outcome"], Tone.QUIET)),
        Span(f"{started:<18}{row['trigger']:<9}{_counted(str(tokens or ''), cost) if wide else ''}".rstrip()),
    )
    counted = [] if wide or not tokens else [f"{tokens} tokens", cost]
    details = filter(None, (*counted, row["reason"]))
    yield from _key_and_details(row["slot"] or "(deleted)", details, " " * _OUTCOME_WIDTH, width)


def _counted(tokens: str, cost: str) -> str:
    return f"{tokens:>9}{cost:>10}"


def _tokens(counts: Json) -> int:
    return sum(counts[name] for name in _TOKENS)


def _money(dollars: float) -> str:
    return f"${dollars:.4f}" if dollars < 1 else f"${dollars:.2f}"


def age(ts: str | None, now: float) -> str:
    """How long ago a moment was, in the coarsest unit that says something; its day where that is long ago.

    Empty for what is no time.
    """
    moment = parse_time(ts)
    if moment is None:
        return ""
    seconds = max(0, int(now - moment.timestamp()))
    if seconds > _OLD_SECONDS:
        return moment.date().isoformat()
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit} ago"
    return "just now"
