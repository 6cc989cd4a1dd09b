"""Tokens of vendors nobody listed: random characters behind a prefix whose words say key, token, live or a vendor."""

import re

from service.domain.redact_rules.keywords import VENDORS
from service.domain.redact_rules.rule import Rule, prefixed
from service.domain.redact_rules.samples import alnum, hexes
from service.domain.redact_rules.tree import words
from service.domain.redact_rules.values import looks_random

_F = "named"
_TELLING = words("""
    live test sandbox sbox prod production key apikey token tok secret pat sk access refresh admin api priv oauth
    svc
""")
# Publishable keys and sessions of a check-out page are made to be seen.
_SEEN = r"(?<!pk_)(?<!pub_)(?<!cs_)(?<!public_)(?<!publishable_)"
_SHORTEST = 24
_LEAD = re.compile(r"(?:[A-Za-z]{1,12}\d?[_-]){1,4}")


def has_random_tail(token: str) -> bool:
    """Whether what stands behind the words of a prefix is long and random."""
    lead = _LEAD.match(token)
    tail = token[lead.end() if lead else 0 :]
    return len(tail) >= _SHORTEST and looks_random(tail) and sum(map(str.isdigit, tail[:64])) > 1


# A token has a digit among its first characters; without that look ahead every word would be read to its end.
_BODY = r"(?=[A-Za-z_-]{0,48}[0-9])(?:[a-z]{2,10}[_-]){0,2}[A-Za-z0-9_-]{24,512}+"

RULES: tuple[Rule, ...] = (
    prefixed(
        "client-secret",
        _F,
        "client_secret_ sk_example_ secret_",
        r"(?=[A-Za-z_]{0,30}[0-9])[A-Za-z0-9]{24,}(?:[_.][A-Za-z0-9]{16,})?",
        "client_secret_" + alnum(32),
        "client_secret_name",
    ),
    Rule(
        "prefixed-key",
        _F,
        re.compile(rf"(?<![A-Za-z0-9]){_SEEN}(?:{'|'.join(_TELLING)})_{_BODY}"),
        tuple(f"{word}_" for word in _TELLING),
        "acme_live_apikey_" + alnum(26) + "_" + alnum(22),
        "live_reload_enabled_by_default_here_2",
        accept=has_random_tail,
    ),
    Rule(
        "prefixed-key",
        _F,
        re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(sorted(VENDORS))})_{_BODY}"),
        tuple(f"{vendor}_" for vendor in sorted(VENDORS) if len(vendor) > 2),
        "grafana_" + hexes(40),
        "grafana_dashboard_provisioning_folder",
        accept=has_random_tail,
    ),
)
