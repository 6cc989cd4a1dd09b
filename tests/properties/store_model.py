"""What must be true of sessions, said as simply as it can be: the other side of the store's state machine."""

from dataclasses import dataclass, field


@dataclass
class Slot:
    """What must be true of a slot."""

    running: bool = False
    stop_reason: str | None = None
    mark: int = 0


@dataclass
class Transcript:
    """What must be true of a transcript: how often it moved, and what its summary was made from."""

    appends: int = 0
    rewrites: int = 0
    turns: int = 0
    messages: int = 0
    private: bool = False
    summary: tuple[int, int] | None = None
    summary_turns: int = 0
    slots: dict[str, Slot] = field(default_factory=dict)

    @property
    def identity(self) -> tuple[int, int]:
        return self.appends, self.rewrites

    @property
    def running(self) -> bool:
        return any(slot.running for slot in self.slots.values())

    @property
    def stale_reason(self) -> str | None:
        if self.summary in (None, self.identity):
            return None
        return "appended" if self.summary and self.summary[1] == self.rewrites else "rewritten"

    def append(self, count: int) -> None:
        self.appends += 1
        self.turns += count
        self.messages += 2 * count

    def rewrite(self, count: int) -> None:
        """The new content; no mark may stand behind its end."""
        self.rewrites += 1
        self.turns, self.messages = count, 2 * count
        for slot in self.slots.values():
            slot.mark = min(slot.mark, count)

    def set_private(self, private: bool) -> None:
        """Turning private loses everything; turning back brings nothing back."""
        if private and not self.private:
            self.rewrite(0)
            self.summary, self.summary_turns = None, 0
        self.private = private

    def store(self, identity: tuple[int, int], turns: int) -> None:
        """A summary of that identity, which sets the mark of every slot."""
        self.summary, self.summary_turns = identity, turns
        for slot in self.slots.values():
            slot.mark = turns

    def gate(self, slot: str, *, enabled: bool, in_flight: bool, automatic: bool, min_turns: int) -> str | None:
        """The first reason of SPEC section 7 that holds a pass back; None where the model is to be asked."""
        one = self.slots[slot]
        gates = {
            "disabled": not enabled,
            "in_flight": in_flight,
            "memory_mode": self.private,
            "running": self.running,
            f"stop_reason:{one.stop_reason or 'missing'}": automatic and one.stop_reason != "end_turn",
            "too_few_turns": self.turns < min_turns,
            "cadence": automatic and self.turns - one.mark < 1,
            "fresh": self.summary == self.identity,
        }
        return next((reason for reason, holds in gates.items() if holds), None)

    def refusal(self, *, same: bool) -> str | None:
        """Why a summary of this transcript is refused at this moment; `same` where it was made from what stands."""
        if self.private:
            return "memory_mode"
        if self.running:
            return "running"
        return None if same else "moved"
