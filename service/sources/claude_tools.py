"""What the tool calls of a Claude Code file prove: commands run, files changed, a person's refusals and answers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from service.domain.facts import answered, command_facts, denied, edited
from service.domain.messages import Fact, FactResult
from service.sources.text import as_text, blocks, shortened, text_of
from service.sources.waiting import NAME_CHARS, OUTPUT_CHARS, SUBJECT_CHARS, WaitingCalls

_SHELLS = frozenset({"Bash", "PowerShell"})
_EDITORS = {"Edit": "file_path", "Write": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}
_QUESTIONS = "AskUserQuestion"
_REFUSALS = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
)
_REASON = "the user said:"
_ANSWERS = ("Your questions have been answered", "User has answered your questions")
_PLAN = "ExitPlanMode"
_APPROVED = "User has approved your plan"
_PAIR = re.compile(r'"([^"\n]{1,500})"="([^"\n]{1,2000})"')
_EXIT_CODE = re.compile(r"Exit code (\d{1,5})\b")


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    subject: str


class ToolCalls:
    """Calls that wait for their results; `open` holds those of the running turn."""

    def __init__(self) -> None:
        self._waiting = WaitingCalls[_Call]()
        self._called_in = ("", "")

    @property
    def open(self) -> set[str]:
        """Ids of the calls of the running turn that have no result."""
        return self._waiting.open

    def called(self, block: Mapping[str, Any], reply: tuple[str, str]) -> None:
        """Takes a `tool_use` block of a reply, which goes by the ids of its message and its request."""
        self._called_in = reply
        call_id, name = as_text(block.get("id")), as_text(block.get("name"))
        given = block.get("input")
        field = "command" if name in _SHELLS else _EDITORS.get(name, "")
        subject = as_text(given.get(field)) if isinstance(given, Mapping) else ""
        self._waiting.begin(call_id, _Call(name[:NAME_CHARS], subject[:SUBJECT_CHARS]))

    def close_before(self, reply: tuple[str, str]) -> None:
        """A reply speaks last only when the calls of those before it are answered, whether or not the rows are here.

        One without an id stands for itself.
        """
        if not reply[0] or reply != self._called_in:
            self.open.clear()

    def answered(self, block: Mapping[str, Any], details: object) -> tuple[Fact, ...]:
        """Takes a `tool_result` block with its row's `toolUseResult`, and tells what the call proves."""
        call_id = as_text(block.get("tool_use_id"))
        call = self._waiting.end(call_id)
        if call is None:
            return ()
        return tuple(_proven(call, block, details))


def _proven(call: _Call, block: Mapping[str, Any], details: object) -> Iterator[Fact]:
    output = shortened(text_of(block.get("content")), OUTPUT_CHARS)
    failed = block.get("is_error") is True
    if output.startswith(_REFUSALS):
        yield denied(call.name, output.partition(_REASON)[2].strip())
    elif call.name == _PLAN and output.startswith(_APPROVED):
        yield answered("plan", "approved")
    elif call.name == _QUESTIONS:
        yield from _choices(output, details)
    elif call.name in _SHELLS and call.subject:
        yield from command_facts(call.subject, output, _result(block, output, details))
    elif call.name in _EDITORS and call.subject and not failed:
        yield edited(call.subject)


def _result(block: Mapping[str, Any], output: str, details: object) -> FactResult:
    """By exit code or error flag; a command that goes on in the background, or was stopped, proves neither."""
    if isinstance(details, Mapping) and (details.get("backgroundTaskId") or details.get("interrupted") is True):
        return FactResult.UNKNOWN
    if code := _EXIT_CODE.match(output):
        return FactResult.PASSED if int(code[1]) == 0 else FactResult.FAILED
    flag = block.get("is_error")
    if isinstance(flag, bool):
        return FactResult.FAILED if flag else FactResult.PASSED
    return FactResult.UNKNOWN


def _choices(output: str, details: object) -> Iterator[Fact]:
    """From the field where there is one, else from the sentence the program makes of it."""
    answers = details.get("answers") if isinstance(details, Mapping) else None
    if isinstance(answers, Mapping):
        pairs = [(as_text(question), as_text(choice)) for question, choice in answers.items()]
    elif output.startswith(_ANSWERS) or "has answered your questions" in output[:200]:
        pairs = [(pair[1], pair[2]) for pair in _PAIR.finditer(output)]
    else:
        pairs = []
    yield from (answered(question, choice) for question, choice in pairs if question and choice)


def results_in(content: object) -> Iterator[Mapping[str, Any]]:
    """The `tool_result` blocks of a user row."""
    return (block for block in blocks(content) if block.get("type") == "tool_result")
