"""What the tool calls of a pi or OpenClaw file prove: commands by exit code or error flag, and files changed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from service.domain.facts import command_facts, edited
from service.domain.messages import Fact, FactResult
from service.sources.text import as_text, shortened, text_of
from service.sources.waiting import NAME_CHARS, OUTPUT_CHARS, SUBJECT_CHARS, WaitingCalls

_SHELLS = frozenset({"bash", "exec"})
_EDITORS = frozenset({"edit", "write"})
_EXIT_CODE = re.compile(r"(?:Command|Process) exited with code (-?\d{1,6})\b")
_STILL_RUNNING = "running"
_TAIL_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    subject: str


class ToolCalls:
    """Calls that wait for their results; `open` holds those of the running turn."""

    def __init__(self) -> None:
        self._waiting = WaitingCalls[_Call]()

    @property
    def open(self) -> set[str]:
        """Ids of the calls of the running turn that have no result."""
        return self._waiting.open

    def called(self, block: Mapping[str, Any]) -> None:
        """Takes a `toolCall` block."""
        call_id, name, given = as_text(block.get("id")), as_text(block.get("name")), block.get("arguments")
        subject = _subject(name, given) if isinstance(given, Mapping) else ""
        self._waiting.begin(call_id, _Call(name[:NAME_CHARS], subject[:SUBJECT_CHARS]))

    def answered(self, message: Mapping[str, Any]) -> tuple[Fact, ...]:
        """Takes a `toolResult` message, and tells what the call proves."""
        call_id = as_text(message.get("toolCallId"))
        call = self._waiting.end(call_id)
        return tuple(_proven(call, message)) if call else ()


def typed_command(message: Mapping[str, Any]) -> tuple[Fact, ...]:
    """What a command that the person ran with `!` proves."""
    code = message.get("exitCode")
    known = isinstance(code, int) and not isinstance(code, bool) and message.get("cancelled") is not True
    result = FactResult.UNKNOWN if not known else FactResult.PASSED if code == 0 else FactResult.FAILED
    output = shortened(as_text(message.get("output")), OUTPUT_CHARS)
    return command_facts(as_text(message.get("command"))[:SUBJECT_CHARS], output, result)


def _subject(name: str, given: Mapping[str, Any]) -> str:
    if name in _SHELLS:
        return as_text(given.get("command"))
    return as_text(given.get("path")) or as_text(given.get("file_path")) if name in _EDITORS else ""


def _proven(call: _Call, message: Mapping[str, Any]) -> Iterator[Fact]:
    details = message.get("details")
    details = details if isinstance(details, Mapping) else {}
    failed = message.get("isError") is True or details.get("status") == "error"
    if call.name in _SHELLS and call.subject:
        output = shortened(text_of(message.get("content")), OUTPUT_CHARS)
        yield from command_facts(call.subject, output, _result(message, details, output))
    elif call.name in _EDITORS and call.subject and not failed:
        yield edited(call.subject)


def _result(message: Mapping[str, Any], details: Mapping[str, Any], output: str) -> FactResult:
    """By exit code, else by the error flag; a command that goes on in the background proves neither."""
    code = details.get("exitCode")
    if details.get("status") == _STILL_RUNNING:
        return FactResult.UNKNOWN
    if not isinstance(code, int) or isinstance(code, bool):
        found = _EXIT_CODE.search(output[-_TAIL_CHARS:])
        code = int(found[1]) if found else None
    if code is not None:
        return FactResult.PASSED if code == 0 else FactResult.FAILED
    flag = message.get("isError")
    if isinstance(flag, bool):
        return FactResult.FAILED if flag else FactResult.PASSED
    return FactResult.UNKNOWN
