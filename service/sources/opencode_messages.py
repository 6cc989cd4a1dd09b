"""One OpenCode message with its parts: who speaks, what is said, and how it leaves the turn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from service.domain.messages import Fact
from service.sources.opencode_tools import facts_of
from service.sources.session import LastTurn
from service.sources.text import as_text, shortened

Part = Mapping[str, Any]

_ABORTED = "MessageAbortedError"
# The agent goes on by itself after these; after any other word it waits for the person.
_GOES_ON = frozenset({"tool-calls", "unknown"})
_OPEN = frozenset({"pending", "running"})


class Speaker(StrEnum):
    """Who stands behind a message."""

    PERSON = "person"
    PROGRAM = "program"  # text under role user that the program put there
    MODEL = "model"
    COMPACTION = "compaction"  # the model's own summary of what went before
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Said:
    """What is kept of one message; `leaves` is None where it says nothing about the turn."""

    speaker: Speaker
    text: str
    ts: str | None
    leaves: LastTurn | None
    facts: tuple[Fact, ...] = ()


def take(info: Mapping[str, Any], parts: Sequence[Part]) -> Said:
    """What one message amounts to; an unknown role amounts to nothing."""
    match info.get("role"):
        case "user":
            return _by_user(info, parts)
        case "assistant":
            return _by_assistant(info, parts)
        case _:
            return Said(Speaker.NOBODY, "", None, None)


def times_of(info: Mapping[str, Any], parts: Sequence[Part]) -> Iterator[str]:
    """Every time a message and its parts bear, as digits of milliseconds."""
    for holder in (info, *parts, *(part.get("state") for part in parts)):
        times = holder.get("time") if isinstance(holder, Mapping) else None
        for value in times.values() if isinstance(times, Mapping) else ():
            if digits := milliseconds(value):
                yield digits


def milliseconds(value: object) -> str | None:
    """A time in milliseconds as the digits the domain reads, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e15:
        return None
    return str(int(value))


def _by_user(info: Mapping[str, Any], parts: Sequence[Part]) -> Said:
    """Text that is neither synthetic nor ignored is typed; so is a command or a file without words."""
    ts = _created(info)
    typed = _joined(part for part in _texts(parts) if part.get("synthetic") is not True)
    if words := typed or _wordless(parts):
        return Said(Speaker.PERSON, words, ts, LastTurn.WORKING)
    if injected := _joined(_texts(parts)):
        return Said(Speaker.PROGRAM, injected, ts, LastTurn.WORKING)
    return Said(Speaker.NOBODY, "", ts, None)


def _by_assistant(info: Mapping[str, Any], parts: Sequence[Part]) -> Said:
    ts, text = _created(info), _joined(_texts(parts))
    if info.get("summary") is True:
        return Said(Speaker.COMPACTION, text, ts, None)
    return Said(Speaker.MODEL, text, ts, _left(info, parts), facts_of(parts))


def _texts(parts: Sequence[Part]) -> Iterator[Part]:
    return (part for part in parts if part.get("type") == "text" and part.get("ignored") is not True)


def _joined(parts: Iterator[Part]) -> str:
    texts = (as_text(part.get("text")).strip() for part in parts)
    return shortened("\n\n".join(text for text in texts if text))


def _wordless(parts: Sequence[Part]) -> str:
    """What a person did without a word: a command that a helper carries out, or files handed over."""
    for part in parts:
        if part.get("type") == "subtask":
            command, words = as_text(part.get("command")), as_text(part.get("description") or part.get("prompt"))
            return shortened(f"/{command.lstrip('/')} {words}".strip() if command else words)
    files = [as_text(part.get("filename")) for part in parts if part.get("type") == "file"]
    return shortened(f"[files without words: {', '.join(name or 'unnamed' for name in files)}]") if files else ""


def _created(info: Mapping[str, Any]) -> str | None:
    times = info.get("time")
    return milliseconds(times.get("created")) if isinstance(times, Mapping) else None


def _left(info: Mapping[str, Any], parts: Sequence[Part]) -> LastTurn:
    error = info.get("error")
    if isinstance(error, Mapping):
        return LastTurn.INTERRUPTED if error.get("name") == _ABORTED else LastTurn.FAILED
    if any(_status(part) in _OPEN for part in parts):
        return LastTurn.TOOL_OPEN
    finish = _finish(info, parts)
    if finish == "error":
        return LastTurn.FAILED
    if finish:
        return LastTurn.WORKING if finish in _GOES_ON else LastTurn.COMPLETED
    last = next((part for part in reversed(parts) if part.get("type") in ("text", "tool")), None)
    return LastTurn.REPLIED if last is not None and last.get("type") == "text" else LastTurn.WORKING


def _status(part: Part) -> str:
    state = part.get("state")
    return as_text(state.get("status")) if part.get("type") == "tool" and isinstance(state, Mapping) else ""


def _finish(info: Mapping[str, Any], parts: Sequence[Part]) -> str:
    """Why the model stopped: the message's own word, else that of its last step."""
    steps = (as_text(part.get("reason")) for part in reversed(parts) if part.get("type") == "step-finish")
    return as_text(info.get("finish")) or next(steps, "")
