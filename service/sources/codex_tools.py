"""What the tool calls of a Codex rollout prove: commands by exit code, patches, a person's refusals and answers."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from service.domain.facts import answered, command_facts, denied, edited
from service.domain.messages import Fact, FactResult
from service.sources.rows import parse_document
from service.sources.text import as_text, shortened, text_of
from service.sources.waiting import NAME_CHARS, OUTPUT_CHARS, SUBJECT_CHARS, WaitingCalls

CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})

_PATCHED = re.compile(r"^\*\*\* (?:Update File|Add File|Delete File|Move to): (.{1,1000})$", re.MULTILINE)
_PATCH_START = "*** Begin Patch"
_EXIT_CODE = re.compile(r"(?:Exit code: |Process exited with code )(-?\d{1,6})\b")
_REJECTED = re.compile(r"(?:exec command|command|patch) rejected by user", re.IGNORECASE)
_QUESTIONS = "request_user_input"
_SHELL_FLAGS = frozenset({"-c", "-lc", "-ic", "-lic", "-Command", "/c"})
_HEAD_CHARS = 1_000
_MAX_PATHS = 200


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    command: str = ""
    paths: tuple[str, ...] = ()
    questions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Output:
    text: str
    exit_code: int | None
    success: bool | None


class ToolCalls:
    """Calls that wait for their outputs; `open` holds those of the running turn."""

    def __init__(self) -> None:
        self._waiting = WaitingCalls[_Call]()

    @property
    def open(self) -> set[str]:
        """Ids of the calls of the running turn that have no result."""
        return self._waiting.open

    def called(self, item: Mapping[str, Any]) -> None:
        """Takes an item of one of the types in `CALLS`."""
        call_id = as_text(item.get("call_id")) or as_text(item.get("id"))
        self._waiting.begin(call_id, _call(item))

    def answered(self, item: Mapping[str, Any]) -> tuple[Fact, ...]:
        """Takes an item of one of the types in `OUTPUTS`, and tells what the call proves."""
        call_id = as_text(item.get("call_id"))
        call = self._waiting.end(call_id)
        return tuple(_proven(call, _output(item.get("output")))) if call else ()


def _call(item: Mapping[str, Any]) -> _Call:
    name = as_text(item.get("name"))[:NAME_CHARS]
    if item.get("type") == "local_shell_call":
        action = item.get("action")
        return _shell_call("shell", action.get("command") if isinstance(action, Mapping) else None)
    if item.get("type") == "custom_tool_call":
        return _Call(name, paths=_patched_paths(as_text(item.get("input"))))
    given = parse_document(as_text(item.get("arguments")).encode("utf-8", "replace"))
    if not isinstance(given, Mapping):
        return _Call(name)
    if name == _QUESTIONS:
        return _Call(name, questions=tuple(_asked(given.get("questions"))))
    if name == "apply_patch":
        return _Call(name, paths=_patched_paths(as_text(given.get("input"))))
    return _shell_call(name, given.get("command", given.get("cmd")))


def _shell_call(name: str, command: object) -> _Call:
    """A command as one line of shell, without the shell started for it; a patch given to a shell is a patch."""
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        line = words[2] if len(words) == 3 and words[1] in _SHELL_FLAGS else shlex.join(words)
    else:
        line = as_text(command)
    if _PATCH_START in line:
        return _Call("apply_patch", paths=_patched_paths(line))
    return _Call(name, command=line[:SUBJECT_CHARS])


def _patched_paths(patch: str) -> tuple[str, ...]:
    if _PATCH_START not in patch:
        return ()
    return tuple(dict.fromkeys(found[1].strip() for found in _PATCHED.finditer(patch)))[:_MAX_PATHS]


def _asked(questions: object) -> Iterator[tuple[str, str]]:
    for question in questions if isinstance(questions, list) else ():
        if isinstance(question, Mapping):
            yield as_text(question.get("id")), as_text(question.get("question"))


def _output(given: object) -> _Output:
    """Bare text, JSON in a string with its metadata, or an object with a success flag, as versions differ."""
    if isinstance(given, Mapping):
        success = given.get("success")
        return _from_text(text_of(given.get("content")), success if isinstance(success, bool) else None)
    text = text_of(given)
    if text.startswith('{"output"'):
        packed = parse_document(text.encode("utf-8", "replace"))
        if isinstance(packed, Mapping):
            metadata = packed.get("metadata")
            code = metadata.get("exit_code") if isinstance(metadata, Mapping) else None
            return _Output(_kept(as_text(packed.get("output"))), code if isinstance(code, int) else None, None)
    return _from_text(text, None)


def _from_text(text: str, success: bool | None) -> _Output:
    code = _EXIT_CODE.search(text[:_HEAD_CHARS])
    return _Output(_kept(text), int(code[1]) if code else None, success)


def _kept(text: str) -> str:
    return shortened(text, OUTPUT_CHARS)


def _proven(call: _Call, output: _Output) -> Iterator[Fact]:
    result = _result(output)
    if _REJECTED.match(output.text):
        yield denied(call.name, "")
    elif call.questions:
        yield from _choices(call, output)
    elif call.paths:
        applied = result is FactResult.PASSED or output.text.startswith(("Success", "Done!"))
        yield from (edited(path) for path in call.paths if applied)
    elif call.command:
        yield from command_facts(call.command, output.text, result)


def _result(output: _Output) -> FactResult:
    if output.exit_code is not None:
        return FactResult.PASSED if output.exit_code == 0 else FactResult.FAILED
    if output.success is not None:
        return FactResult.PASSED if output.success else FactResult.FAILED
    return FactResult.UNKNOWN


def _choices(call: _Call, output: _Output) -> Iterator[Fact]:
    given = parse_document(output.text.encode("utf-8", "replace"))
    answers = given.get("answers") if isinstance(given, Mapping) else None
    for question_id, question in call.questions:
        answer = answers.get(question_id) if isinstance(answers, Mapping) else None
        chosen = answer.get("answers") if isinstance(answer, Mapping) else answer
        words = (
            chosen if isinstance(chosen, str) else ", ".join(map(as_text, chosen if isinstance(chosen, list) else ()))
        )
        if question and words:
            yield answered(question, words)
