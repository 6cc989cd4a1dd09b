"""Tool calls that wait for their results, and how much of a call and of its result is kept meanwhile."""

from typing import Generic, TypeVar

SUBJECT_CHARS = 8_000
OUTPUT_CHARS = 40_000
NAME_CHARS = 200
_MOST = 2_000

Call = TypeVar("Call")


class WaitingCalls(Generic[Call]):
    """Calls by id, the oldest forgotten beyond a bound; `open` holds the ids of the running turn."""

    def __init__(self) -> None:
        self._calls: dict[str, Call] = {}
        self.open: set[str] = set()

    def begin(self, call_id: str, call: Call) -> None:
        """Keeps a call until its result comes."""
        if len(self._calls) >= _MOST:
            self._calls.pop(next(iter(self._calls)))
        self._calls[call_id] = call
        self.open.add(call_id)

    def end(self, call_id: str) -> Call | None:
        """The call whose result has come; None for one that nobody made, or whose result came before."""
        self.open.discard(call_id)
        return self._calls.pop(call_id, None)
