"""Judges the parameters and the fragment of a URL."""

import re

from service.domain.redact_rules import parameters
from service.domain.redact_rules.addresses import Link
from service.domain.redact_rules.messages import (
    JOINTS,
    TEMPLATE,
    is_hidden_telling,
    is_message,
    is_prose,
    says_something,
    tells,
)
from service.domain.redact_rules.payloads import (
    decoded,
    hidden_text,
    is_bulky,
    is_disguised,
    is_needlessly_escaped,
    is_object,
    is_payload,
    is_telling,
)
from service.domain.redact_rules.values import is_mixed

PAIRS = 64
# So many single letters in a row are a word that is spelled, not a way of naming things.
SPELLED = 6
# Forms and scripts of anybody at a host that everybody trusts.
_TAKES_ANYTHING = re.compile(
    r"docs\.google\.com/forms/.{1,200}/formResponse|script\.google(?:usercontent)?\.com/macros/.{1,200}/exec"
)
_TRACKS = re.compile(
    r"(?i)/(?:track|collect|log|beacon|pixel|ping|hit|open|px|1x1|spacer|blank|t|c|p|i|b)(?:\.\w{1,5})?/?\Z"
)
# Words of a sentence whose blanks were replaced by one sign.
_SLUG = re.compile(r"(?<![^-_.])[A-Za-z]{2,}(?=[-_.]|\Z)")
# `a`, `b`, `c` or `w1`, `w2`: names that only count.
_COUNTED = re.compile(r"[A-Za-z]{0,2}\d{1,2}|[a-z]")
_LONG_PROSE = 7
# `the password is …`, whatever the parameter is called.
_TOLD = re.compile(
    r"(?i)(?<![A-Za-z])(?:passw\w{0,6}|api[-_. ]?key|secret|pin)(?:[-_. ]\w{1,20}){0,5}[-_. ](?:is|equals)[-_. :]"
    r"(?=[A-Za-z]{0,24}\d)(?!md5|sha|base64|v\d|oauth)[A-Za-z0-9]{6,}"
)
_ASSIGNS = re.compile(r"\w[=:][^=:]{2,60}[;&,\n\s].{0,40}\w[=:]")
LISTED = re.compile(r"(?i)(?:^|[;,|&\s])(?:pwd?|psw|pass|passwd|password|secret|token|api_?key)[=:][^&=;\s]{4}")
_PAIR = re.compile(r"[&;]")
_TOKEN = re.compile(r"[A-Za-z0-9+/=_-]+")


def query_carries(link: Link) -> bool:
    if not link.query and not link.fragment:
        return False
    pairs = [pair.partition("=")[::2] for pair in _PAIR.split(link.query)[:PAIRS] if pair]
    pairs += _fragment_pairs(link.fragment)
    if any(len(name) >= 16 and says_something(decoded(name)) for name, _ in pairs):
        return True
    if pairs and _TAKES_ANYTHING.search(f"{link.host}{link.path}"):
        return True
    if any("@" in decoded(value) for _, value in pairs) and _TRACKS.search(link.path):
        return True
    return any(_pair_carries(name.lower(), value, link) for name, value in pairs) or (
        not link.familiar and _pairs_carry(pairs)
    )


def _fragment_pairs(fragment: str) -> list[tuple[str, str]]:
    """The fragment as a whole, and the parameters that pages of one script keep in it."""
    fragment = fragment.partition(":~:")[0]  # what follows marks words of the page it leads to
    if not fragment:
        return []
    named = [
        pair.partition("=")[::2] for pair in fragment.rpartition("?")[2].split("&")[:PAIRS] if "=" in pair.rstrip("=")
    ]
    return [("#", fragment), *named]


def _pair_carries(name: str, value: str, link: Link) -> bool:
    if not value:
        name, value = "", name
    plain = decoded(value)
    if _is_loot_template(name, plain, link):
        return True
    hidden = hidden_text(plain)
    if hidden is not None and is_message(hidden):
        return True
    if link.familiar:
        return False
    if is_needlessly_escaped(value) or (name != "#" and _TOLD.search(plain)):
        return True
    if parameters.SIGNING.fullmatch(name):
        return False
    if name not in parameters.PAGING_NAMES and LISTED.search(plain) and "//" not in plain:
        return True
    if name == "#":
        return (
            is_disguised(plain)
            or is_disguised(value)
            or (is_bulky(plain, 64) and _TOKEN.fullmatch(plain) is not None)
            or _fragment_tells(plain)
        )
    if name not in parameters.PAGING_NAMES and (
        hidden is not None or is_disguised(plain) or (value != plain and is_payload(value))
    ):
        return True
    if name in parameters.COUNTING_NAMES and _ASSIGNS.search(hidden or ""):
        return True
    return _is_loot(name, plain, link)


