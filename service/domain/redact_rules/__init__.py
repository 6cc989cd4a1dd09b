"""One module per family of secrets, and the table of them all."""

from collections.abc import Iterator

from service.domain.redact_rules import ai_vendors, cloud, code_hosts, commands, connections, messaging, services, tokens
from service.domain.redact_rules.keyed import is_secret_under, keyed_spans
from service.domain.redact_rules.links import link_spans
from service.domain.redact_rules.rule import Rule, Span
from service.domain.redact_rules.scan import build_table, shape_spans
from service.domain.redact_rules.tree import lowered

RULES: tuple[Rule, ...] = (
    *tokens.RULES,
    *cloud.RULES,
    *code_hosts.RULES,
    *ai_vendors.RULES,
    *messaging.RULES,
    *services.RULES,
    *connections.RULES,
    *commands.RULES,
)

__all__ = ["RULES", "find_spans", "is_secret_under", "rule_texts"]

_TABLE = build_table(RULES)


def find_spans(text: str) -> list[Span]:
    """Every stretch that must go, URLs before credentials; they may overlap."""
    small = lowered(text)
    return [*link_spans(text, small), *shape_spans(text, _TABLE), *keyed_spans(text, small)]


def rule_texts() -> Iterator[str]:
    """What the rules consist of, to be digested."""
    for rule in RULES:
        yield f"{rule.name} {rule.pattern.pattern} {rule.anchors}"
