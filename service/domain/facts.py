"""Short facts that tool calls prove, tied to the user turn they happened in, and the evidence made from them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from service.domain.commands import Ran, strongest_check, what_ran
from service.domain.messages import Fact, FactKind, FactResult, Message
from service.domain.program_tables import Check
from service.domain.programs import check_of, program_name
from service.domain.redact import redact
from service.domain.shipping import Shipping

MAX_COMMAND_TEXT = 120
MAX_TEXT = 200
MAX_EVIDENCE = 20
MAX_LINE = 600
_MAX_PHRASE = 100
_MAX_PER_COMMAND = 20
_LABEL = "facts: "
_BETWEEN = " · "
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Marks that turn the reading direction would let one fact's text rearrange the next one's.
_UNSHOWN = re.compile("[\u202a-\u202e\u2066-\u2069\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NEEDS_QUOTES = re.compile(r"[\s'\"|&;()<>#`\\]")


def command_facts(command: str, output: str, result: FactResult) -> tuple[Fact, ...]:
    """What one shell command proves; nothing where nothing is proven. `result` is that of the whole line."""
    shipping = Shipping(output)
    found: dict[Fact, None] = {}
    for ran in what_ran(command, result):
        for fact in (*_checks(ran), *(Fact(done.kind, one_line(done.text)) for done in shipping.by(ran))):
            found[fact] = None
    return tuple(found)[:_MAX_PER_COMMAND]


def edited(path: str) -> Fact:
    """A file was changed."""
    return Fact(FactKind.EDITED, one_line(path, keep_end=True))


def denied(tool: str, reason: str) -> Fact:
    """The person refused a tool call, with their reason where they gave one."""
    return Fact(FactKind.DENIED, _labelled(tool, reason))


def answered(question: str, choice: str) -> Fact:
    """The person chose something without typing a message."""
    return Fact(FactKind.ANSWERED, _labelled(question, choice))


def facts_by_turn(messages: Sequence[Message]) -> dict[int, tuple[Fact, ...]]:
    """The facts of each user turn that has any, in order; turn 0 is what happened before the person first spoke."""
    turn = 0
    found: dict[int, list[Fact]] = {}
    for message in messages:
        turn += message.by_person
        if message.facts:
            found.setdefault(turn, []).extend(message.facts)
    return {turn: tuple(facts) for turn, facts in found.items()}


def fact_line(facts: Sequence[Fact], *, limit: int = MAX_LINE) -> str:
    """One labelled line for the rendered transcript; empty without facts.

    What is said twice is said once, at its last place. Beyond the limit failed runs stay longest and edits go first;
    how many are left out is named, failed ones apart.
    """
    distinct = list(dict.fromkeys(reversed(facts)))[::-1]
    if not distinct:
        return ""
    room = limit - len(_LABEL) - len(_BETWEEN + f"{len(distinct)} more ({len(distinct)} of them failed runs)")
    phrases = [_phrase(fact) for fact in distinct]
    kept: set[int] = set()
    for at in sorted(range(len(distinct)), key=lambda at: (_line_rank(distinct[at]), -at)):
        cost = len(_BETWEEN + phrases[at])
        if cost <= room or not kept:
            room -= cost
            kept.add(at)
    left = [fact for at, fact in enumerate(distinct) if at not in kept]
    return _LABEL + _BETWEEN.join([phrases[at] for at in sorted(kept)] + _more(left))


def evidence_for(ranges: Iterable[Sequence[int]], by_turn: Mapping[int, Sequence[Fact]]) -> list[tuple[int, Fact]]:
    """The facts of the turns inside the ranges, in order, each at its last place, at most `MAX_EVIDENCE`.

    A later result of the same run replaces the earlier one. Where there are too many, edits go first (but for the last
    one, which tells what a result is worth), then runs without a result, then the oldest.
    """
    spans = merged_ranges(ranges)
    inside = [(turn, fact) for turn in _covered(sorted(by_turn), spans) for fact in by_turn[turn]]
    latest = _latest(inside)
    edits = [at for at, (_, fact) in enumerate(latest) if fact.kind is FactKind.EDITED]
    last_edit = edits[-1] if edits else -1
    by_worth = sorted(range(len(latest)), key=lambda at: (at != last_edit, _evidence_rank(latest[at][1]), -at))
    return [latest[at] for at in sorted(by_worth[:MAX_EVIDENCE])]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What runs come to: the one that confirms, and the last failure that still stands."""

    passed: tuple[int, Fact] | None
    failed: tuple[int, Fact] | None


def weigh(evidence: Sequence[tuple[int, Fact]]) -> Weighed:
    """What confirms is the last passed run after the last edit, with no failure behind it or still standing.

    A failure stands until the same run passes, or another that shows as much: no lint confirms what a test denied.
    """
    passed: tuple[int, Fact] | None = None
    failures: dict[str, tuple[int, tuple[int, Fact]]] = {}
    for turn, fact in evidence:
        if fact.kind is FactKind.EDITED or fact.result is FactResult.FAILED:
            passed = None
        if fact.kind is not FactKind.RAN:
            continue
        if fact.result is FactResult.FAILED:
            failures.pop(fact.text, None)
            failures[fact.text] = (strongest_check(fact.text) or Check.TEST, (turn, fact))
        elif fact.result is FactResult.PASSED:
            shows = strongest_check(fact.text) or Check.LINT
            failures = {text: one for text, one in failures.items() if text != fact.text and one[0] > shows}
            passed = None if failures else (turn, fact)
    return Weighed(passed, list(failures.values())[-1][1] if failures else None)


