"""Commands that run until they are told to stop: being told so is their ordinary end."""

import contextlib
import signal
from collections.abc import Iterator

_ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def ending_on_signals() -> Iterator[None]:
    """SIGTERM and a closed terminal end the block like Ctrl-C does: everything is cleaned up, and nothing is said.

    A signal that was ignored from outside (nohup) stays ignored.
    """
    before = {number: signal.getsignal(number) for number in _ENDING}
    try:
        for number, handler in before.items():
            if handler is signal.SIG_DFL:
                signal.signal(number, signal.default_int_handler)
        yield
    except KeyboardInterrupt:
        pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
