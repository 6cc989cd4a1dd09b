"""How a pass ended, in the words of SPEC section 7: the same word in log, ledger and answer."""

import logging
import traceback
from collections.abc import Awaitable
from dataclasses import dataclass, field
from pathlib import Path

from service.domain.gates import Skip
from service.domain.identity import Refusal
from service.store.engine import StoreBusyError, StoreFullError
from service.store.ledger import Outcome
from service.summarizers.protocol import Usage

log = logging.getLogger(__name__)

_PACKAGE = Path(__file__).parents[1]

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
    """One pass, ended: `reason` is None only where a summary was stored; `retry_after` is in seconds.

    `booked` says that its ledger row was written together with what it made.
    """

    outcome: Outcome
    reason: str | None = None
    retry_after: float | None = None
    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    booked: bool = False

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
DELETED = PassResult(Outcome.REFUSED, Refusal.DELETED)
# A pass that a stopping service cuts short, or never starts, had no time left.
CUT_SHORT = failed(DEADLINE)


async def contained(transcript_key: str, work: Awaitable[PassResult]) -> PassResult:
    """How the work of a pass ended, whatever it raised: a turn never fails because of one."""
    try:
        return await work
    except StoreBusyError:
        return failed(STORE_BUSY)
    except StoreFullError:
        return failed(STORE_FULL)
    except Exception as error:
        log.error("pass_broke transcript=%r at=%s", transcript_key, where(error))
        return failed(MODEL_ERROR)


def where(error: Exception) -> str:
    """Type and place of an error, in this package where it passed through: its message may hold text of a session."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _PACKAGE in Path(frame.filename).parents]
    frame = (ours or frames)[-1]
    return f"{type(error).__name__}:{Path(frame.filename).stem}.{frame.name}:{frame.lineno}"
