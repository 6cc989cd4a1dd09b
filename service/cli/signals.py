"""What Ctrl-C and other signals do to a command: they end it in order, and nothing is said."""

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from types import FrameType

Handler = Callable[[int, FrameType | None], None]

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SAME_WISH_SECONDS = 1.0
_AGAIN_SECONDS = 0.005


def heed_ctrl_c() -> None:
    """From here on Ctrl-C is heard wherever it arrives; one that is ignored from outside stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raises KeyboardInterrupt, a moment later where Python would only report it: while it finalizes an object.

    Compiled patterns leave many objects with a finalizer, so that Ctrl-C often comes in one while the rules load.
    """
    if _is_finalizing(frame):
        signal.signal(signal.SIGALRM, lambda _, frame: _interrupt(number, frame))
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)
    else:
        raise KeyboardInterrupt


def _is_finalizing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def ending_on_signals() -> Iterator[None]:
    """Ctrl-C, SIGTERM and a closed terminal end the block: everything is cleaned up, and nothing is said.

    A signal that was ignored from outside (nohup) stays ignored. Once one has ended the block all are, since nothing
    but the end of the process follows.
    """
    before = {number: signal.getsignal(number) for number in _ENDING}
    end = _interrupt_once()
    after = before
    for number, earlier in before.items():
        if earlier is not signal.SIG_IGN:
            signal.signal(number, _end_in_order if number == signal.SIGHUP else end)
    try:
        yield
    except KeyboardInterrupt:
        after = dict.fromkeys(_ENDING, signal.SIG_IGN)
    finally:
        for number, handler in after.items():
            signal.signal(number, handler)


def _interrupt_once() -> Handler:
    """A signal right behind another is the same wish, and may not cut off what is cleaned up; a later one counts."""
    last: float | None = None

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal last
        if last is None or time.monotonic() - last > _SAME_WISH_SECONDS:
            last = time.monotonic()
            _interrupt(number, frame)

    return end


def _end_in_order(_: int, __: FrameType | None) -> None:
    """The server ends in order on SIGTERM, which it handles itself while it runs."""
    signal.raise_signal(signal.SIGTERM)
