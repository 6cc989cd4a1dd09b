"""The log of the service at its most talkative, caught for a test."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from service.log import set_up


@contextmanager
def at_its_most_talkative() -> Iterator[io.StringIO]:
    """What `serve --log-level debug` writes while the block runs; handlers and levels are as before afterwards."""
    root = logging.getLogger()
    handlers, level, own = root.handlers[:], root.level, logging.getLogger("service").level
    written = io.StringIO()
    with mock.patch("sys.stderr", written):
        set_up("debug")
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("service").setLevel(own)
