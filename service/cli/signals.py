"""Commands that run until they are told to stop: being told so is their ordinary end."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def ending_on_signals() -> Iterator[None]:
    """SIGTERM and a closed terminal end the block like Ctrl-C does: everything is cleaned up, and nothing is said.

    A signal that was ignored from outside (nohup) stays ignored.
    """
    handlers = {signal.SIGTERM: signal.default_int_handler, signal.SIGHUP: _end_in_order}
    before = {number: signal.getsignal(number) for number in handlers}
    try:
        for number, handler in handlers.items():
            if before[number] is signal.SIG_DFL:
                signal.signal(number, handler)
        yield
    except KeyboardInterrupt:
        pass
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _end_in_order(_: int, __: FrameType | None) -> None:
    """The server ends in order on SIGTERM, which it handles itself while it runs."""
    signal.raise_signal(signal.SIGTERM)
