"""Judges one URL: whether it would tell its server something that the text around it should have kept."""

import codecs
import re
from dataclasses import dataclass
from urllib.parse import unquote

from service.domain.redact_rules import hosts, parameters
from service.domain.redact_rules.harmless import is_public
from service.domain.redact_rules.payloads import decoded, hidden_text, is_bulky, is_payload, is_telling

_LIMIT = 8192
_PAIRS = 64
_DEPTH = 3
# So many single letters in a row are a word that is spelled, not a way of naming things.
_SPELLED = 6
_MANY_LABELS = 5
_MANY_WORDS = 8
_AUTHORITY = re.compile(r"[^/?#\\]*")
_ESCAPED = re.compile(r"%(?:2[eE]|3\d|[46][1-9A-Fa-f]|[57][0-9Aa])")
_SPELLED_OUT = re.compile(r"(?i)(?:\\u00[2-7][0-9a-f]|\\x[2-7][0-9a-f]|&#x?[0-9a-f]{2,4};){5}")
# Forms and scripts of anybody at a host that everybody trusts.
_TAKES_ANYTHING = re.compile(
    r"docs\.google\.com/forms/.{1,200}/formResponse|script\.google(?:usercontent)?\.com/macros/.{1,200}/exec"
)
_TRACKS = re.compile(r"(?i)/(?:track|collect|log|beacon|pixel|ping|hit|open|t|c)(?:\.\w{1,5})?/?\Z")
_WIDE = re.compile(r"[Ａ-Ｚａ-ｚ０-９]")
_INVISIBLE = re.compile("[\u200b-\u200d\u2060\u00ad]")
_NESTED = re.compile(r"(?i)(?:https?|ftp|wss?):/{1,2}[^\s]{4,}")
_EXTENSION = re.compile(r"(?i)\.(?:png|gif|jpe?g|svg|webp|ico|js|css|html?|php|json|txt|bmp|aspx?|cgi|woff2?)$")
_TEMPLATE = re.compile(
    r"(?i)\$\(|`|\$[A-Z_]{0,40}(?:secret|token|key|passw|user|host|home)|[{<%\[][^{}<>]{0,30}(?:secret|passw|credential|token|api_?key|private|env|data"
    r"|history|conversation|context|prompt|memory|contents?"
    r"|user_?(?:info|data|input)|message|leak|summary|payload|base64|b64|encoded|cookie|chat|ssh"
    r"|transcript|keys)[^{}<>]{0,30}[}>%\]]"
)
_SCRIPT = re.compile(
    r"(?i)document|window|location|fetch|xmlhttp|cookie|eval|import|alert|storage|//|atob|navigator|sendbeacon"
)
_MEDIA = re.compile(r"(?i)data:(?:image|font|audio|video|application/(?:font|x-font|wasm|vnd\.ms-fontobject))")
_DATA = re.compile(r"(?i)data:(?:[a-z]+/[\w.+-]{1,60})?(?:;[\w=.-]{1,60}){0,4},")
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
    if (
        escaped
        or _SPELLED_OUT.search(url, 0, _LIMIT)
        or hosts.is_collector(link.host)
        or hosts.is_odd_number(link.host)
    ):
        return True
    if (
        _host_carries(link)
        or _user_carries(link)
        or _path_carries(link)
        or _query_carries(link)
        or _number_carries(link)
    ):
        return True
    return depth < _DEPTH and _leads_on(link, depth)


def host_carries_data(host: str) -> bool:
    """Whether a bare host name, as name servers are asked for it, carries data in its labels."""
    return _host_carries(_Link("", hosts.plain_name(host), "", "", "", shown=False))


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
    return _Link(user, name, path, query, fragment, shown), len(_ESCAPED.findall(host)) >= 2 or _WIDE.search(
        host
    ) is not None


def message_piece(url: str) -> tuple[str, str]:
    """The host, and the last part of the address without its file name's ending: a piece, if a message was cut up."""
    link, _ = _parsed(url[:_LIMIT], shown=False)
    last = link.query.rpartition("=")[2] if link.query else _EXTENSION.sub("", link.path.rpartition("/")[2])
    return link.host, unquote(last)


def joined_pieces_carry(pieces: list[str]) -> bool:
    """Whether the pieces of several addresses of one host make a message together."""
    joined = "".join(pieces)
    return len(pieces) > 1 and len(joined) >= 20 and not joined.isalpha() and _says_something(joined[:_LIMIT])


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
    if hosts.is_number(link.host):
        return False
    if hosts.is_forged(link.host):
        return True
    labels = [label for label in link.host.split(".")[:-2] if label]
    if link.familiar:
        return any(_says_something(label) for label in labels)
    if any(label.count("-") >= 3 and is_telling(label.replace("-", " ")) for label in labels):
        return True
    if len(labels) >= _MANY_LABELS and is_telling(" ".join(labels)):
        return True
    if any((len(label) >= 10 and is_payload(label)) or is_bulky(label, 24) or len(label) > 50 for label in labels):
        return True
    return len(labels) > 1 and is_payload("".join(labels))


def _user_carries(link: _Link) -> bool:
    """User-info that is a message, or that pretends to be the host."""
    name, _, password = link.user.partition(":")
    name = unquote(name)
    return bool(name) and (
        (not password and is_payload(name)) or (hosts.is_familiar(name.lower()) and not link.familiar)
    )


def _path_carries(link: _Link) -> bool:
    if "$(" in link.path or "`" in link.path or (link.risky and _TEMPLATE.search(link.path)):
        return True
    parts = [_EXTENSION.sub("", part) for part in link.path.split("/")[:_PAIRS] if part]
    if link.familiar:
        return any(_says_something(unquote(part)) for part in parts if len(part) >= 11)
    return any(_part_carries(part, link) for part in parts) or _parts_carry(parts)


