"""How a pass ended, in the words of SPEC section 7: the same word in log, ledger and answer."""

from dataclasses import dataclass, field

from service.domain.gates import Skip
from service.store.ledger import Outcome
from service.summarizers.protocol import Usage

FRESH = "fresh"
QUEUE_FULL = "queue_full"
BUDGET = "budget"
DEADLINE = "deadline"
STORE_BUSY = "store_busy"
STORE_FULL = "store_full"
MODEL_ERROR = "model_error"
MODEL_TIMEOUT = "model_timeout"
REPLY_UNUSABLE = "reply_unusable"


@dataclass(frozen=True, slots=True)
class PassResult:
    """One pass, ended: `reason` is None only where a summary was stored; `retry_after` is in seconds."""

    outcome: Outcome
    reason: str | None = None
    retry_after: float | None = None
    model: str | None = None
    usage: Usage = field(default_factory=Usage)

    @property
    def current(self) -> bool:
        """Whether a fresh summary is there now, made by this pass or by an earlier one."""
        return self.outcome is Outcome.STORED or self.reason == FRESH


def skipped(reason: str) -> PassResult:
    """A pass that never began."""
    return PassResult(Outcome.SKIPPED, reason)


def failed(reason: str) -> PassResult:
    """A pass that began and came to nothing."""
    return PassResult(Outcome.FAILED, reason)


IN_FLIGHT = skipped(Skip.IN_FLIGHT)
# A pass that a stopping service cuts short, or never starts, had no time left.
CUT_SHORT = failed(DEADLINE)
