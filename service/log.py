"""Log lines are `event key=value`; no message text, summary text or token is ever in one."""

import logging
import sys


def set_up(level: str) -> None:
    """Sends the service's log to stderr; libraries speak only when something is wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("service").setLevel(level.upper())
