"""The lines of an Aider history: run headers, prompts, what the program said, and the rest, which is reply."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

RUN_HEADER = re.compile(r"# aider chat started at (\S.{0,60}?)[ \t\r]*")

_PROMPT = "#### "
_EMPTY_PROMPT_LINE = "####"
_PROGRAM = "> "
_EMPTY_PROGRAM_LINE = ">"
# The program ends each line it writes of a prompt with a hard line break.
_LINE_BREAK = "  "
_FENCE = re.compile(r"(`{3,})(.*)")
# Lines by which the program closes a reply, whatever fence that reply left open.
_CLOSES_REPLY = ("> Tokens: ", "> Applied edit to ", "> Commit ", "> ^C")
# The program quotes the first line only of what it says on two.
_COST_LINE = "Cost: $"


@dataclass(frozen=True, slots=True)
class Prompt:
    """The words of one prompt, as they were typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What the agent said between two other parts."""

    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """One line of the program's."""

    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """One start of the program: when, as it wrote it, and what was said until the next."""

    started: str | None
    parts: tuple[Prompt | Reply | Notice, ...]


def read_runs(text: str) -> Iterator[Run]:
    """Every run in order; what stands before the first header is a run whose beginning was cut off."""
    started: str | None = None
    lines, ahead = _Lines(), _Ahead(text.split("\n"))
    for at, line in enumerate(ahead.lines):
        header = RUN_HEADER.fullmatch(line)
        if header is None or (lines.fence and ahead.is_closed(lines.fence, at)):
            lines.take(line.rstrip("\r"))
            continue
        if started is not None or any(isinstance(part, Prompt) for part in lines.parts):
            yield Run(started, lines.finished())
        started, lines = header[1], _Lines()
    if started is not None or lines.parts:
        yield Run(started, lines.finished())


@dataclass(slots=True)
class _Ahead:
    """Tells whether a code fence is closed, looking at each line once however often it is asked."""

    lines: list[str]
    _decided_at: int = -1  # the line that told so the last time
    _was_closed: bool = False

    def is_closed(self, fence: str, at: int) -> bool:
        """Whether the fence that is open at a line is closed before the program speaks.

        A reply that broke off leaves its fence open, and the next fence may be one of another run. But the program
        speaks at every start, before anything else is said.
        """
        if self._decided_at <= at:
            self._decided_at, self._was_closed = self._decide(fence, at + 1)
        return self._was_closed

    def _decide(self, fence: str, start: int) -> tuple[int, bool]:
        for at in range(start, len(self.lines)):
            line = self.lines[at].rstrip("\r")
            if _closes(fence, line):
                return at, True
            if line.startswith(_PROGRAM) or (line.startswith(_PROMPT) and line.endswith(_LINE_BREAK)):
                return at, False
        return len(self.lines), False


@dataclass(slots=True)
class _Lines:
    """Takes the lines of one run; a heading is a prompt only while nothing of a reply stands before it."""

    parts: list[Prompt | Reply | Notice] = field(default_factory=list)
    _prompt: list[str] = field(default_factory=list)
    _reply: list[str] = field(default_factory=list)
    fence: str = ""  # the code fence that is open in a reply
    _has_reply: bool = False  # since the program last said something
    _has_replied: bool = False  # since the last prompt
    _goes_on: bool = False  # the program's last line was the one before
    _has_break: bool = False  # the last line of the prompt before ended with a line break

    def take(self, line: str) -> None:
        if self._prompt and line.startswith(_EMPTY_PROMPT_LINE) and line[4:5] in ("", " "):
            self._prompt_line(line)
            return
        self._end_prompt()
        if self._is_notice(line):
            self._notice(line)
        elif self._is_prompt(line):
            self._goes_on = False
            self._prompt_line(line)
        else:
            self._rest(line)

    def finished(self) -> tuple[Prompt | Reply | Notice, ...]:
        self._end_prompt()
        self._end_reply()
        return tuple(self.parts)

    def _is_notice(self, line: str) -> bool:
        """Inside a code fence the mark is the agent's own, such as a quote in a file it writes."""
        if line != _EMPTY_PROGRAM_LINE and not line.startswith(_PROGRAM):
            return False
        return not self.fence or line.startswith(_CLOSES_REPLY)

    def _notice(self, line: str) -> None:
        self._end_reply()
        self._goes_on = True
        if words := line[1:].strip():
            self.parts.append(Notice(words))

    def _rest(self, line: str) -> None:
        """A reply begins behind a blank line; words right below the program's own are its next line."""
        blank = not line.strip()
        if self._goes_on and not blank and (not self._has_replied or line.startswith(_COST_LINE)):
            return
        self._goes_on = False
        if not blank or self._reply:
            self._reply.append(line)
        if not blank:
            self._has_reply = True
            self._note_fence(line)

    def _is_prompt(self, line: str) -> bool:
        """Right behind a prompt a heading can also be the first line of the reply: that one lacks the line break."""
        if self._has_reply or not line.startswith(_PROMPT):
            return False
        follows_prompt = bool(self.parts) and isinstance(self.parts[-1], Prompt)
        return not (follows_prompt and self._has_break and not line.endswith(_LINE_BREAK))

    def _prompt_line(self, line: str) -> None:
        self._prompt.append(line[5:].rstrip())
        self._has_break = line.endswith(_LINE_BREAK)

    def _note_fence(self, line: str) -> None:
        if not self.fence:
            found = _FENCE.match(line)
            self.fence = found[1] if found else ""
        elif _closes(self.fence, line):
            self.fence = ""

    def _end_prompt(self) -> None:
        if self._prompt:
            self.parts.append(Prompt("\n".join(self._prompt).strip()))
            self._prompt, self._has_replied = [], False

    def _end_reply(self) -> None:
        text = "\n".join(self._reply).strip()
        if text:
            self.parts.append(Reply(text))
            self._has_replied = True
        self._reply, self._has_reply, self.fence = [], False, ""


def _closes(fence: str, line: str) -> bool:
    """Whether a line ends a code block: as many marks as began it or more, and nothing else."""
    found = _FENCE.match(line)
    return found is not None and len(found[1]) >= len(fence) and not found[2].strip()