def confirmation(evidence: Sequence[tuple[int, Fact]]) -> tuple[int, Fact] | None:
    """The run that confirms, where one does."""
    return weigh(evidence).passed


def one_line(text: str, limit: int = MAX_TEXT, *, keep_end: bool = False) -> str:
    """Redacted, on one line, at most `limit` characters.

    Redacted before it is cut, since half a token matches no rule, and again once what is not shown has gone: that can
    put a token together.
    """
    part = _part(text.strip(), 10 * limit, keep_end=keep_end)
    return _cut(redact(_flat(redact(part))), limit, keep_end=keep_end)


def _part(text: str, reach: int, *, keep_end: bool) -> str:
    """What is looked at of a long text, without the word that its edge cuts."""
    if len(text) <= reach:
        return text
    part = text[-reach:] if keep_end else text[:reach]
    words = part.split(None, 1)[1:] if keep_end else part.rsplit(None, 1)[:-1]
    return words[0] if words else part


def _flat(text: str) -> str:
    shown = _UNSHOWN.sub("", _SURROGATE.sub("\ufffd", text))
    return " ".join(_CONTROL.sub(" ", shown).split())


def _cut(line: str, limit: int, *, keep_end: bool) -> str:
    if len(line) <= limit:
        return line
    return "…" + line[1 - limit :].lstrip() if keep_end else line[: limit - 1].rstrip() + "…"


def _labelled(label: str, text: str) -> str:
    """The label gives way to the text, which is what the person said."""
    said = one_line(text, MAX_TEXT - 40)
    name = one_line(label, MAX_TEXT - len(said) - 2)
    return f"{name}: {said}" if said else name


def _checks(ran: Ran) -> Iterator[Fact]:
    checked = [words for words in ran.commands if check_of(words)]
    if checked and ran.certain:
        text = " && ".join(_command_text(words) for words in checked)
        yield Fact(FactKind.RAN, one_line(text, MAX_COMMAND_TEXT), ran.result)


def _command_text(words: tuple[str, ...]) -> str:
    """The command as one would type it, its program without the folder."""
    first, rest = program_name(words[0]), words[1:60]
    return " ".join([first, *(f"'{word}'" if not word or _NEEDS_QUOTES.search(word) else word for word in rest)])


def _phrase(fact: Fact) -> str:
    """One fact in words, in which the mark between facts cannot be forged."""
    text = _cut(_flat(fact.text[: 10 * _MAX_PHRASE]), _MAX_PHRASE, keep_end=fact.kind is FactKind.EDITED)
    result = {FactResult.UNKNOWN: " (result unknown)", None: ""}.get(fact.result, f" {fact.result}")
    return f"{fact.kind} {text.replace(_BETWEEN, ' - ')}{result if fact.kind is FactKind.RAN else ''}"


def _more(left: Sequence[Fact]) -> list[str]:
    failed = sum(fact.result is FactResult.FAILED for fact in left)
    return [f"{len(left)} more" + (f" ({failed} of them failed runs)" if failed else "")] if left else []


def _line_rank(fact: Fact) -> int:
    if fact.kind is FactKind.RAN:
        return 0 if fact.result is FactResult.FAILED else 2
    return 3 if fact.kind is FactKind.EDITED else 1


def _evidence_rank(fact: Fact) -> int:
    if fact.kind is FactKind.RAN:
        return 2 if fact.result in (FactResult.UNKNOWN, None) else 0
    return 3 if fact.kind is FactKind.EDITED else 1


def _latest(facts: Sequence[tuple[int, Fact]]) -> list[tuple[int, Fact]]:
    """Each fact at its last place, without runs whose result a later one of the same command replaced."""
    seen: set[Fact] = set()
    settled: set[str] = set()
    kept: list[tuple[int, Fact]] = []
    for turn, fact in reversed(facts):
        if fact in seen or (fact.kind is FactKind.RAN and fact.text in settled):
            continue
        seen.add(fact)
        if fact.result in (FactResult.PASSED, FactResult.FAILED):
            settled.add(fact.text)
        kept.append((turn, fact))
    return kept[::-1]


def merged_ranges(ranges: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    """The ranges in order, those that overlap or follow each other without a gap as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted((span[0], span[-1]) for span in ranges if span):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _covered(turns: Sequence[int], spans: Sequence[tuple[int, int]]) -> Iterator[int]:
    """The turns inside the spans; both are in order, so each is looked at once."""
    at = 0
    for turn in turns:
        while at < len(spans) and spans[at][1] < turn:
            at += 1
        if at < len(spans) and spans[at][0] <= turn:
            yield turn
