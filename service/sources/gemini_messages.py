"""One message of a Gemini CLI session: who speaks, what is said, and how it leaves the turn."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from service.domain.messages import Fact
from service.sources.gemini_tools import facts_of, state_of
from service.sources.session import LastTurn
from service.sources.text import as_text, iso_stamp, shortened

PICTURE = "[picture without words]"

_CONTEXT_BLOCK = re.compile(r"\s*<(session_context|hook_context)>")
_PROGRAM_STARTS = ("System: Please continue.",)
_SETUP_START = "This is the Gemini CLI"
_CANCELLED = "Request cancelled."
_REFERENCED_FILES = "--- Content from referenced files ---"


class Speaker(StrEnum):
    """Who stands behind a message."""

    PERSON = "person"
    PROGRAM = "program"  # input to the model that nobody typed, and that starts work
    MODEL = "model"
    NOTICE = "notice"  # shown on the screen, said to nobody
    NOBODY = "nobody"  # context, or a tool's answer


@dataclass(frozen=True, slots=True)
class Said:
    """What is kept of one message; `leaves` is None where it says nothing about the turn."""

    speaker: Speaker
    text: str
    ts: str | None
    leaves: LastTurn | None
    facts: tuple[Fact, ...] = ()


def take(row: Mapping[str, Any]) -> Said | None:
    """What a message row amounts to, None for one of no known type."""
    ts = iso_stamp(row.get("timestamp"))
    match as_text(row.get("type")):
        case "user":
            speaker, text = _by_user(row)
            spoken = speaker in (Speaker.PERSON, Speaker.PROGRAM)
            return Said(speaker, shortened(text), ts, LastTurn.WORKING if spoken else None)
        case "gemini":
            text = shortened(_shown(row).strip())
            return Said(Speaker.MODEL, text, ts, _left_by_model(row, text), facts_of(row.get("toolCalls")))
        case "info" | "warning" | "error" as kind:
            return Said(Speaker.NOTICE, "", ts, _left_by_notice(kind, _shown(row)))
        case _:
            return None


def _by_user(row: Mapping[str, Any]) -> tuple[Speaker, str]:
    """What editors and hooks put around the words comes off; a picture without words is a prompt."""
    text = _without_context(_shown(row)).strip()
    if text.startswith(_SETUP_START):
        return Speaker.NOBODY, ""
    if text.startswith(_PROGRAM_STARTS):
        return Speaker.PROGRAM, text
    if text:
        return Speaker.PERSON, text
    return (Speaker.PERSON, PICTURE) if _has_picture(row.get("content")) else (Speaker.NOBODY, "")


def _shown(row: Mapping[str, Any]) -> str:
    """What stood on the screen: `displayContent` where it has words, since hooks and files may swell `content`."""
    return _text(row.get("displayContent")) or _text(row.get("content"))


def _text(content: object) -> str:
    return "".join(_texts(content))


def _texts(content: object) -> Iterator[str]:
    """The texts of a string, of one part, or of a list of either; files that were referenced end the words."""
    for part in content if isinstance(content, list) else [content]:
        text = part if isinstance(part, str) else as_text(part.get("text")) if isinstance(part, Mapping) else ""
        if text.strip().startswith(_REFERENCED_FILES):
            return
        if not (isinstance(part, Mapping) and part.get("thought") is True):
            yield text


def _has_picture(content: object) -> bool:
    parts = content if isinstance(content, list) else [content]
    return any(isinstance(part, Mapping) and ("inlineData" in part or "fileData" in part) for part in parts)


def _without_context(text: str) -> str:
    """The text without the whole context blocks at its start, and without one that closes it."""
    at = 0
    while block := _CONTEXT_BLOCK.match(text, at):
        end = text.find(closing := f"</{block[1]}>", block.end())
        if end < 0:
            return ""
        at = end + len(closing)
    rest = text[at:].rstrip()
    if rest.endswith("</hook_context>") and (start := rest.rfind("<hook_context>")) >= 0:
        return rest[:start]
    return rest


def _left_by_model(row: Mapping[str, Any], text: str) -> LastTurn:
    """There is no end marker: words without a tool call close the turn, if nothing follows."""
    calls = row.get("toolCalls")
    if isinstance(calls, list) and calls:
        return state_of(calls)
    return LastTurn.REPLIED if text else LastTurn.WORKING


def _left_by_notice(kind: str, text: str) -> LastTurn | None:
    if text.strip().startswith(_CANCELLED):
        return LastTurn.INTERRUPTED
    return LastTurn.FAILED if kind == "error" else None
