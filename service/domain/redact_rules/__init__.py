"""One module per family of secrets, and the table of them all."""

from service.domain.redact_rules import (
    ai_vendors,
    calls,
    cloud,
    code_hosts,
    codes,
    commands,
    commerce,
    configuration,
    connections,
    hashes,
    hosting,
    infrastructure,
    logins,
    lookups,
    messaging,
    monitoring,
    named,
    services,
    statements,
    tokens,
    wallets,
    webhooks,
)
from service.domain.redact_rules.keyed import is_secret_under, keyed_spans
from service.domain.redact_rules.links import link_spans
from service.domain.redact_rules.marks import outside_marks
from service.domain.redact_rules.rule import Rule, Span
from service.domain.redact_rules.scan import anchored_spans, build_table, shape_spans
from service.domain.redact_rules.tree import lowered
from service.domain.redact_rules.views import spans_in_views

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

__all__ = ["RULES", "find_spans", "is_secret_under"]

_MARKS = ("[redacted:password]", "[redacted:secret]")
_TABLE = build_table(RULES)


def find_spans(text: str) -> list[Span]:
    """Every stretch that must go, URLs before credentials; they may overlap."""
    small = lowered(text)
    for mark in _MARKS:
        # A keyword in a mark of ours tells of nothing; blanked out, it costs nothing either.
        small = small.replace(mark, " " * len(mark))
    spans = [*link_spans(text, small), *shape_spans(text, _TABLE), *keyed_spans(text, small)]
    spans += spans_in_views(text, lambda view: anchored_spans(view, _TABLE))
    return outside_marks(text, spans)
