"""Finds the URLs in a text, also those that are written so as not to be seen as one."""

import re
from collections.abc import Iterator
from functools import lru_cache
from unicodedata import normalize

from service.domain.redact_rules import hosts
from service.domain.redact_rules.beacons import (
    app_link_carries,
    carries_data,
    joined_pieces_carry,
    message_piece,
)
from service.domain.redact_rules.rule import Span
from service.domain.redact_rules.tree import tree_pattern, words
from service.domain.redact_rules.uploads import has_sender, is_sent

_NAME = "data-url"
_SCHEMES = frozenset(
    words("""
    http https ftp ftps sftp ws wss gopher ldap ldaps dict tftp dns smb hxxp hxxps telnet ssh rsync mqtt irc file
    view-source rtsp rtsps rtmp svn nfs afp coap feed itms-services
""")
)
_OPAQUE = frozenset(words("data javascript vbscript mailto http https sms smsto sip xmpp magnet"))
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-"
_START = re.compile(
    r":(?:(?:\\?/){2,4}|/\\(?=[a-zA-Z0-9])|(?:\\(?:u00|x)2[fF]){2}|\\{1,4}(?=[a-zA-Z0-9])|/(?=[a-zA-Z0-9][a-zA-Z0-9.-]{0,60}\.[a-z])|"
    r"(?<=[aAoOpPsStT]:)(?=[A-Za-z(;,?+]))"
    r"|&(?:#0{0,4}58|#[xX]0{0,4}3[aA]|colon);(?:\\?/|&(?:#0{0,4}47|#[xX]0{0,4}2[fF]|sol);){2,4}"
    r"|(?<=[psPS]):(?:&(?:#0{0,4}47|#[xX]0{0,4}2[fF]|sol);){2}|//(?=[A-Za-z0-9\[])"
    r"|[：:]／／|：//|\\/\\/(?=[A-Za-z0-9])|/\\(?=[a-z0-9-]{1,40}\.)"
)
# The ideographic full stop counts inside a host, where browsers read it as a dot, and ends a sentence elsewhere.
# A closing bracket that the URL did not open ends it: there ends the Markdown link around it.
# A name in another script goes on to a sign that belongs to the address; a sentence does not.
_WIDE_NAME = "[\u0400-\u06ff\u0900-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,40}(?=[/?&=#%])"
_SIGN = (
    r"(?:\$\([^)\n]{1,200}\)|[!#$%&*+,./0-9:;=?@A-Z\[\]^_a-z|~¡-ɏ\\-]|[。．｡](?=[a-z0-9Ａ-Ｚａ-ｚ-])"
    rf"|(?<=[/=]){_WIDE_NAME}"
    r"|[Ａ-Ｚａ-ｚ０-９⁄／：①-⓿Ͱ-ӿ\U000e0020-\U000e007f]"
    r"|\$?\{{1,2}[^{}\n]{0,80}\}{1,2}|(?<==)<[A-Za-z_ -]{1,40}>|(?<==)`[^`\n]{1,80}`|<%=[^%\n]{1,80}%>"
    r"|[\u200b-\u200f\u2060-\u2064\u00ad\ufe00-\ufe0f\U000e0100-\U000e01ef]{1,512}(?=[A-Za-z0-9./]|\Z|\s))"
)
_GROUP = rf"\({_SIGN}*+\)"
_NESTED_GROUP = rf"\((?:{_SIGN}|{_GROUP})*+\)"
_REST = re.compile(rf"(?:{_SIGN}|{_GROUP}|{_NESTED_GROUP}|\((?:{_SIGN}|{_NESTED_GROUP})*+\))++")
_TRAILING = ".,;:!?*_\\|"
# What was written with blanks goes on to the quote or bracket that was opened before it.
_SPACED = {
    sign: re.compile(rf"(?:[ ]{{1,2}}[^\s<>\"'()]{{1,60}}){{2,60}}(?={re.escape(close)})")
    for sign, close in (("(", ")"), ('"', '"'), ("'", "'"))
}
_WRAPPED = re.compile(r"(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/=_%&.?-]{4,200}){1,8}(?=\))")
_CLOSED = re.compile(r">(?=\)|[ \t]{1,4}[\"'(])")
# `"https://…?d=" + "…"`: one address in two pieces of a program's text.
_CONTINUED = re.compile(
    r"[?/#]?[\"'`]\s{0,3}(?:\+|\.{1,2}|&|<>)?\s{0,12}[\"'`](?P<more>[A-Za-z0-9+/_=%.-]{12,2048})(?=[\"'`])"
)
_TRIM_LIMIT = 64
_REMEMBERED = 1024
_TAIL = 2048
_ANGLE = 2
_KNOWN = _SCHEMES | _OPAQUE
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+-]{1,23}://")
# Applications register schemes of their own; those of databases and tools take passwords, which other rules find.
_OWN_SCHEME = re.compile(
    r"(?!(?:postgres|mysql|maria|mongo|redis|amqp|jdbc|git|s3|gs|docker|oci|npm|pkg|jar|classpath))[a-z][a-z-]{2,23}"
)
_PICTURE_START = re.compile(r"!\[[^\[\]\n]{0,200}\]\(<?\Z")
_SHOWN_BY = re.compile(
    r"(?i)(?:(?:src|srcset|background|poster|data)\s{0,3}=\s{0,3}[\"']?|(?-i:(?<=[:\s,])url)\([\"']?"
    r"|@import\s{1,3}[\"']?)\Z"
)
_LINKED_BY = re.compile(r"(?i)<link\s[^<>]{0,120}href\s{0,3}=\s{0,3}[\"']?\Z")
_SHOWN_REACH = 220
_ATTRIBUTE_REACH = 24
_PICTURE = re.compile(r"!\[(?P<text>[^\[\]\n]{0,200})\](?!\()(?:\[(?P<label>[^\[\]\n]{0,80})\])?")
_DEFINED = re.compile(r"(?:^|\n)[ \t>]{0,4}\[(?P<label>[^\[\]\n]{1,80})\]:[ \t]{0,4}<?\Z")
_DEFINITION_REACH = 96
# What a shell puts behind the address: `'…?c='$(cat notes.txt)`.
_SUBSTITUTED = re.compile(
    r"[\"']?(?:\$\(|`)\s{0,2}(?:cat|base64|env|printenv|whoami|hostname|id|uname|ls|head|gpg|xxd|history)\b"
)
_APPENDED = re.compile(
    r"[\"'`]\s{0,3}(?:\+|\.concat\(|,|\.{1,2}|&|<>)\s{0,3}[^\n;]{0,40}?(?i:cookie|secret|passw|token|btoa|b64|base64"
    r"|localstorage|environ|api_?key|private)"
)
# A token behind `access_token=` is what the address asks for; cookies and whole environments are loot anywhere.
_SIGNED = re.compile(r"[?&](?:access_token|token|key|api_?key|code|auth|sig|id_token)=\Z")
_LOOTED = re.compile(
    r"[?/#]?[\"'`]\s{0,3}(?:\+|\.concat\(|,|\.{1,2}|&|<>)\s{0,3}[^\n;]{0,40}?(?i:cookie|btoa|b64encode|base64"
    r"|localstorage|sessionstorage|environ)"
)
_FORMATTED = re.compile(
    r"[\"'`]\s{0,3}(?:%|\.format\()\s{0,3}\(?[^\n;]{0,40}?(?i:cookie|secret|passw|token|b64|base64|environ|api_?key"
    r"|private)"
)
_BARE_END = re.compile(
    rf"\.(?:{tree_pattern(name.rpartition('.')[2] for name in hosts.COLLECTORS).pattern})(?![a-z0-9_-])"
)
# A scheme that is written in codes, as no honest address is.
_CODED_SCHEME = re.compile(
    r"(?:(?:&#[xX]?[0-9a-fA-F]{2,6};|%[0-9a-fA-F]{2}|\\(?:u00|x)[0-9a-fA-F]{2})[a-zA-Z]{0,5}){1,6}\Z"
)
_CODED_REACH = 64
_OPENS_SHOWN = frozenset("(<\"'=")
_LONGEST_HOST = 253
# The bare name of a service is talk about it; an account or a path at it is an address.
_TELLING_PATH = 6
_TELLING_LABELS = 8
# To ask for the name is enough: who answers sees it.
_CALLED = re.compile(
    r"(?<![a-z])(?:ping6?|nslookup|dig|host|curl|wget|nc|telnet)[ \t]{1,3}(?:[-+@][\w.=]{1,20}[ \t]{1,3}(?:\d{1,5}[ \t]{1,3})?){0,3}\Z"
)
_CALL_REACH = 72
_HOST_SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789-_.$(){}"
_BARE_REST = re.compile(r"(?::\d{2,5})?(?:[/?][!#$%&()*+,./0-9:;=?@A-Z\[\]^_a-z|~-]*)?")


