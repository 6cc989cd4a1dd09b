"""What the tool events of a Copilot CLI session prove: commands by exit code, files changed, refusals and answers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from service.domain.facts import answered, command_facts, denied, edited
from service.domain.messages import Fact, FactResult
from service.sources.text import as_text, shortened
from service.sources.waiting import NAME_CHARS, OUTPUT_CHARS, SUBJECT_CHARS, WaitingCalls

_SHELLS = frozenset({"bash", "powershell"})
_EDITORS = frozenset({"edit", "create", "str_replace_editor"})
_READS = frozenset({"view"})
_PATCHES = frozenset({"apply_patch"})
_QUESTIONS = "ask_user"
_REFUSALS = frozenset({"rejected", "denied"})
_FEEDBACK = re.compile(r"feedback:\s*", re.IGNORECASE)
_EXIT_CODE = re.compile(r"exited with exit code (-?\d{1,6})\b")
_PATCHED = re.compile(r"^\*\*\* (?:Update File|Add File|Delete File|Move to): (.{1,1000})$", re.MULTILINE)
_TAIL_CHARS = 1_000
_MAX_PATHS = 200


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    subjects: tuple[str, ...] = ()


class ToolCalls:
    """Calls that wait for their results; `open` holds those of the running turn, from the moment they are asked for."""

    def __init__(self) -> None:
        self._waiting = WaitingCalls[_Call]()

    @property
    def open(self) -> set[str]:
        """Ids of the calls of the running turn that have no result."""
        return self._waiting.open

    def requested(self, request: Mapping[str, Any]) -> None:
        """Takes one of a reply's tool requests."""
        if call_id := as_text(request.get("toolCallId")):
            self.open.add(call_id)

    def called(self, data: Mapping[str, Any]) -> None:
        """Takes the data of a `tool.execution_start`."""
        call_id = as_text(data.get("toolCallId"))
        self._waiting.begin(call_id, _call(as_text(data.get("toolName"))[:NAME_CHARS], data.get("arguments")))

    def answered(self, data: Mapping[str, Any]) -> tuple[Fact, ...]:
        """Takes the data of a `tool.execution_complete`, and tells what the call proves."""
        call_id = as_text(data.get("toolCallId"))
        call = self._waiting.end(call_id)
        return tuple(_proven(call, data)) if call else ()


def _call(name: str, given: object) -> _Call:
    if name in _PATCHES:
        patch = as_text(given.get("input") or given.get("patch")) if isinstance(given, Mapping) else as_text(given)
        return _Call(name, tuple(dict.fromkeys(found[1].strip() for found in _PATCHED.finditer(patch)))[:_MAX_PATHS])
    if not isinstance(given, Mapping) or given.get("command") in _READS:
        return _Call(name)
    field = "command" if name in _SHELLS else "question" if name == _QUESTIONS else "path"
    subject = as_text(given.get(field))[:SUBJECT_CHARS]
    return _Call(name, (subject,) if subject else ())


def _proven(call: _Call, data: Mapping[str, Any]) -> Iterator[Fact]:
    error, result, success = data.get("error"), data.get("result"), data.get("success")
    if isinstance(error, Mapping) and error.get("code") in _REFUSALS:
        yield denied(call.name, _reason(as_text(error.get("message"))))
        return
    output = as_text(result.get("content")) if isinstance(result, Mapping) else as_text(result)
    for subject in call.subjects:
        if call.name in _SHELLS:
            yield from command_facts(subject, shortened(output, OUTPUT_CHARS), _result(output, success))
        elif call.name in _EDITORS | _PATCHES and success is True:
            yield edited(subject)
        elif call.name == _QUESTIONS and success is True and output:
            yield answered(subject, output.removeprefix("User responded:").strip())


def _reason(message: str) -> str:
    found = _FEEDBACK.search(message)
    return message[found.end() :].strip() if found else ""


def _result(output: str, success: object) -> FactResult:
    """By exit code; without one a call that went through may still be running, and a failed one did fail."""
    codes = _EXIT_CODE.findall(output[-_TAIL_CHARS:])
    if codes:
        return FactResult.PASSED if int(codes[-1]) == 0 else FactResult.FAILED
    return FactResult.FAILED if success is False else FactResult.UNKNOWN
