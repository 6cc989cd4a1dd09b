"""Finds the URLs in a text, also those that are written so as not to be seen as one."""

import re
from collections.abc import Iterator

from service.domain.redact_rules import hosts
from service.domain.redact_rules.beacons import carries_data, host_carries_data, joined_pieces_carry, message_piece
from service.domain.redact_rules.rule import Span
from service.domain.redact_rules.tree import tree_pattern, words

_NAME = "data-url"
_SCHEMES = frozenset(
    words("""
    http https ftp ftps sftp ws wss gopher ldap ldaps dict tftp dns smb hxxp hxxps telnet ssh rsync mqtt irc
    view-source
""")
)
_OPAQUE = frozenset(words("data javascript vbscript mailto http https"))
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-"
_START = re.compile(
    r"(?::|&#0{0,4}58;|&#[xX]0{0,4}3[aA];|&colon;)(?:\\?/){2,4}|:\\{1,4}(?=[a-zA-Z0-9])|:/(?=[a-zA-Z0-9][a-zA-Z0-9.-]{0,60}\.[a-z])"
    r"|(?<=[aAoOpPsStT]):(?=[A-Za-z(;,])|//(?=[A-Za-z0-9\[])"
)
# The ideographic full stop counts inside a host, where browsers read it as a dot, and ends a sentence elsewhere.
_REST = re.compile(
    r"(?:[!#$%&()*+,./0-9:;=?@A-Z\[\]^_a-z|~¡-ɏ\\-]|[。．｡](?=[a-z0-9-])|[Ａ-Ｚａ-ｚ０-９⁄／：Ͱ-ӿ\U000e0020-\U000e007f]"
    r"|\$\([^)\n]{1,200}\)|\$?\{{1,2}[^{}\n]{0,80}\}{1,2}"
    r"|(?<==)<[A-Za-z_ -]{1,40}>|(?<==)`[^`\n]{1,80}`|[\u200b-\u200d\u2060\u00ad](?=[A-Za-z0-9./]))++"
)
_TRAILING = ".,;:!?*_\\|"
_BRACKETS = re.compile(r"[()]")
_TRIM_LIMIT = 64
_TAIL = 2048
_ANGLE = 2
_SHOWN_BY = re.compile(
    r"(?i)(?:!\[[^\[\]\n]{0,200}\]\(<?|(?:src|srcset|background|poster|data)\s{0,3}=\s{0,3}[\"']?|(?-i:(?<=[:\s,])url)\([\"']?)$"
)
_ASKED = re.compile(
    r"(?<!\w)(?=[dnph])(?:dig|nslookup|drill|ping|host)[ \t](?:[+@-]\S{1,40}[ \t]){0,3}((?:[\w-]"
    r"|\$\([^)\n]{1,80}\)){1,80}\.[\w.-]{3,200})"
)
_APPENDED = re.compile(
    r"[\"'`]\s{0,3}(?:\+|\.concat\(|,)\s{0,3}[^\n;]{0,40}?(?i:cookie|secret|passw|token|btoa|b64|base64|localstorage|environ|api_?key|private)"
)
_BARE = re.compile(rf"(?<![a-z0-9_$(){{}}-])(?=[a-z])(?:{tree_pattern(hosts.COLLECTORS).pattern})")
_HOST_SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789-_.$(){}"
_BARE_REST = re.compile(r"(?::\d{2,5})?(?:[/?][!#$%&()*+,./0-9:;=?@A-Z\[\]^_a-z|~-]*)?")


def link_spans(text: str, small: str) -> Iterator[Span]:
    """Every URL that carries data out, whole; `small` is the text in small letters."""
    pieces: dict[str, list[tuple[Span, str]]] = {}
    for span in _urls(text):
        url = text[span.start : span.end]
        shown = _is_shown(text, span.start)
        if _is_filled_in(text, span.end) or (carries_data(url, shown=shown) and not _is_source_map(text, span.start)):
            yield span
        elif shown:
            host, piece = message_piece(url)
            pieces.setdefault(host, []).append((span, piece))
    for parts in pieces.values():
        if joined_pieces_carry([piece for _, piece in parts]):
            yield from (span for span, _ in parts)
    yield from _bare_spans(text, small)
    yield from _asked_spans(text)


def _urls(text: str) -> Iterator[Span]:
    """Every URL, from its scheme to where the sentence goes on."""
    done = 0
    for found in _START.finditer(text):
        start = _scheme_start(text, found)
        rest = _REST.match(text, found.end()) if start >= done else None
        if rest is not None:
            done = _bracketed_end(text, start) or _trimmed(text, start, rest.end())
            yield Span(start, done, _NAME)


def _asked_spans(text: str) -> Iterator[Span]:
    """Host names that carry data in a question to a name server."""
    for found in _ASKED.finditer(text):
        if host_carries_data(found[1]):
            yield Span(*found.span(1), _NAME)


def _scheme_start(text: str, found: re.Match[str]) -> int:
    """Where the URL begins, -1 where what stands there is no URL of the network."""
    at = found.start()
    if text[at] == "/":
        # Without a scheme it is a URL only where a browser would read it as one: in quotes, brackets or an attribute.
        return at if text[at - 1 : at] in ('"', "'", "(", "=") and at else -1
    head = text[max(0, at - 12) : at]
    scheme = head[len(head.rstrip(_LETTERS)) :].lower()
    known = _OPAQUE if found.group() == ":" else _SCHEMES
    while scheme and scheme not in known and "-" in scheme:
        scheme = scheme.partition("-")[2]
    return at - len(scheme) if scheme in known else -1


def _trimmed(text: str, start: int, end: int) -> int:
    """The end without punctuation of the sentence and without a bracket that was opened before the URL."""
    end = min(end, _first_unopened(text, start, end))
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
    return max(0, text.find(">)", start, start + _TAIL))


def _first_unopened(text: str, start: int, end: int) -> int:
    """Where a bracket closes that the URL did not open: there ends the Markdown link around it."""
    depth = 0
    for bracket in _BRACKETS.finditer(text, start, end):
        depth += 1 if bracket.group() == "(" else -1
        if depth < 0:
            return bracket.start()
    return end


def _is_shown(text: str, start: int) -> bool:
    """Whether the address is fetched by merely showing the text."""
    return _SHOWN_BY.search(text[max(0, start - 220) : start]) is not None


def _is_filled_in(text: str, end: int) -> bool:
    """`"https://…?d=" + document.cookie`: code that appends something secret to the address."""
    return text[end - 1] == "=" and _APPENDED.match(text, end) is not None


def _is_source_map(text: str, start: int) -> bool:
    return text[max(0, start - 18) : start].endswith(("sourceMappingURL=", "sourceURL="))


def _bare_spans(text: str, small: str) -> Iterator[Span]:
    """Addresses at request bins and collaborator hosts that stand without a scheme."""
    for found in _BARE.finditer(small):
        head = small[max(0, found.start() - 253) : found.start()]
        labels = head[len(head.rstrip(_HOST_SIGNS)) :]
        rest = _BARE_REST.match(text, found.end())
        end = rest.end() if rest else found.end()
        follower = small[found.end() : found.end() + 1]
        if (
            (labels and not labels.endswith("."))
            or follower.isalnum()
            or follower in ("-", "_")
            or (small[found.end() : found.end() + 2].strip(".").isalnum() and follower == ".")
        ):
            continue
        if len(labels) >= 8 or end - found.end() >= 6:
            yield Span(found.start() - len(labels), _trimmed(text, found.start(), end), _NAME)