def link_spans(text: str, small: str) -> Iterator[Span]:
    """Every URL that carries data out, whole; `small` is the text in small letters."""
    pieces: dict[str, list[tuple[Span, str]]] = {}
    # Judging an address takes a while, and the same ones come again and again.
    carries, sends = lru_cache(_REMEMBERED)(carries_data), has_sender(text)
    pictures = {(found["label"] or found["text"]).lower() for found in _PICTURE.finditer(text)}
    for span in _urls(text):
        url = text[span.start : span.end]
        more = _CONTINUED.match(text, span.end)
        if more and carries(url + text[span.end : more.start("more")].strip("\"'`+. \n") + more["more"]):
            yield Span(span.start, more.end(), span.name)
            continue
        shown = _is_shown(text, span.start) or (bool(pictures) and _is_defined(text, span.start, pictures))
        if _SCHEME.match(url) and url.partition(":")[0].lower() not in _KNOWN:
            if app_link_carries(url):
                yield span
        elif (
            _is_filled_in(text, span.start, span.end)
            or (sends and is_sent(text, span.start, span.end, url))
            or (carries(url, shown=shown) and not _is_source_map(text, span.start))
        ):
            yield span
        elif shown and url[-3:].isalnum():
            host, piece = message_piece(url)
            pieces.setdefault(host, []).append((span, piece))
    for parts in pieces.values():
        if joined_pieces_carry([piece for _, piece in parts]):
            yield from (span for span, _ in parts)
    yield from _bare_spans(text, small)


