"""OpenCode: one session from what its database, its older storage tree or an export say of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from service.domain.messages import Origin
from service.sources.conversation import Conversation
from service.sources.kinds import DocumentFormat, Environ, Place
from service.sources.latest import LatestTime
from service.sources.opencode_messages import Part, Said, Speaker, milliseconds, take, times_of
from service.sources.session import LastTurn, Session
from service.sources.text import as_text, headline

AGENT = "opencode"
SUMMARY_LABEL = "[the agent's own summary of the conversation before this one begins]"

Info = Mapping[str, Any]
# An export with odd messages is still one if any of so many is whole.
_MOST_ODD = 100
_PLACEHOLDER = re.compile(r"(?:New|Child) session - \d{4}-\d\d-\d\d")


def session_from(info: Info, messages: Iterable[tuple[Info, Sequence[Part]]]) -> Session:
    """The session as it stands: messages in the given order, up to where the person went back to."""
    sub_agent = bool(as_text(info.get("parentID")))
    conversation, latest, turn = Conversation(), LatestTime(), LastTurn.NONE
    for message, parts in _standing(info, _once(messages)):
        for time in times_of(message, parts):
            latest.note(time)
        said = take(message, parts)
        _tell(conversation, said, sub_agent=sub_agent)
        turn = said.leaves or turn
    spoken = conversation.messages()
    first = next((message.content for message in spoken if message.by_person), None)
    return Session(
        agent=AGENT,
        session_id=as_text(info.get("id")),
        messages=spoken,
        title=_title(as_text(info.get("title")), first),
        project=as_text(info.get("directory")) or None,
        branch=None,
        last_activity=latest.iso or _session_time(info),
        last_turn=turn,
        sub_agent=sub_agent,
        unprompted=None if first is not None else _why_unprompted(sub_agent=sub_agent, spoken=bool(spoken)),
    )


def _once(messages: Iterable[tuple[Info, Sequence[Part]]]) -> Iterable[tuple[Info, Sequence[Part]]]:
    """Messages and their parts without those that stand there a second time."""
    seen: set[str] = set()
    for message, parts in messages:
        if _is_first(message, seen):
            seen_parts: set[str] = set()
            yield message, [part for part in parts if _is_first(part, seen_parts)]


def _is_first(row: Mapping[str, Any], seen: set[str]) -> bool:
    """Whether no row of that id was seen before; one without an id is never taken for another."""
    row_id = as_text(row.get("id"))
    if row_id in seen:
        return False
    if row_id:
        seen.add(row_id)
    return True


def _standing(info: Info, messages: Iterable[tuple[Info, Sequence[Part]]]) -> Iterable[tuple[Info, Sequence[Part]]]:
    """What the person has not taken back; it stays stored until the next prompt."""
    revert = info.get("revert")
    message_id = as_text(revert.get("messageID")) if isinstance(revert, Mapping) else ""
    for message, parts in messages:
        if message_id and message.get("id") == message_id:
            kept = _before(parts, as_text(revert.get("partID"))) if isinstance(revert, Mapping) else ()
            if kept:
                yield message, kept
            return
        yield message, parts


def _before(parts: Sequence[Part], part_id: str) -> Sequence[Part]:
    at = next((at for at, part in enumerate(parts) if part_id and part.get("id") == part_id), 0)
    return parts[:at]


def _tell(conversation: Conversation, said: Said, *, sub_agent: bool) -> None:
    match said.speaker:
        case Speaker.PERSON | Speaker.PROGRAM:
            by_person = said.speaker is Speaker.PERSON and not sub_agent
            conversation.by_user(said.text, Origin.PERSON if by_person else Origin.AUTOMATION, said.ts)
        case Speaker.COMPACTION if not conversation.has_shown and said.text:
            conversation.by_assistant(f"{SUMMARY_LABEL}\n{said.text}", said.ts)
        case Speaker.MODEL:
            if said.text:
                conversation.by_assistant(said.text, said.ts)
            conversation.note(*said.facts)


def _title(given: str, first: str | None) -> str | None:
    """The stored title unless it is the placeholder of a session that nobody named yet."""
    named = None if _PLACEHOLDER.match(given) else headline(given)
    return named or headline(first or "")


def _session_time(info: Info) -> str | None:
    latest, times = LatestTime(), info.get("time")
    if isinstance(times, Mapping):
        latest.note(milliseconds(times.get("created")))
    return latest.iso


def _why_unprompted(*, sub_agent: bool, spoken: bool) -> str:
    if sub_agent:
        return "a sub-agent's session"
    return "only programs spoke" if spoken else "opened, never used"


def claims_export(value: object) -> bool:
    """Whether a document is what `opencode export` prints."""
    if not isinstance(value, Mapping) or not isinstance(value.get("messages"), list):
        return False
    info, messages = value.get("info"), value["messages"]
    if not isinstance(info, Mapping) or not isinstance(info.get("id"), str):
        return False
    whole = (isinstance(one, Mapping) and isinstance(one.get("info"), Mapping) for one in messages[:_MOST_ODD])
    return not messages or any(whole)


def _read_export(value: Any, _path: Path) -> tuple[Session, ...]:
    if not claims_export(value):
        return ()
    return (session_from(value["info"], _exported(value["messages"])),)


def _exported(messages: Sequence[object]) -> Iterable[tuple[Info, Sequence[Part]]]:
    for one in messages:
        if isinstance(one, Mapping) and isinstance(one.get("info"), Mapping):
            parts = one.get("parts")
            yield one["info"], [part for part in parts if isinstance(part, Mapping)] if isinstance(parts, list) else []


def _roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    named = environ.get("XDG_DATA_HOME", "")
    return ((Path(named).expanduser() if named else home / ".local" / "share") / "opencode",)


EXPORT = DocumentFormat(name=AGENT, claims=claims_export, read=_read_export)
PLACE = Place(agent=AGENT, roots=_roots, patterns=("opencode.db", "opencode-*.db", "storage/session/*/*.json"))
