"""One module per family of secrets, and the table of them all."""

import re
from collections.abc import Iterator

from service.domain.redact_rules import (
    addresses,
    ai_vendors,
    backwards,
    beacons,
    calls,
    cloud,
    code_hosts,
    codes,
    columns,
    commands,
    commerce,
    configuration,
    connections,
    contexts,
    harmless,
    hashes,
    hosting,
    hosts,
    infrastructure,
    keywords,
    links,
    logins,
    lookups,
    messages,
    messaging,
    monitoring,
    named,
    nested,
    parameters,
    payloads,
    queries,
    sayings,
    scan,
    secrecy,
    services,
    statements,
    tokens,
    uploads,
    values,
    wallets,
    webhooks,
)
from service.domain.redact_rules.keyed import is_secret_under, keyed_spans
from service.domain.redact_rules.links import link_spans
from service.domain.redact_rules.marks import outside_marks
from service.domain.redact_rules.rule import Rule, Span
from service.domain.redact_rules.scan import build_table, shape_spans
from service.domain.redact_rules.tree import lowered

RULES: tuple[Rule, ...] = (
    *tokens.RULES,
    *hashes.RULES,
    *cloud.RULES,
    *hosting.RULES,
    *infrastructure.RULES,
    *code_hosts.RULES,
    *ai_vendors.RULES,
    *messaging.RULES,
    *webhooks.RULES,
    *monitoring.RULES,
    *services.RULES,
    *commerce.RULES,
    *wallets.RULES,
    *connections.RULES,
    *commands.RULES,
    *logins.RULES,
    *statements.RULES,
    *configuration.RULES,
    *codes.RULES,
    *calls.RULES,
    *lookups.RULES,
    *named.RULES,
)

__all__ = ["RULES", "find_spans", "is_secret_under", "rule_texts"]

# Raised by hand when code, not a pattern or a list, decides differently.
_EDITION = 4
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_MARKS = ("[redacted:password]", "[redacted:secret]")
_DECIDING = (
    addresses,
    backwards,
    beacons,
    columns,
    contexts,
    harmless,
    hosts,
    keywords,
    links,
    messages,
    nested,
    parameters,
    payloads,
    queries,
    sayings,
    scan,
    secrecy,
    uploads,
    values,
)
_TABLE = build_table(RULES)


def find_spans(text: str) -> list[Span]:
    """Every stretch that must go, URLs before credentials; they may overlap."""
    small = lowered(text)
    for mark in _MARKS:
        # A keyword in a mark of ours tells of nothing; blanked out, it costs nothing either.
        small = small.replace(mark, " " * len(mark))
    spans = [*link_spans(text, small), *shape_spans(text, _TABLE), *keyed_spans(text, small)]
    if _UNSEEN.search(text):
        spans += _spans_between_unseen(text)
    return outside_marks(text, spans)


def _spans_between_unseen(text: str) -> Iterator[Span]:
    """Tokens with signs inside that nobody sees: on a screen they look like the token."""
    places = [place for place, sign in enumerate(text) if _UNSEEN.match(sign) is None]
    for span in shape_spans("".join(text[place] for place in places), _TABLE):
        yield Span(places[span.start], places[span.end - 1] + 1, span.name)


def rule_texts() -> Iterator[str]:
    """Everything the rules consist of, to be digested: patterns, word lists, the edition of the code."""
    yield str(_EDITION)
    for rule in RULES:
        yield f"{rule.name} {rule.pattern.pattern} {rule.anchors} {rule.reach}"
    for module in _DECIDING:
        for name, value in sorted(vars(module).items()):
            if isinstance(value, re.Pattern):
                yield f"{name} {value.pattern}"
            elif isinstance(value, tuple | frozenset):
                yield f"{name} {sorted(map(str, value))}"
