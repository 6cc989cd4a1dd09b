"""Finds where the shapes of the rule table stand in a text, in one pass over its literal anchors."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from service.domain.redact_rules.harmless import is_placeholder
from service.domain.redact_rules.rule import Rule, Span
from service.domain.redact_rules.tree import tree_pattern
from service.domain.redact_rules.values import is_hash, looks_random

# A search behind an anchor in the middle of a token looks no further than this beyond the anchor.
_WINDOW = 512
_GLUED = 4096
_MARK = "[redacted:"
_LONGEST_MARK = 48
# What has no literal to be found by is looked for where many characters stand together.
_RUN = re.compile(r"(?<![^\s\"'`<>,;(){}|=])(?!\[redacted:)[^\s\"'`<>,;(){}|=]{16,}")
# Password hashes begin with the signs that templates begin with; hosts of made-up URLs end like examples.
_EXACT = frozenset(("password-hash", "data-url"))
# Terminals and mail programs break a long token; what follows stands alone on the next line.
_FOLD = re.compile(
    r"[\\=]?\r?\n[ \t>|+\"']{0,12}(?![A-Za-z_]\w{1,40}=[^=\s])(?P<rest>[A-Za-z0-9_+/=.-]{8,512})(?=[ \t\"'`,;)\\+]{0,4}(?:\r?\n|\Z))"
)
_BROKEN = re.compile(r"[A-Za-z0-9_.+/=:-]{4,120}(?=[\\=]?\r?\n)")
# No secret without a literal of its own does without two digits or a colon.
_TELLING = re.compile(r"[0-9][^0-9]{0,60}[0-9]|:")
_DOCUMENTATION = re.compile(r"(?i)docs|documentation|manual|example key|placeholder|tutorial|sample")


@dataclass(frozen=True, slots=True)
class Table:
    """Rules by the literal that starts them, and one pattern that finds every literal."""

    at_words: re.Pattern[str]
    at_signs: re.Pattern[str]
    inside: re.Pattern[str]
    anywhere: re.Pattern[str]
    by_anchor: dict[str, tuple[Rule, ...]]
    searched: tuple[Rule, ...]


def build_table(rules: Iterable[Rule]) -> Table:
    """Groups the rules by anchor; rules without one are searched for over the whole text."""
    by_anchor: dict[str, list[Rule]] = {}
    searched = []
    for rule in rules:
        if not rule.anchors:
            searched.append(rule)
        for anchor in rule.anchors:
            by_anchor.setdefault(anchor, []).append(rule)
    # A literal that starts another one must also serve the longer one's places.
    whole = {a: tuple(r for b in by_anchor if a.startswith(b) for r in by_anchor[b]) for a in by_anchor}
    inside = {a for a in by_anchor if a[0].isupper() and any(rule.inside for rule in by_anchor[a])}
    words = {a for a in by_anchor.keys() - inside if a[0].isalnum() and not any(rule.reach for rule in whole[a])}
    signs = tree_pattern(by_anchor.keys() - inside - words)
    return Table(_at_words(words), signs, tree_pattern(inside), tree_pattern(by_anchor), whole, tuple(searched))


def _at_words(anchors: set[str]) -> re.Pattern[str]:
    """Matches anchors where a word begins; looking at the first character alone first halves the time it takes."""
    firsts = re.escape("".join(sorted({anchor[0] for anchor in anchors})))
    return re.compile(f"(?<![A-Za-z0-9])(?=[{firsts}])(?:{tree_pattern(anchors).pattern})")


def shape_spans(text: str, table: Table) -> Iterator[Span]:
    """Every secret that its shape gives away; spans of different rules may overlap."""
    yield from anchored_spans(text, table)
    for run in _RUN.finditer(text):
        if _TELLING.search(text, *run.span()):
            yield from _spans_within(text, *run.span(), table.searched)


def anchored_spans(text: str, table: Table) -> Iterator[Span]:
    """Those of them that begin with a vendor's literal, or stand near it."""
    for anchors in (table.at_words, table.at_signs, table.inside):
        yield from _anchored_spans(text, anchors, table)


def _spans_within(text: str, start: int, end: int, rules: Iterable[Rule]) -> Iterator[Span]:
    for rule in rules:
        for match in rule.pattern.finditer(text, start, end):
            span = _accepted(match, rule)
            if span is not None:
                yield span


def _anchored_spans(text: str, anchors: re.Pattern[str], table: Table) -> Iterator[Span]:
    done = 0
    for found in anchors.finditer(text):
        at = found.start()
        if at < done:
            continue
        rules = table.by_anchor[found.group()]
        span = _first_span(text, at, rules) or _broken_span(text, at, rules)
        while span is not None:
            span = unfolded(text, span)
            done = span.end
            yield span
            span = _glued_span(text, done, table)


def _first_span(text: str, at: int, rules: Iterable[Rule]) -> Span | None:
    for rule in rules:
        if rule.reach:
            match = rule.pattern.search(text, max(0, at - rule.reach), at + _WINDOW)
            match = match if match and match.start() <= at else None
        else:
            match = rule.pattern.match(text, at)
        span = _accepted(match, rule) if match else None
        if span is not None:
            return span
    return None


def _broken_span(text: str, at: int, rules: Iterable[Rule]) -> Span | None:
    """A token that a line break cut before it was long enough to be known."""
    prefixes = [rule for rule in rules if rule.folds]
    head = _BROKEN.match(text, at) if prefixes else None
    # Mail ends a broken line with an equals sign.
    fold = _FOLD.match(text, head.end() - head.group().endswith("=")) if head else None
    if head is None or fold is None:
        return None
    token = head.group().removesuffix("=")
    span = _first_span(token + fold["rest"], 0, prefixes)
    return Span(at, fold.end("rest"), span.name) if span and span.start == 0 and span.end > len(token) else None


def unfolded(text: str, span: Span) -> Span:
    """The span with the rest of its token, where a line break cut it."""
    fold = _FOLD.match(text, span.end)
    if fold is None or is_hash(fold["rest"]) or not looks_random(fold["rest"]):
        return span
    return Span(span.start, fold.end("rest"), span.name)


def _glued_span(text: str, at: int, table: Table) -> Span | None:
    """A secret that begins where another one ends: what is hidden before it is a boundary like any other."""
    found = table.anywhere.match(text, at)
    if found is None:
        return None
    span = _first_span(text[at : at + _GLUED], 0, table.by_anchor[found.group()])
    return Span(span.start + at, span.end + at, span.name) if span else None


def _accepted(match: re.Match[str], rule: Rule) -> Span | None:
    group = "secret" if "secret" in rule.pattern.groupindex else 0
    start, end = match.span(group)
    secret = match.string[start:end]
    if (
        (rule.name not in _EXACT and is_placeholder(secret))
        or _is_documented(match.string, start, secret)
        or _is_marked(match.string, start)
        or (rule.accept is not None and not rule.accept(secret))
    ):
        return None
    return Span(start, end, rule.name)


def _is_marked(text: str, start: int) -> bool:
    """Whether what was found begins in a mark of ours, or at one."""
    opened = text.rfind(_MARK, max(0, start - _LONGEST_MARK), start)
    return text.startswith(_MARK, start) or (opened >= 0 and text.find("]", opened, start) < 0)


def _is_documented(text: str, start: int, secret: str) -> bool:
    """Whether a vendor's own example key stands in a sentence about documentation; elsewhere it is hidden."""
    is_example = secret.endswith(("EXAMPLE", "EXAMPLEKEY"))
    return is_example and _DOCUMENTATION.search(text, max(0, start - 80), start + 120) is not None
