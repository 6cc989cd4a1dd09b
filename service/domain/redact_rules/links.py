"""Finds the URLs in a text, also those that are written so as not to be seen as one."""

import re
from collections.abc import Iterator

from service.domain.redact_rules import hosts
from service.domain.redact_rules.beacons import carries_data
from service.domain.redact_rules.rule import Span
from service.domain.redact_rules.tree import tree_pattern

_NAME = "data-url"
_SCHEMES = frozenset(
    "http https ftp ftps sftp ws wss gopher ldap ldaps dict tftp dns smb hxxp hxxps telnet ssh rsync mqtt irc view-source".split()
)
_OPAQUE = frozenset("data javascript vbscript".split())
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-"
_START = re.compile(r":(?:\\?/){2,4}|:\\{1,4}(?=[a-zA-Z0-9])|:/(?=[a-zA-Z0-9][a-zA-Z0-9.-]{0,60}\.[a-z])|:(?=[A-Za-z(;,])|//(?=[A-Za-z0-9\[])")
# The ideographic full stop counts inside a host, where browsers read it as a dot, and ends a sentence elsewhere.
_REST = re.compile(
    r"(?:[!#$%&()*+,./0-9:;=?@A-Z\[\]^_a-z|~¡-ɏ\\-]|[。．｡](?=[a-z0-9-])|[Ａ-Ｚａ-ｚ０-９⁄／：]|\$\([^)\n]{1,200}\)|\$?\{{1,2}[^{}\n]{0,80}\}{1,2}"
    r"|(?<==)<[A-Za-z_ -]{1,40}>|(?<==)`[^`\n]{1,80}`|[\u200b-\u200d\u2060\u00ad](?=[A-Za-z0-9./]))++"
)
_TRAILING = ".,;:!?*_\\|"
_BRACKETS = re.compile(r"[()]")
_TRIM_LIMIT = 64
_TAIL = 2048
_SHOWN_BY = re.compile(r"(?i)(?:!\[[^\[\]\n]{0,200}\]\(<?|(?:src|srcset|background|poster|data)\s{0,3}=\s{0,3}[\"']?|url\([\"']?)$")
_BARE = tree_pattern(hosts.COLLECTORS)
_HOST_SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789-_.$(){}"
_BARE_REST = re.compile(r"(?::\d{2,5})?(?:[/?][!#$%&()*+,./0-9:;=?@A-Z\[\]^_a-z|~-]*)?")


def link_spans(text: str, small: str) -> Iterator[Span]:
    """Every URL that carries data out, whole; `small` is the text in small letters."""
    done = 0
    for found in _START.finditer(text):
        start = _scheme_start(text, found)
        if start < done:
            continue
        rest = _REST.match(text, found.end())
        if rest is None:
            continue
        end = _trimmed(text, start, rest.end())
        done = end
        if carries_data(text[start:end], shown=_is_shown(text, start)) and not _is_source_map(text, start):
            yield Span(start, end, _NAME)
    yield from _bare_spans(text, small)


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
        if not last or not (last in _TRAILING or (last in ")]" and tail.count(last) > tail.count("(" if last == ")" else "["))):
            break
        tail = tail[:-1]
        end -= 1
    return max(end, start + 1)


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
        if (labels and not labels.endswith(".")) or follower.isalnum() or follower in ("-", "_") or small[found.end() : found.end() + 2].strip(".") .isalnum() and follower == ".":
            continue
        if len(labels) >= 8 or end - found.end() >= 6:
            yield Span(found.start() - len(labels), _trimmed(text, found.start(), end), _NAME)
