"""Cursor chats that SpecStory wrote to Markdown: a heading, then turns under lines that say whose they are."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from service.domain.messages import Origin
from service.domain.times import parse_time
from service.sources.conversation import Conversation
from service.sources.cursor import AGENT
from service.sources.kinds import TextFormat
from service.sources.latest import LatestTime
from service.sources.session import LastTurn, Session
from service.sources.text import headline

_MARKER = re.compile(r"_\*\*(User|Assistant|Agent)(?: \(([^()\n]{1,200})\))?\*\*_[ \t\r]*")
_MARKER_IN_HEAD = re.compile(rf"^{_MARKER.pattern}$", re.MULTILINE)
_TITLE = re.compile(r"# +(.{1,500}?)(?: \((\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?Z?)\))?[ \t\r]*")
_SESSION_ID = re.compile(r"<!-- .{1,80} Session ([0-9A-Za-z-]{8,64})\b")
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})(.*)")
_SEPARATOR = "---"
# What a reply holds besides words: the agent's thinking and its tools' output.
_ASIDES = (("<think>", "</think>"), ("<details>", "</details>"), ("<tool-use", "</tool-use>"))


def claims(text: str) -> bool:
    """Whether a text has a turn's marker before anything that begins another format's run."""
    found = _MARKER_IN_HEAD.search(text)
    return found is not None and "# aider chat started at " not in text[: found.start()]


def read(text: str, path: Path) -> tuple[Session, ...]:
    """The one session of an export; its id is the file's name unless a comment at the head tells it."""
    lines = text.split("\n")
    markers = tuple(_markers(lines))
    heading = _heading(lines[: markers[0].line if markers else len(lines)])
    latest = LatestTime()
    latest.note(heading.time)
    conversation = Conversation()
    turn = LastTurn.NONE
    ends = [*(one.line for one in markers[1:]), len(lines)]
    for marker, end in zip(markers, ends, strict=False):
        latest.note(marker.time)
        turn = _turn(conversation, marker, _body(lines[marker.line + 1 : end]), turn)
    messages = conversation.messages()
    first = next((message.content for message in messages if message.by_person), None)
    return (
        Session(
            agent=AGENT,
            session_id=heading.session_id or path.stem,
            messages=messages,
            title=heading.title or headline(first or ""),
            project=None,
            branch=None,
            last_activity=latest.iso,
            last_turn=turn,
            unprompted=None if first is not None else "only programs spoke" if messages else "opened, never used",
        ),
    )


@dataclass(frozen=True, slots=True)
class _Heading:
    session_id: str | None = None
    title: str | None = None
    time: str | None = None


@dataclass(frozen=True, slots=True)
class _Marker:
    line: int
    by_user: bool
    time: str | None


def _heading(lines: Sequence[str]) -> _Heading:
    """From the lines above the first marker; a heading that is nothing but a time is no title."""
    session_id = next((found[1] for line in lines if (found := _SESSION_ID.match(line))), None)
    found = next((found for line in lines if (found := _TITLE.fullmatch(line))), None)
    if found is None:
        return _Heading(session_id)
    if parse_time(found[1]):
        return _Heading(session_id, None, found[1])
    return _Heading(session_id, headline(found[1]), found[2])


def _markers(lines: Sequence[str]) -> Iterator[_Marker]:
    """The lines that begin a turn; one inside a code fence is quoted, unless a separator stands before it."""
    fence, last_words = "", ""
    for number, line in enumerate(lines):
        found = _MARKER.fullmatch(line)
        if found and (not fence or last_words == _SEPARATOR):
            yield _Marker(number, found[1] == "User", found[2] if parse_time(found[2]) else None)
            fence = ""
        else:
            fence = _fence_after(line, fence)
        last_words = line.strip() or last_words


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open behind a line: one closes with as many marks as it began with, and no word."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    closes = found[1][0] == fence[0] and len(found[1]) >= len(fence) and not found[2].strip()
    return "" if closes else fence


def _turn(conversation: Conversation, marker: _Marker, body: str, before: LastTurn) -> LastTurn:
    if marker.by_user:
        if body:
            conversation.by_user(body, Origin.PERSON, marker.time)
        return LastTurn.WORKING if body else before
    words = _without_asides(body)
    if words:
        conversation.by_assistant(words, marker.time)
    return LastTurn.REPLIED if words else before


def _body(lines: Sequence[str]) -> str:
    """The words of a turn without the separator behind them, which replies hold inside as well."""
    text = "\n".join(lines).strip()
    has_separator = text == _SEPARATOR or text.endswith(f"\n{_SEPARATOR}")
    return text.removesuffix(_SEPARATOR).rstrip() if has_separator else text


def _without_asides(text: str) -> str:
    for start, end in _ASIDES:
        pieces, at = [], 0
        while (opened := _at_line_start(text, start, at)) >= 0 and (closed := text.find(end, opened)) >= 0:
            pieces.append(text[at:opened])
            at = closed + len(end)
        text = "".join([*pieces, text[at:]])
    return text.strip()


def _at_line_start(text: str, words: str, at: int) -> int:
    if text.startswith(words, at) and (at == 0 or text[at - 1] == "\n"):
        return at
    found = text.find(f"\n{words}", at)
    return found + 1 if found >= 0 else -1


FORMAT = TextFormat(name="cursor-markdown", claims=claims, read=read)
