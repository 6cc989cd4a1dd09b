"""The command line: one module per group of commands, each importing what is heavy only when it runs."""

import contextlib
import os
import sys

from service.cli.ending import INTERRUPTED
from service.cli.signals import heed_ctrl_c


def main() -> None:
    """The console script; it loads the program itself, so that Ctrl-C meanwhile ends it like at any later time."""
    try:
        heed_ctrl_c()
        from service.cli import app

        code = app.main()
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        _leave_at_once(code)
    sys.exit(code)


def _leave_at_once(code: int) -> None:
    """Threads that are still busy are not waited for: nothing they do is wanted any more."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(code)
