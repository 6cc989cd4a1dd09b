"""Judges one URL: whether it would tell its server something that the text around it should have kept."""

import re
from urllib.parse import unquote

from service.domain.redact_rules import hosts, parameters
from service.domain.redact_rules.addresses import LIMIT, Link, parsed
from service.domain.redact_rules.harmless import is_public
from service.domain.redact_rules.messages import JOINTS, TEMPLATE, is_prose, says_something, tells
from service.domain.redact_rules.payloads import (
    decoded,
    hidden_text,
    is_bulky,
    is_needlessly_escaped,
    is_object,
    is_payload,
    is_telling,
)
from service.domain.redact_rules.queries import LISTED, PAIRS, SPELLED, query_carries
from service.domain.redact_rules.values import is_hash, is_hex

_DEPTH = 3
_MANY_LABELS = 5
_MANY_WORDS = 8
_SPELLED_OUT = re.compile(r"(?i)(?:\\u00[2-7][0-9a-f]|\\x[2-7][0-9a-f]|&#x?[0-9a-f]{2,4};){5}")
_NESTED = re.compile(r"(?i)(?:https?|ftp|wss?):/{1,2}[^\s]{4,}")
# An image proxy takes `url=host/path` without a scheme.
_NESTED_BARE = re.compile(
    r"(?:^|&)(?:url|u|src|to|target|dest|link|goto|image|img)=(?://)?(?P<url>"
    r"(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,12}/[^\s&]{8,})"
)
_UNSEEN = re.compile("[\u200b-\u200f\u2060-\u2064\u00ad\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_MANY_UNSEEN = 8
_COURTEOUS = re.compile(r"(?i)\b(?:hi|hello|hey|dear|hallo|bonjour|hola|please|thanks?|regards|i|you|your|my|bitte)\b")
_NUMBER = re.compile(r"\d{3,}")
_LISTED_WORDS = 4
_LISTED_NUMBERS = 3
# `/name=…;email=…/`: persons in the parameters of a path.
_PERSONAL = re.compile(r"(?i)(?:^|[/;,&])(?:e-?mail|phone|tel|ssn|iban|card|dob|passport)=[^/;,&]{5}")
_MAILED = re.compile(r"(?i)mailto:[^?@\s]{1,128}@(?P<host>[a-z0-9.-]{4,253})")
# Nobody has so many blanks in a user's name.
_SPACED_USER = 3
_PATH_SIGN = re.compile(r"[/?#\\]")
_LOOTED = re.compile(r"(?i)\$\{[^{}]{0,40}(?:cookie|btoa\(|localstorage|sessionstorage)")
_SHARES = ("file:", "smb:", "afp:", "nfs:")
_SHORT = 64
_PLAIN = re.compile(
    r"https?://(?P<host>(?:[a-z][a-z0-9-]{0,20}\.){1,3}[a-z]{1,12})(?::\d{1,5})?"
    r"(?:(?:/[a-z._~-]{2,12}){0,2}|(?:/[A-Za-z0-9]{1,7}){1,2})/?"
    r"(?:\?[a-z]{1,8}=[A-Za-z0-9._-]{0,3}(?:&[a-z]{1,8}=[A-Za-z0-9._-]{0,3})?)?"
)
# Paths of a machine's own pages, as they are called while it is set up.
_SERVED = re.compile(
    r"(?i)/(?:(?:api|v\d|actuator|_cluster|_cat)/?){0,3}(?:health\w{0,5}|healthz|livez|readyz|status|metrics|ping"
    r"|version|docs|login|admin|index\.html"
    r"|favicon\.ico|info|api|items|users|graphql|dashboard|ui|swagger[\w/.-]{0,20}|openapi\.json|robots\.txt)?"
)
# `…the-password-for-staging-is-x7…`: words joined to a path that tell the value as well.
_VALUE_TOLD = re.compile(
    r"(?i)(?:passw\w{0,6}|api[-_.]?key|token|secret|pin)(?:[-_.]\w{1,20}){0,5}[-_.](?:is|equals)[-_.]"
    r"(?=[A-Za-z]{0,24}\d)(?!md5|sha|base64|v\d)[A-Za-z0-9]{4,}"
)
# Parameters of a path: `;name=value`.
_NAMED = re.compile(r"^[a-z_]{1,24}=")
_EXTENSION = re.compile(r"(?i)\.(?:png|gif|jpe?g|svg|webp|ico|js|css|html?|php|json|txt|bmp|aspx?|cgi|woff2?)$")
_SCRIPT = re.compile(r"(?i)document|fetch|xmlhttp|cookie|storage|//|atob|navigator|sendbeacon|\bimport\(")
_ACTIVE = re.compile(
    r"(?i)data:(?:text/html|(?!image/)[a-z]+/(?:[\w.-]+\+)?xml|text/javascript|application/(?:x-)?(?:java|ecma)script)"
)
_DATA = re.compile(r"(?i)data:(?:[a-z]+/[\w.+-]{1,60})?(?:;[\w=.-]{1,60}){0,4},")


def carries_data(url: str, *, shown: bool = False, depth: int = 0) -> bool:
    """Whether the URL carries data out; what it leads on to is judged as well."""
    if _is_plain(url):
        return False
    start = url[:12].lower()
    if start.startswith("data:"):
        return _is_loaded_data(url)
    if start.startswith("mailto:") and _mail_carries(url[:LIMIT]):
        return True
    if start.startswith(("javascript:", "vbscript:")):
        return _SCRIPT.search(url[:LIMIT]) is not None
    link, escaped = parsed(url[:LIMIT], shown=shown)
    if start.startswith(_SHARES) and (hosts.is_number(link.host) or (link.shown and "." in link.host)):
        return not hosts.is_local(link.host)
    if escaped or _is_spelled_out(url[:LIMIT]):
        return True
    if (hosts.is_collector(link.host) and not _is_home_page(link)) or hosts.is_odd_number(link.host) or _is_told(link):
        return True
    if (
        _number_carries(link)
        or _host_carries(link)
        or _user_carries(link)
        or _path_carries(link)
        or query_carries(link)
    ):
        return True
    return depth < _DEPTH and _leads_on(link, depth)


def _is_spelled_out(url: str) -> bool:
    """Whether letters stand there as codes, or signs that nobody sees between them."""
    if ("\\" in url or "&#" in url) and _SPELLED_OUT.search(url):
        return True
    return not url.isascii() and len(_UNSEEN.findall(url)) >= _MANY_UNSEEN


def _is_plain(url: str) -> bool:
    """Whether an address is so short and plain that it can say nothing; most are, and judging one takes a while."""
    found = _PLAIN.fullmatch(url) if len(url) <= _SHORT else None
    return found is not None and not hosts.is_suspicious(found["host"])


def _mail_carries(url: str) -> bool:
    """Whether a prepared mail goes to a request bin, or is a message in the tone of a report, not of one who asks."""
    to = _MAILED.match(url)
    if to is not None and hosts.is_collector(to["host"].lower()):
        return True
    body = decoded(url.partition("body=")[2].partition("&")[0])
    listed = body.count(" ") >= _LISTED_WORDS and len(_NUMBER.findall(body)) >= _LISTED_NUMBERS
    return (listed or is_prose(body, 6)) and _COURTEOUS.search(body) is None


def _is_told(link: Link) -> bool:
    """Whether a host that says what it is for is told anything; its bare name in a test tells it nothing."""
    told = link.shown or link.query or link.fragment or len(link.path) > 1 or link.host.count(".") > 1
    return bool(told) and hosts.is_hostile(link.host)


def _is_home_page(link: Link) -> bool:
    """Whether the address is only the front door of a service: its customers have a label or a path of their own."""
    return link.host in hosts.COLLECTORS and not (link.path.strip("/") or link.query or link.fragment)


def app_link_carries(url: str) -> bool:
    """Whether the address of an application of its own scheme holds a message in disguise."""
    link, _ = parsed(url[:LIMIT], shown=False)
    values = [pair.partition("=")[2] or pair for pair in re.split(r"[&;#]", f"{link.query}&{link.fragment}")[:PAIRS]]
    return any(says_something(decoded(value)) for value in (*values, *link.path.split("/")[:PAIRS]) if len(value) >= 16)


def host_carries_data(host: str) -> bool:
    """Whether a bare host name, as name servers are asked for it, carries data in its labels."""
    return _host_carries(parsed(f"//{host}", shown=False)[0])


def message_piece(url: str) -> tuple[str, str]:
    """The host, and the last part of the address without its file name's ending: a piece, if a message was cut up."""
    link, _ = parsed(url[:LIMIT], shown=False)
    last = link.query.rpartition("=")[2] if link.query else _EXTENSION.sub("", link.path.rpartition("/")[2])
    return link.host, unquote(last)


def joined_pieces_carry(pieces: list[str]) -> bool:
    """Whether the pieces of several addresses of one host make a message together."""
    joined = "".join(pieces)
    return len(pieces) > 1 and len(joined) >= 20 and not joined.isalpha() and says_something(joined[:LIMIT])


def _leads_on(link: Link, depth: int) -> bool:
    """A URL within the URL, as redirects take it."""
    if not link.query and ":" not in link.path and "%" not in link.path:
        return False
    nested = _NESTED.search(decoded(f"{link.path}?{link.query}"[1:]))
    if nested is not None:
        return carries_data(nested.group(), shown=False, depth=depth + 1)
    bare = _NESTED_BARE.search(decoded(link.query))
    return bare is not None and carries_data(f"https://{bare['url']}", shown=False, depth=depth + 1)


def _is_loaded_data(url: str) -> bool:
    """A data: URL that is a page or a script, or that holds text about secrets."""
    if _DATA.match(url) is None:
        return False
    content = url[:LIMIT].partition(",")[2]
    return len(content) >= 8 and (_ACTIVE.match(url) is not None or is_telling(hidden_text(content) or content))


def _host_carries(link: Link) -> bool:
    if any(sign in link.host for sign in "$`{<") and TEMPLATE.search(link.host):
        return True
    if hosts.is_number(link.host):
        return False
    if hosts.is_forged(link.host):
        return True
    labels = [label.lstrip("_") for label in link.host.split(".")[:-2] if label]
    if link.familiar:
        return any(says_something(label) for label in labels)
    if _are_hexadecimal(labels) and not hosts.is_platform(link.host):
        return True
    if any(label.count("-") >= 3 and is_telling(label.replace("-", " ")) for label in labels):
        return True
    if len(labels) >= _MANY_LABELS and is_telling(" ".join(labels)):
        return True
    if any((len(label) >= 10 and is_payload(label)) or is_bulky(label, 24) or len(label) > 50 for label in labels):
        return True
    return len(labels) > 1 and (is_payload("".join(labels)) or _VALUE_TOLD.search("-".join(labels)) is not None)


def _are_hexadecimal(labels: list[str]) -> bool:
    """Whether labels spell bytes: two in a row, or one that has the length of no digest."""
    found = [label for label in labels if len(label) >= 16 and is_hex(label)]
    return len(found) > 1 or any(len(label) >= 20 and not is_hash(label) for label in found)


def _user_carries(link: Link) -> bool:
    """User-info that is a message, or that pretends to be the host."""
    name, _, password = link.user.partition(":")
    name = decoded(name)
    if not name:
        return False
    if hosts.is_familiar(_PATH_SIGN.split(name.lower())[0]) and not link.familiar:
        return True
    told = len(name) >= 12 and tells(JOINTS.sub(" ", name))
    spaced = name.replace("+", " ").count(" ") >= _SPACED_USER or is_object(name)
    return (
        spaced
        or is_payload(name)
        or is_payload(link.user)
        or is_bulky(name, 24)
        or (told and (not password or "=" in name))
    )


def _path_carries(link: Link) -> bool:
    if (
        "$(" in link.path
        or "`" in link.path
        or _LOOTED.search(link.path)
        or (link.risky and TEMPLATE.search(link.path))
    ):
        return True
    if not link.familiar and "=" in link.path and _PERSONAL.search(unquote(link.path)):
        return True
    parts = [_EXTENSION.sub("", _NAMED.sub("", part)) for part in re.split(r"[/;]", link.path)[:PAIRS] if part]
    if link.familiar:
        return any(says_something(unquote(part)) for part in parts if len(part) >= 11)
    return any(_part_carries(part, link) for part in parts) or _parts_carry(parts)


def _part_carries(part: str, link: Link) -> bool:
    plain = decoded(part.replace("+", "%2B"))
    if is_public(plain):
        return False
    if is_object(plain) or (LISTED.search(plain) and "//" not in plain):
        return True
    if len(part) >= 11 and (is_payload(plain) or (part != plain and (is_payload(part) or is_needlessly_escaped(part)))):
        return True
    words = plain.count(" ") + plain.count("+")
    prose = words >= 4 and (is_telling(plain) or words >= 7 or (link.shown and not any(map(str.isupper, plain))))
    slug = link.shown and len(JOINTS.findall(plain)) >= 6 and tells(JOINTS.sub(" ", plain))
    slug = slug or (link.shown and len(JOINTS.findall(plain)) >= 6 and any(sign in plain for sign in ":,;@="))
    return prose or slug or _VALUE_TOLD.search(plain) is not None or is_bulky(plain, 36 if link.risky else 40)


def _parts_carry(parts: list[str]) -> bool:
    """Whether a message was cut into several parts of a path."""
    if _VALUE_TOLD.search("-".join(parts)):
        return True
    letters = [part for part in parts if len(part) == 1 and part.isalpha()]
    if len(letters) >= SPELLED and letters != sorted(letters):
        return True
    if sum(part.isalpha() for part in parts) >= _MANY_WORDS and is_telling(" ".join(parts)):
        return True
    pieces = [part for part in parts if re.fullmatch(r"[A-Za-z0-9_=+-]{3,}", part)]
    joins = ["".join(pieces[n:]) for n in range(min(3, len(pieces) - 1))]
    return any(len(joined) >= 16 and not joined.isalpha() and is_payload(joined) for joined in joins)


def _number_carries(link: Link) -> bool:
    """A number in place of a name, unless it is asked for what people ask machines of their own for."""
    if not hosts.is_number(link.host) or hosts.is_local(link.host):
        return False
    pairs = [pair.partition("=") for pair in link.query.split("&")[:PAIRS]]
    path = link.path.rstrip("/")
    if link.shown or (path and _SERVED.fullmatch(path) is None):
        return True
    return any(
        not value.isdigit() and len(value) >= (4 if name.lower() in parameters.SHORT_NAMES else 8)
        for name, _, value in pairs
    )
