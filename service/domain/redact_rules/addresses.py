"""The parts of a URL as a browser sees them, whatever it was written with."""

import re
from html import unescape
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from service.domain.redact_rules import hosts

LIMIT = 8192
_AUTHORITY = re.compile(r"[^/?#\\]*")
_ESCAPED = re.compile(r"%(?:2[eE]|3\d|[46][1-9A-Fa-f]|[57][0-9Aa])")
_WIDE = re.compile(r"[Ａ-Ｚａ-ｚ０-９①-⓿]")
_ENTITY = re.compile(r"&(?:amp|colon|sol|quest|equals|#\d{1,6}|#[xX][0-9a-fA-F]{1,6});")
_CODED = re.compile(r"\\(?:u00|x)([0-9a-fA-F]{2})")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\u00ad\ufe00-\ufe0f\U000e0100-\U000e01ef]")


class Link(NamedTuple):
    """The parts of a URL that a judgement needs; `shown` where it is fetched by merely showing the text.

    A `familiar` host is one that ordinary links lead to; `risky` is a picture from nowhere, or a host that says what it
    is for: then little is needed to distrust it. A tuple for the reason that `Keyword` is one.
    """

    user: str
    host: str
    path: str
    query: str
    fragment: str
    shown: bool
    familiar: bool
    risky: bool


def _plain(url: str) -> str:
    """The URL without the codes and signs that a browser reads over."""
    if not url.isascii():
        url = _INVISIBLE.sub("", url)
    if "\\" in url or "&" in url:
        url = _ENTITY.sub(lambda entity: unescape(entity.group()), url.replace("\\/", "/"))
        url = _CODED.sub(lambda code: chr(int(code[1], 16)), url)
    return normalize("NFKC", url) if "：" in url[:24] or "／" in url[:24] else url


def parsed(url: str, *, shown: bool) -> tuple[Link, bool]:
    """The parts as a browser sees them, and whether the host was written in escapes to hide it."""
    url = _plain(url)
    rest = url if url.startswith(("//", "/\\", "\\/")) else url.partition(":")[2]
    rest = rest.lstrip("/\\")
    authority = _AUTHORITY.match(rest)
    netloc = authority.group() if authority else ""
    tail = rest[len(netloc) :].replace("\\", "/")
    user, _, host = netloc.rpartition("@")
    tail, _, fragment = tail.partition("#")
    path, _, query = tail.partition("?")
    name = hosts.plain_name(unquote(host))
    familiar = hosts.is_familiar(name)
    risky = hosts.is_hostile(name) or (shown and not familiar)
    hidden = len(_ESCAPED.findall(host)) >= 2 or _WIDE.search(host) is not None
    return Link(user, name, path, query, fragment, shown, familiar, risky), hidden
