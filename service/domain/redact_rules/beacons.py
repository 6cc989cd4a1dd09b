"""Judges one URL: whether it would tell its server something that the text around it should have kept."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from service.domain.redact_rules import hosts
from service.domain.redact_rules.payloads import decoded, hidden_text, is_bulky, is_payload, is_telling

_LIMIT = 8192
_PAIRS = 64
_DEPTH = 3
_AUTHORITY = re.compile(r"[^/?#\\]*")
_ESCAPED = re.compile(r"%(?:2[eE]|3\d|[46][1-9A-Fa-f]|[57][0-9Aa])")
_INVISIBLE = re.compile("[\u200b-\u200d\u2060\u00ad]")
_NESTED = re.compile(r"(?i)(?:https?|ftp|wss?):/{1,2}[^\s]{4,}")
_EXTENSION = re.compile(r"(?i)\.(?:png|gif|jpe?g|svg|webp|ico|js|css|html?|php|json|txt|bmp|aspx?|cgi|woff2?)$")
_TEMPLATE = re.compile(
    r"(?i)\$\(|`|[{<%\[][^{}<>]{0,30}(?:secret|passw|credential|token|api_?key|private|env|data|history|conversation|context|prompt|memory|contents?"
    r"|user_?(?:info|data|input)|message|leak|summary|payload|base64|b64|encoded|cookie|chat|ssh|transcript|keys)[^{}<>]{0,30}[}>%\]]"
)
_SCRIPT = re.compile(r"(?i)document|window|location|fetch|xmlhttp|cookie|eval|import|alert|storage|//|atob|navigator|sendbeacon")
_MEDIA = re.compile(r"(?i)data:(?:image|font|audio|video|application/(?:font|x-font|wasm|vnd\.ms-fontobject))")
_DATA = re.compile(r"(?i)data:(?:[a-z]+/[\w.+-]{1,60})?(?:;[\w=.-]{1,60}){0,4},")
_SIGNING = re.compile(
    r"(?:x-(?:amz|goog|oss|ms)-.*|sig|signature|se|sp|sv|sr|policy|key-pair-id|hdnts|token|access_token|id_token|code|expires|awsaccesskeyid|key|api_?key|apikey|appid|auth)"
)
# Names that say the value is loot, and names that take anything.
_OPEN_NAMES = frozenset(
    "data d exfil exfiltrate payload leak dump steal stolen loot secret secrets creds credentials env keys conversation history context memory transcript cookies cookie contents content chat stuff"
    " keylog prompt system_prompt b64 base64 blob notes".split()
)
_SHORT_NAMES = frozenset("abcdefghijklmnopqrstuvwxyz") | _OPEN_NAMES | frozenset("enc encoded body msg message out output result log logs info text report event user pw pass password session file files input summary answer".split())
_ASKING_NAMES = frozenset("q query search s k keyword keywords title subject term terms name address location place filter label labels sort text quote caption body description message hl".split())
_PAGING_NAMES = frozenset(
    "cursor after before page pagetoken page_token nexttoken next_token next continuation continuationtoken starting_after state nonce code_challenge samlrequest relaystate return returnto return_to"
    " returnurl redirect redirect_uri redirect_url url next_url gclid fbclid msclkid dclid wbraid gbraid _ga _gl igshid mc_eid mc_cid _hsenc _hsmi mkt_tok utm_source utm_medium utm_campaign utm_content"
    " utm_term utm_id ref ref_ si feature ved ei sxsrf vsrid sca_esv gs_lcp client_id etag rev hash sha commit v #".split()
)
_WORDS = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class _Link:
    """The parts of a URL that a judgement needs; `shown` where it is fetched by merely showing the text."""

    user: str
    host: str
    path: str
    query: str
    fragment: str
    shown: bool

    @property
    def familiar(self) -> bool:
        return hosts.is_familiar(self.host)

    @property
    def risky(self) -> bool:
        """Whether little is needed to distrust it: a picture from nowhere, or a host that says what it is for."""
        return hosts.is_hostile(self.host) or (self.shown and not self.familiar)


def carries_data(url: str, *, shown: bool = False, depth: int = 0) -> bool:
    """Whether the URL carries data out; what it leads on to is judged as well."""
    start = url[:12].lower()
    if start.startswith("data:"):
        return _is_loaded_data(url)
    if start.startswith(("javascript:", "vbscript:")):
        return _SCRIPT.search(url[:_LIMIT]) is not None
    link, escaped = _parsed(url[:_LIMIT], shown=shown)
    if escaped or hosts.is_collector(link.host) or hosts.is_odd_number(link.host):
        return True
    if _host_carries(link) or _user_carries(link) or _path_carries(link) or _query_carries(link) or _number_carries(link):
        return True
    return depth < _DEPTH and _leads_on(link, depth)


def _parsed(url: str, *, shown: bool) -> tuple[_Link, bool]:
    """The parts as a browser sees them, and whether the host was written in escapes to hide it."""
    url = _INVISIBLE.sub("", url).replace("\\/", "/").replace("&amp;", "&")
    rest = url if url.startswith("//") else url.partition(":")[2]
    rest = rest.lstrip("/\\")
    authority = _AUTHORITY.match(rest)
    netloc = authority.group() if authority else ""
    tail = rest[len(netloc) :].replace("\\", "/")
    user, _, host = netloc.rpartition("@")
    tail, _, fragment = tail.partition("#")
    path, _, query = tail.partition("?")
    name = hosts.plain_name(unquote(host))
    return _Link(user, name, path, query, fragment, shown), len(_ESCAPED.findall(host)) >= 2


def _leads_on(link: _Link, depth: int) -> bool:
    """A URL within the URL, as redirects take it."""
    nested = _NESTED.search(decoded(f"{link.path}?{link.query}"[1:]))
    return nested is not None and carries_data(nested.group(), shown=False, depth=depth + 1)


def _is_loaded_data(url: str) -> bool:
    """A data: URL that is no picture, font or sound and holds more than a few characters."""
    return _DATA.match(url) is not None and _MEDIA.match(url) is None and len(url.partition(",")[2]) >= 8


def _host_carries(link: _Link) -> bool:
    if any(sign in link.host for sign in "$`{<"):
        return _TEMPLATE.search(link.host) is not None
    if hosts.is_number(link.host) or link.familiar:
        return False
    labels = [label for label in link.host.split(".")[:-2] if label]
    if any((len(label) >= 10 and is_payload(label)) or is_bulky(label, 24) or len(label) > 50 for label in labels):
        return True
    return len(labels) > 1 and is_payload("".join(labels))


def _user_carries(link: _Link) -> bool:
    """User-info that is a message, or that pretends to be the host."""
    name, _, password = link.user.partition(":")
    name = unquote(name)
    return bool(name) and ((not password and is_payload(name)) or (hosts.is_familiar(name.lower()) and not link.familiar))


def _path_carries(link: _Link) -> bool:
    if link.risky and _TEMPLATE.search(link.path):
        return True
    if link.familiar:
        return False
    parts = [_EXTENSION.sub("", part) for part in link.path.split("/")[:_PAIRS] if part]
    return any(_part_carries(part, link) for part in parts) or _parts_carry(parts)


def _part_carries(part: str, link: _Link) -> bool:
    plain = unquote(part)
    if len(part) >= 11 and (is_payload(plain) or is_payload(part)):
        return True
    words = plain.count(" ") + plain.count("+")
    prose = words >= 4 and (is_telling(plain) or words >= 7 or (link.shown and not any(map(str.isupper, plain))))
    slug = link.shown and plain.count("-") >= 6 and is_telling(plain.replace("-", " "))
    return prose or slug or is_bulky(plain, 40 if link.risky else 48)


def _parts_carry(parts: list[str]) -> bool:
    """Whether a message was cut into several parts of a path."""
    pieces = [part for part in parts if re.fullmatch(r"[A-Za-z0-9_=+-]{3,}", part)]
    joins = ["".join(pieces[n:]) for n in range(min(3, len(pieces) - 1))]
    return any(len(joined) >= 16 and not joined.isalpha() and is_payload(joined) for joined in joins)


def _query_carries(link: _Link) -> bool:
    pairs = [pair.partition("=")[::2] for pair in re.split(r"[&;]", link.query)[:_PAIRS] if pair]
    pairs += [("#", link.fragment)] if link.fragment else []
    return any(_pair_carries(name.lower(), value, link) for name, value in pairs) or (not link.familiar and _pairs_carry(pairs))


def _pair_carries(name: str, value: str, link: _Link) -> bool:
    if not value:
        name, value = "", name
    plain = decoded(value)
    if _is_loot_template(name, plain, link):
        return True
    hidden = hidden_text(plain)
    if hidden is not None and (_is_prose(hidden, 3) or (is_telling(hidden) and not hidden.lstrip().startswith("{"))):
        return True
    if link.familiar:
        return False
    if _SIGNING.fullmatch(name):
        return False
    if name not in _PAGING_NAMES and (is_payload(plain) or is_payload(value)):
        return True
    return _is_loot(name, plain, link)


def _is_loot_template(name: str, plain: str, link: _Link) -> bool:
    """A hole for something secret, but not the documented parameter of the same name (`?token={token}`)."""
    if _TEMPLATE.search(plain) is None:
        return False
    return link.risky or "$(" in plain or "`" in plain or (not _SIGNING.fullmatch(name) and (name in _OPEN_NAMES or len(name) == 1))


def _is_loot(name: str, plain: str, link: _Link) -> bool:
    """Open text, or random characters beyond the size of an id, under a name that fits."""
    if link.risky and name != "#":
        return len(plain) >= 12 and (name in _SHORT_NAMES or any(sign in plain for sign in " =@:") or is_bulky(plain, 16))
    if name in _OPEN_NAMES and (is_bulky(plain, 20) or _is_prose(plain, 3) or (len(plain) >= 8 and is_telling(plain))):
        return True
    if name not in _ASKING_NAMES and name != "#" and _is_prose(plain, 5):
        return True
    return name not in _PAGING_NAMES and is_bulky(plain, 40 if name in _SHORT_NAMES else 64)


def _is_prose(text: str, least: int) -> bool:
    """Whether text holds so many words with blanks between them."""
    return text.strip().count(" ") >= least - 1 and len(_WORDS.findall(text[:1024])) >= least


def _pairs_carry(pairs: list[tuple[str, str]]) -> bool:
    """Whether the values of several parameters decode only once they are joined."""
    values = [decoded(value) for _, value in pairs if 4 <= len(value) <= 256]
    joined = "".join(values)
    return len(values) > 1 and len(joined) >= 20 and not joined.isalpha() and hidden_text(joined) is not None


def _number_carries(link: _Link) -> bool:
    """An address in place of a name, with something to say: a value, or a picture that is fetched unasked."""
    if not hosts.is_number(link.host) or hosts.is_local(link.host):
        return False
    values = [decoded(pair.partition("=")[2]) for pair in link.query.split("&")[:_PAIRS]]
    return link.shown or any(len(value) >= 8 and not value.isdigit() for value in values)