def _fragment_tells(plain: str) -> bool:
    """Whether a fragment is a message: no anchor of a page has so many words with blanks."""
    return is_prose(plain, _LONG_PROSE) or (is_prose(plain, 5) and (is_telling(plain) or plain.startswith("{")))


def _is_loot_template(name: str, plain: str, link: Link) -> bool:
    """A hole for something secret, but not the documented parameter of the same name (`?token={token}`)."""
    if TEMPLATE.search(plain) is None:
        return False
    return (
        link.risky
        or "$(" in plain
        or "`" in plain
        or (not parameters.SIGNING.fullmatch(name) and (name in parameters.OPEN_NAMES or len(name) == 1))
    )


def _is_loot(name: str, plain: str, link: Link) -> bool:
    """Open text, or random characters beyond the size of an id, under a name that fits."""
    if (
        link.risky
        and len(plain) >= 12
        and (name in parameters.SHORT_NAMES or any(sign in plain for sign in " =@:") or is_bulky(plain, 16))
    ):
        return True
    if is_object(plain) and (link.risky or name in parameters.SHORT_NAMES or _TRACKS.search(link.path)):
        return True
    if name in parameters.OPEN_NAMES and (
        is_bulky(plain, 20) or is_prose(plain, 3) or (len(plain) >= 8 and is_telling(plain))
    ):
        return True
    if name not in parameters.ASKING_NAMES and is_prose(plain, 5):
        return True
    if is_prose(plain, 5) and (is_hidden_telling(plain) or (name in parameters.TELLING_NAMES and is_telling(plain))):
        return True
    if name in parameters.PERSONAL_NAMES and sum(map(str.isdigit, plain)) >= 6:
        return True
    if len(name) == 1 and name != "#" and name not in parameters.ASKING_NAMES and is_prose(plain, 4):
        return True
    if name in parameters.PAIR_NAMES and len(plain) >= 6 and ":" in plain[1:-1] and "//" not in plain:
        return True
    if (
        name != "#"
        and (name in parameters.OPEN_NAMES or len(name) <= 1)
        and name not in parameters.ASKING_NAMES
        and (_is_slug_message(plain) or (name in parameters.OPEN_NAMES and len(_SLUG.findall(plain)) >= 6))
    ):
        return True
    return name not in parameters.PAGING_NAMES and is_bulky(plain, 40 if name in parameters.SHORT_NAMES else 44)


def _is_slug_message(text: str) -> bool:
    """Whether words joined by hyphens or underscores speak of secrets or persons."""
    words = JOINTS.sub(" ", text[:1024])
    return is_prose(words, 4) and tells(words)


def _pairs_carry(pairs: list[tuple[str, str]]) -> bool:
    """Whether the values of several parameters decode only once they are joined."""
    letters = [value for _, value in pairs if len(value) == 1 and value.isalpha()]
    if len(letters) >= SPELLED and letters != sorted(letters):
        return True
    if _is_credential_pair(dict(pairs)):
        return True
    spelled = [decoded(value) for name, value in pairs if _COUNTED.fullmatch(name)]
    if len(spelled) > 2 and (is_telling(" ".join(spelled)) or is_telling("".join(spelled))):
        return True
    # An address is no piece of a message.
    values = [decoded(value) for _, value in pairs if 4 <= len(value) <= 256 and not value.startswith("http")]
    joined = "".join(values)
    return len(values) > 1 and len(joined) >= 20 and not joined.isalpha() and hidden_text(joined) is not None


def _is_credential_pair(values: dict[str, str]) -> bool:
    """Whether a user and something like a password stand side by side, under names as short as they come."""
    named = any(values.get(name) for name in ("u", "user", "username", "login"))
    return named and any(
        is_mixed(values.get(name, "")) and len(values[name]) >= 6 for name in ("p", "pw", "pass", "pwd")
    )
