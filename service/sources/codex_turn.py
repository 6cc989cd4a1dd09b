"""How the newest turn of a Codex rollout stands; newer files mark where turns begin and end, older ones do not."""

from service.sources.session import LastTurn

_COMMENTARY, _FINAL = "commentary", "final_answer"
_OVER = frozenset({LastTurn.COMPLETED, LastTurn.INTERRUPTED})


class Turn:
    """Takes what happens in file order; `open_calls` are the calls without an output, which it forgets as turns end."""

    def __init__(self, open_calls: set[str]) -> None:
        self.stands = LastTurn.NONE
        self.is_marked = False  # the file marks turns
        self.is_steerable = False  # a turn that has its prompt runs, and an end marker will tell when it does not
        self.is_answered = False  # since the prompt, or since an error after it
        self._open_calls = open_calls

    def start(self) -> None:
        """A marker: what a turn that was killed had called, nobody answers."""
        self.is_marked = True
        self.end(LastTurn.WORKING)

    def count_prompt(self) -> bool:
        """Takes a prompt that was typed; whether a turn starts with it."""
        starts = not self.is_steerable
        self.is_steerable = self.is_marked
        self.is_answered = False
        return starts

    def prompt(self, *, by_person: bool) -> None:
        """The agent sets to work; without markers a person's prompt is all that shows the turn before is over."""
        if by_person and not self.is_marked:
            self._open_calls.clear()
        self.go_on()

    def go_on(self) -> None:
        """The agent is at work, or waits for a call."""
        self.stands = LastTurn.TOOL_OPEN if self._open_calls else LastTurn.WORKING

    def reply(self, phase: object, *, is_second: bool) -> None:
        """Takes words of the agent's; `is_second` where another row had them just before."""
        if self.stands is LastTurn.FAILED and (is_second or phase == _COMMENTARY):
            return
        self.is_answered = True
        if self.stands in _OVER:
            return
        if phase == _FINAL or (phase != _COMMENTARY and not self.is_marked):
            self._close(is_second=is_second and phase != _FINAL)
        elif self.stands is not LastTurn.FAILED and (phase == _COMMENTARY or not is_second):
            self.go_on()

    def complete(self) -> None:
        """A marker; an error that was not answered after all is how the turn ended."""
        if self.stands is not LastTurn.FAILED or self.is_answered:
            self.end(LastTurn.COMPLETED)

    def fail(self) -> None:
        """An error, which the agent may get over."""
        self.end(LastTurn.FAILED)
        self.is_answered = False

    def end(self, how: LastTurn) -> None:
        """Leaves the turn so, with nothing open."""
        self.stands = how
        self.is_steerable = False
        self._open_calls.clear()

    def _close(self, *, is_second: bool) -> None:
        """The model answers only when its calls are, whether or not the rows of their outputs are here.

        The second row of the same words may stand behind a call that was made after them.
        """
        if not is_second:
            self._open_calls.clear()
        self.stands = LastTurn.TOOL_OPEN if self._open_calls else LastTurn.REPLIED