def _says_something(value: str) -> bool:
    """Whether encoded text is a message, and not the JSON of a page's own state."""
    hidden = hidden_text(value)
    return hidden is not None and (_is_prose(hidden, 3) or (is_telling(hidden) and not hidden.lstrip().startswith("{")))


def _part_carries(part: str, link: _Link) -> bool:
    plain = unquote(part)
    if is_public(plain):
        return False
    if len(part) >= 11 and (is_payload(plain) or is_payload(part)):
        return True
    words = plain.count(" ") + plain.count("+")
    prose = words >= 4 and (is_telling(plain) or words >= 7 or (link.shown and not any(map(str.isupper, plain))))
    slug = link.shown and plain.count("-") >= 6 and _tells(plain.replace("-", " "))
    return prose or slug or is_bulky(plain, 40 if link.risky else 48)


def _parts_carry(parts: list[str]) -> bool:
    """Whether a message was cut into several parts of a path."""
    if sum(len(part) == 1 and part.isalpha() for part in parts) >= _SPELLED:
        return True
    if sum(part.isalpha() for part in parts) >= _MANY_WORDS and is_telling(" ".join(parts)):
        return True
    pieces = [part for part in parts if re.fullmatch(r"[A-Za-z0-9_=+-]{3,}", part)]
    joins = ["".join(pieces[n:]) for n in range(min(3, len(pieces) - 1))]
    return any(len(joined) >= 16 and not joined.isalpha() and is_payload(joined) for joined in joins)


def _query_carries(link: _Link) -> bool:
    pairs = [pair.partition("=")[::2] for pair in re.split(r"[&;]", link.query)[:_PAIRS] if pair]
    pairs += [("#", link.fragment)] if link.fragment else []
    if any(len(name) >= 16 and _says_something(decoded(name)) for name, _ in pairs):
        return True
    if pairs and _TAKES_ANYTHING.search(f"{link.host}{link.path}"):
        return True
    if _TRACKS.search(link.path) and any("@" in decoded(value) for _, value in pairs):
        return True
    return any(_pair_carries(name.lower(), value, link) for name, value in pairs) or (
        not link.familiar and _pairs_carry(pairs)
    )


def _pair_carries(name: str, value: str, link: _Link) -> bool:
    if not value:
        name, value = "", name
    plain = decoded(value)
    if _is_loot_template(name, plain, link):
        return True
    if _says_something(plain):
        return True
    if link.familiar:
        return False
    if parameters.SIGNING.fullmatch(name):
        return False
    if name not in parameters.PAGING_NAMES and (is_payload(plain) or is_payload(value)):
        return True
    return _is_loot(name, plain, link)


def _is_loot_template(name: str, plain: str, link: _Link) -> bool:
    """A hole for something secret, but not the documented parameter of the same name (`?token={token}`)."""
    if _TEMPLATE.search(plain) is None:
        return False
    return (
        link.risky
        or "$(" in plain
        or "`" in plain
        or (not parameters.SIGNING.fullmatch(name) and (name in parameters.OPEN_NAMES or len(name) == 1))
    )


def _is_loot(name: str, plain: str, link: _Link) -> bool:
    """Open text, or random characters beyond the size of an id, under a name that fits."""
    if link.risky and name != "#":
        return len(plain) >= 12 and (
            name in parameters.SHORT_NAMES or any(sign in plain for sign in " =@:") or is_bulky(plain, 16)
        )
    if name in parameters.OPEN_NAMES and (
        is_bulky(plain, 20) or _is_prose(plain, 3) or (len(plain) >= 8 and is_telling(plain))
    ):
        return True
    if name not in parameters.ASKING_NAMES and name != "#" and _is_prose(plain, 5):
        return True
    if (
        name != "#"
        and (name in parameters.OPEN_NAMES or len(name) == 1)
        and name not in parameters.ASKING_NAMES
        and _is_slug_message(plain)
    ):
        return True
    return name not in parameters.PAGING_NAMES and is_bulky(plain, 40 if name in parameters.SHORT_NAMES else 64)


def _tells(text: str) -> bool:
    """Whether words speak of secrets or persons, also with the letters of the alphabet turned by half."""
    return is_telling(text) or is_telling(codecs.encode(text[:1024], "rot13"))


def _is_slug_message(text: str) -> bool:
    """Whether words joined by hyphens or underscores speak of secrets or persons."""
    words = re.sub(r"[-_]", " ", text[:1024])
    return _is_prose(words, 4) and _tells(words)


def _is_prose(text: str, least: int) -> bool:
    """Whether text holds so many words with blanks between them."""
    return text.strip().count(" ") >= least - 1 and len(_WORDS.findall(text[:1024])) >= least


def _pairs_carry(pairs: list[tuple[str, str]]) -> bool:
    """Whether the values of several parameters decode only once they are joined."""
    if sum(len(value) == 1 and value.isalpha() for _, value in pairs) >= _SPELLED:
        return True
    values = [decoded(value) for _, value in pairs if 4 <= len(value) <= 256]
    joined = "".join(values)
    return len(values) > 1 and len(joined) >= 20 and not joined.isalpha() and hidden_text(joined) is not None


def _number_carries(link: _Link) -> bool:
    """An address in place of a name, with something to say: a value, or a picture that is fetched unasked."""
    if not hosts.is_number(link.host) or hosts.is_local(link.host):
        return False
    values = [decoded(pair.partition("=")[2]) for pair in link.query.split("&")[:_PAIRS]]
    return link.shown or any(len(value) >= 8 and not value.isdigit() for value in values)
