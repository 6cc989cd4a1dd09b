"""What the tool calls of Kiro and Amazon Q prove: commands by exit status, files written, a person's refusals."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from service.domain.facts import command_facts, denied, edited
from service.domain.messages import Fact, FactResult
from service.sources.text import as_text, shortened
from service.sources.waiting import NAME_CHARS, OUTPUT_CHARS, SUBJECT_CHARS, WaitingCalls

_SHELLS = frozenset({"shell", "execute_bash", "execute_cmd", "execute_shell", "bash"})
_EDITORS = frozenset({"write", "fs_write", "edit", "str_replace"})
_PATH_FIELDS = ("path", "file_path")
_REFUSED = "User denied tool execution"
_REASON = "Feedback:"
_CANCELLED = "Tool use was cancelled by the user"
_EXIT_STATUS = re.compile(r"(?:exit (?:status|code): )?(-?\d{1,6})")


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    subject: str


@dataclass(frozen=True, slots=True)
class _Outcome:
    text: str
    exit_code: int | None
    failed: bool


class ToolCalls:
    """Calls that wait for their results; `open` holds those of the running turn."""

    def __init__(self) -> None:
        self._waiting = WaitingCalls[_Call]()

    @property
    def open(self) -> set[str]:
        """Ids of the calls of the running turn that have no result."""
        return self._waiting.open

    def called(self, call_id: str, name: str, given: object) -> None:
        """Takes a call with its input."""
        self._waiting.begin(call_id, _Call(name[:NAME_CHARS], _subject(name, given)[:SUBJECT_CHARS]))

    def answered(self, call_id: str, content: object, status: object) -> tuple[Fact, ...]:
        """Takes a result, and tells what the call proves."""
        call = self._waiting.end(call_id)
        return tuple(_proven(call, _outcome(content, status))) if call else ()


def _subject(name: str, given: object) -> str:
    if not isinstance(given, Mapping):
        return ""
    if name in _SHELLS:
        return as_text(given.get("command"))
    if name in _EDITORS:
        return next((path for field in _PATH_FIELDS if (path := as_text(given.get(field)))), "")
    return ""


def _outcome(content: object, status: object) -> _Outcome:
    """Blocks are `{kind, data}` in Kiro's rows, `{"Text": …}` or `{"Json": …}` in Amazon Q's."""
    texts, exit_code = [], None
    for block in content if isinstance(content, list) else [content]:
        value = block
        if isinstance(block, Mapping):
            value = next((block[name] for name in ("data", "Json", "Text") if name in block), None)
        if isinstance(value, Mapping):
            exit_code = _exit_code(value.get("exit_status")) if exit_code is None else exit_code
            texts += [as_text(value.get("stdout")), as_text(value.get("stderr"))]
        else:
            texts.append(as_text(value))
    text = shortened("\n".join(one for one in texts if one), OUTPUT_CHARS)
    return _Outcome(text, exit_code, as_text(status).lower() == "error")


def _exit_code(status: object) -> int | None:
    if isinstance(status, int):
        return int(status)
    found = _EXIT_STATUS.fullmatch(as_text(status).strip())
    return int(found[1]) if found else None


def _proven(call: _Call, outcome: _Outcome) -> Iterator[Fact]:
    if outcome.text.startswith(_REFUSED):
        yield denied(call.name, outcome.text.partition(_REASON)[2].strip())
    elif outcome.failed and outcome.text.startswith(_CANCELLED):
        yield denied(call.name, "")
    elif call.name in _SHELLS and call.subject:
        yield from command_facts(call.subject, outcome.text, _result(outcome))
    elif call.name in _EDITORS and call.subject and not outcome.failed:
        yield edited(call.subject)


def _result(outcome: _Outcome) -> FactResult:
    """A command's success is told by its exit status alone: the tool reports success whatever the command did."""
    if outcome.exit_code is not None:
        return FactResult.PASSED if outcome.exit_code == 0 else FactResult.FAILED
    return FactResult.FAILED if outcome.failed else FactResult.UNKNOWN
