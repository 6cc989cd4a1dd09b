"""What reading an agent's file yields: one session, as its live branch stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from service.domain.messages import Message


class LastTurn(StrEnum):
    """How the last turn in the file stands."""

    NONE = "none"  # nobody asked anything yet
    WORKING = "working"  # a prompt or a tool result came last: the agent is at work, or died
    TOOL_OPEN = "tool_open"  # a tool call has no result yet
    REPLIED = "replied"  # a closing text stands and no marker follows: complete once it stays quiet
    COMPLETED = "completed"  # the file's own end marker
    INTERRUPTED = "interrupted"  # by the person
    FAILED = "failed"  # the model's side answered with an error


@dataclass(frozen=True, slots=True)
class Session:
    """One session: the messages of its live branch in file order, and what the file says of itself.

    `title` is the best the file offers, by the agent's own precedence; `project` a working directory; `last_activity`
    the greatest row time (ISO 8601), however late title rows came. `unprompted` says in a few words why no person ever
    spoke ("a sub-agent's file", "opened, never used"), None where one did. A `sub_agent` file is no person's session.
    `first_row` is the id of the row that the talk begins with, for agents that keep it when they copy rows to a file of
    another session; `copied_from` is the id of the session that the file says it was copied from, and `born` when it
    says that it was begun.
    """

    agent: str
    session_id: str
    messages: tuple[Message, ...]
    title: str | None
    project: str | None
    branch: str | None
    last_activity: str | None
    last_turn: LastTurn
    sub_agent: bool = False
    unprompted: str | None = None
    first_row: str | None = None
    copied_from: str | None = None
    born: str | None = None

    @property
    def key(self) -> str:
        """The transcript key, and the key of the slot that shows it."""
        return f"{self.agent}:{self.session_id}"

    @property
    def user_turns(self) -> int:
        return sum(message.by_person for message in self.messages)


class Reader(Protocol):
    """Takes the rows of one file in order, any number at a time, and tells at any moment what they amount to.

    A reader keeps only what the session needs (texts capped by the domain's rules, not tool payloads), so that its size
    follows what people and the agent said, not the size of the file. `unknown_rows` counts rows of no type it knows.
    """

    unknown_rows: int

    def add(self, row: Mapping[str, Any]) -> None:
        """Takes one JSON object; a known type of an odd shape is stepped over, never an error."""
        ...

    def session(self) -> Session:
        """The session as it stands after the rows taken so far."""
        ...
