"""What the tool parts of an OpenCode message prove; each part holds the call, its state and its result."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.domain.facts import answered, command_facts, denied, edited
from service.domain.messages import Fact, FactResult
from service.sources.text import as_text, shortened
from service.sources.waiting import OUTPUT_CHARS, SUBJECT_CHARS

_SHELL = "bash"
_EDITORS = frozenset({"edit", "write", "multiedit"})
_PATCHES = frozenset({"apply_patch", "patch"})
_QUESTIONS = "question"
_REFUSAL = "The user rejected permission to use this specific tool call"
_FEEDBACK = "following feedback:"
_PATCHED = re.compile(r"^\*\*\* (?:Update File|Add File|Delete File|Move to): (.{1,1000})$", re.MULTILINE)
_MAX_PATHS = 200
_MAX_QUESTIONS = 20


def facts_of(parts: Sequence[Mapping[str, Any]]) -> tuple[Fact, ...]:
    """What all tool parts of one message prove, in order."""
    return tuple(fact for part in parts if part.get("type") == "tool" for fact in _proven(part))


def _proven(part: Mapping[str, Any]) -> Iterator[Fact]:
    name, state = as_text(part.get("tool")), part.get("state")
    if not isinstance(state, Mapping):
        return
    given, about = _fields(state.get("input")), _fields(state.get("metadata"))
    error, status = as_text(state.get("error")), state.get("status")
    if error.startswith(_REFUSAL):
        yield denied(name, error.partition(_FEEDBACK)[2].strip())
    elif name == _SHELL and status in ("completed", "error"):
        output = shortened(as_text(state.get("output")) or as_text(about.get("output")), OUTPUT_CHARS)
        yield from command_facts(as_text(given.get("command"))[:SUBJECT_CHARS], output, _result(about, status))
    elif status == "completed":
        yield from _completed(name, given, about)


def _completed(name: str, given: Mapping[str, Any], about: Mapping[str, Any]) -> Iterator[Fact]:
    if name in _EDITORS and as_text(given.get("filePath")):
        yield edited(as_text(given.get("filePath")))
    elif name in _PATCHES:
        paths = dict.fromkeys(found[1].strip() for found in _PATCHED.finditer(as_text(given.get("patchText"))))
        yield from (edited(path) for path in list(paths)[:_MAX_PATHS])
    elif name == _QUESTIONS:
        yield from _choices(given.get("questions"), about.get("answers"))


def _fields(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _result(about: Mapping[str, Any], status: object) -> FactResult:
    """By exit code; a call that ended in an error never ran to its end, which proves nothing about the command."""
    code = about.get("exit")
    if isinstance(code, int) and not isinstance(code, bool) and status == "completed":
        return FactResult.PASSED if code == 0 else FactResult.FAILED
    return FactResult.UNKNOWN


def _choices(questions: object, answers: object) -> Iterator[Fact]:
    """Answers stand in the order of their questions, each a list of what was chosen."""
    if not isinstance(questions, list) or not isinstance(answers, list):
        return
    for question, answer in zip(questions[:_MAX_QUESTIONS], answers, strict=False):
        asked = as_text(question.get("question")) if isinstance(question, Mapping) else ""
        choice = ", ".join(map(as_text, answer)) if isinstance(answer, list) else as_text(answer)
        if asked and choice:
            yield answered(asked, choice)