def _urls(text: str) -> Iterator[Span]:
    """Every URL, from its scheme to where the sentence goes on."""
    done = 0
    for found in _START.finditer(text):
        start = _scheme_start(text, found)
        rest = _REST.match(text, found.end()) if start >= done else None
        if rest is not None:
            done = _bracketed_end(text, start) or _wrapped_end(text, start, rest.end())
            done = done or _trimmed(text, start, rest.end())
            yield Span(start, done, _NAME)


def _scheme_start(text: str, found: re.Match[str]) -> int:
    """Where the URL begins, -1 where what stands there is no URL of the network."""
    at = found.start()
    if text[at] in "/\\":
        # Without a scheme it is a URL only where a browser would read it as one: in quotes, brackets or an attribute.
        return at if text[at - 1 : at] in ('"', "'", "(", "=") and at else -1
    near = text[max(0, at - 24) : at]
    if near.endswith(";") or "%" in near or "\\" in near or "&#" in near:
        coded = _CODED_SCHEME.search(text, max(0, at - _CODED_REACH), at)
        if coded:
            return coded.start()
    head = near[-12:] if near.isascii() else normalize("NFKC", near[-12:])
    scheme = head[len(head.rstrip(_LETTERS)) :].lower()
    known = _OPAQUE if found.group() == ":" else _SCHEMES
    own = found.group() == "://" and _OWN_SCHEME.fullmatch(scheme) is not None
    while scheme and scheme not in known and "-" in scheme:
        plain = scheme.partition("-")[2]
        if own and plain not in known:
            break
        scheme = plain
    return at - len(scheme) if scheme in known or own else -1


def _trimmed(text: str, start: int, end: int) -> int:
    """The end without punctuation of the sentence and without a bracket that was opened before the URL."""
    tail = text[max(start, end - _TAIL) : end]
    for _ in range(_TRIM_LIMIT):
        last = tail[-1:]
        if not last or not (
            last in _TRAILING or (last in ")]" and tail.count(last) > tail.count("(" if last == ")" else "["))
        ):
            break
        tail = tail[:-1]
        end -= 1
    return max(end, start + 1)


