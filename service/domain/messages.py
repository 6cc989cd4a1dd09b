"""What is kept of a conversation: messages, and the short facts that tool calls prove."""

from dataclasses import dataclass
from enum import StrEnum

from service.domain.characters import has_visible


class Origin(StrEnum):
    """Who stands behind a message, which its role alone does not tell."""

    PERSON = "person"
    AUTOMATION = "automation"
    ASSISTANT = "assistant"


class FactKind(StrEnum):
    """The kinds of fact that SPEC section 5 names."""

    EDITED = "edited"
    COMMITTED = "committed"
    PUSHED = "pushed"
    OPENED_PR = "opened_pr"
    RAN = "ran"
    DENIED = "denied"
    ANSWERED = "answered"


class FactResult(StrEnum):
    """How a run ended, by exit code or the tool's own error flag; unknown where neither says."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing a tool call proves; `text` is the part behind the kind, `result` is set for `ran` alone."""

    kind: FactKind
    text: str
    result: FactResult | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One stored message, in the order it was said.

    `role` is `user`, `assistant` or another word; only the first two are ever shown to a model. `ts` is the time as the
    caller gave it (ISO 8601 text, or the digits of epoch seconds or milliseconds), None where the source has none.
    `facts` happened after this message and before the next one.
    """

    role: str
    content: str
    origin: Origin
    ts: str | None = None
    facts: tuple[Fact, ...] = ()

    @property
    def spoken(self) -> bool:
        """Whether anybody said anything in it: only such messages are shown to a person or a model."""
        return self.role in ("user", "assistant") and has_visible(self.content)

    @property
    def by_person(self) -> bool:
        """Whether this is a user turn: words that a person typed."""
        return self.origin is Origin.PERSON and self.role == "user" and has_visible(self.content)
