"""What the tool calls of a Gemini CLI message prove; each call stands there with its result and its status."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.domain.facts import answered, command_facts, denied, edited
from service.domain.messages import Fact, FactResult
from service.sources.rows import parse_document
from service.sources.session import LastTurn
from service.sources.text import as_text, shortened
from service.sources.waiting import OUTPUT_CHARS, SUBJECT_CHARS

_SHELL = "run_shell_command"
_EDITORS = frozenset({"write_file", "replace", "edit"})
_QUESTIONS = "ask_user"
_DONE = frozenset({"success", "error", "cancelled"})
_REFUSED = "did not allow tool call"
_EXIT_CODE = re.compile(r"^Exit Code: (?:(-?\d{1,6})\b|\(none\))", re.MULTILINE)
_MAX_CALLS = 400
_MAX_QUESTIONS = 20


def facts_of(calls: object) -> tuple[Fact, ...]:
    """What all calls of one message prove, in order."""
    return tuple(fact for call in _calls(calls) for fact in _proven(call))


def state_of(calls: object) -> LastTurn:
    """How a message with calls leaves the turn: one without a result is open, all cancelled is the person's doing."""
    statuses = [as_text(call.get("status")) for call in _calls(calls)]
    if any(status not in _DONE for status in statuses):
        return LastTurn.TOOL_OPEN
    return LastTurn.INTERRUPTED if set(statuses) == {"cancelled"} else LastTurn.WORKING


def _calls(calls: object) -> Sequence[Mapping[str, Any]]:
    return [call for call in calls[-_MAX_CALLS:] if isinstance(call, Mapping)] if isinstance(calls, list) else []


def _proven(call: Mapping[str, Any]) -> Iterator[Fact]:
    name, status, given = as_text(call.get("name")), as_text(call.get("status")), call.get("args")
    given = given if isinstance(given, Mapping) else {}
    output = shortened(_output(call.get("result")), OUTPUT_CHARS)
    if status == "cancelled":
        if _REFUSED in output:
            yield denied(name, "")
    elif name == _SHELL and status in _DONE:
        yield from command_facts(as_text(given.get("command"))[:SUBJECT_CHARS], output, _result(status, output))
    elif name in _EDITORS and status == "success" and as_text(given.get("file_path")):
        yield edited(as_text(given.get("file_path")))
    elif name == _QUESTIONS and status == "success":
        yield from _choices(given.get("questions"), output)


def _output(result: object) -> str:
    """The text a tool answered with, or its error."""
    texts = []
    for part in result if isinstance(result, list) else [result]:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            answer = part.get("functionResponse")
            response = answer.get("response") if isinstance(answer, Mapping) else None
            if isinstance(response, Mapping):
                texts += [as_text(response.get("output")), as_text(response.get("error"))]
    return "\n".join(text for text in texts if text)


def _result(status: str, output: str) -> FactResult:
    """The exit code where the output names one, and only then the tool's own status."""
    found = list(_EXIT_CODE.finditer(output))
    if found:
        code = found[-1][1]
        if code is None:
            return FactResult.UNKNOWN
        return FactResult.PASSED if int(code) == 0 else FactResult.FAILED
    return FactResult.PASSED if status == "success" else FactResult.FAILED


def _choices(questions: object, output: str) -> Iterator[Fact]:
    """Answers are keyed by the place of their question."""
    given = parse_document(output.encode("utf-8", "replace"))
    answers = given.get("answers") if isinstance(given, Mapping) else None
    if not isinstance(questions, list) or not isinstance(answers, Mapping):
        return
    for at, question in enumerate(questions[:_MAX_QUESTIONS]):
        asked = as_text(question.get("question")) if isinstance(question, Mapping) else ""
        choice = as_text(answers.get(str(at)))
        if asked and choice:
            yield answered(asked, choice)