def _bracketed_end(text: str, start: int) -> int:
    """Where the angle brackets of a Markdown link close, which may hold blanks; 0 where there are none."""
    if not text.startswith("(<", start - 2) or start < _ANGLE:
        return 0
    closed = _CLOSED.search(text, start, start + _TAIL)
    return closed.start() if closed else 0


def _wrapped_end(text: str, start: int, end: int) -> int:
    """Where a URL ends that goes on behind a blank or a line break, in quotes or brackets; 0 where it does not."""
    follower = text[end : end + 1]
    if follower == " " and text[start - 1 : start] in ('"', "'", "("):
        spaced = _SPACED[text[start - 1]].match(text, end)
        return spaced.end() if spaced else 0
    if not text.startswith("](", start - 2) or start < _ANGLE or follower not in ("\r", "\n"):
        return 0
    rest = _WRAPPED.match(text, end)
    return rest.end() if rest else 0


def _is_shown(text: str, start: int) -> bool:
    """Whether the address is fetched by merely showing the text."""
    if text[max(0, start - 4) : start].rstrip()[-1:] not in _OPENS_SHOWN:
        return False
    far = max(0, start - _SHOWN_REACH)
    if "](" in text[max(0, start - 3) : start]:
        opened = text.rfind("![", far, start)
        return opened >= 0 and _PICTURE_START.match(text[opened:start]) is not None
    if _SHOWN_BY.search(text[max(0, start - _ATTRIBUTE_REACH) : start]):
        return True
    opened = text.rfind("<", far, start)
    return opened >= 0 and _LINKED_BY.match(text[opened:start]) is not None


def _is_defined(text: str, start: int, pictures: set[str]) -> bool:
    """Whether the address stands under a label that a picture elsewhere in the text refers to."""
    found = _DEFINED.search(text, max(0, start - _DEFINITION_REACH), start)
    return found is not None and found["label"].lower() in pictures


def _is_filled_in(text: str, start: int, end: int) -> bool:
    """`"https://…?d=" + document.cookie`, `"…?d=%s" % secret`: code that puts something secret into the address."""
    if text.startswith("jndi:", start - 5) and start >= 5:
        return True
    if text[end - 1] in "=/?&." and _SUBSTITUTED.match(text, end):
        return True
    if text[end - 1] == "=" or "sendBeacon(" in text[max(0, start - 13) : start]:
        own = _SIGNED.search(text, start, end) is not None
        return (_LOOTED if own else _APPENDED).match(text, end) is not None
    if text[end - 1] in "?/&#" or text.startswith("?", end):
        return _LOOTED.match(text, end) is not None
    return text.endswith(("=%s", "={}"), start, end) and _FORMATTED.match(text, end) is not None


def _is_source_map(text: str, start: int) -> bool:
    return text[max(0, start - 18) : start].endswith(("sourceMappingURL=", "sourceURL="))


def _bare_spans(text: str, small: str) -> Iterator[Span]:
    """Addresses at request bins and collaborator hosts that stand without a scheme."""
    for found in _BARE_END.finditer(small):
        end = found.end()
        if not small.endswith(hosts.COLLECTORS, max(0, end - _LONGEST_HOST), end):
            continue
        head = small[max(0, end - _LONGEST_HOST) : end]
        host = head[len(head.rstrip(_HOST_SIGNS)) :]
        rest = _BARE_REST.match(text, end)
        path = rest.end() - end if rest else 0
        if not hosts.is_collector(host) or (small.startswith(".", end) and small[end + 1 : end + 2].isalnum()):
            continue
        called = _CALLED.search(small, max(0, end - len(host) - _CALL_REACH), end - len(host)) is not None
        if path >= _TELLING_PATH or any(
            len(host) - len(name) >= (1 if called else _TELLING_LABELS) and host.endswith(name)
            for name in hosts.COLLECTORS
        ):
            yield Span(end - len(host), _trimmed(text, end - len(host), end + path), _NAME)
