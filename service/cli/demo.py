"""`demo`: a throw-away service with made-up sessions, so that the product can be seen before it is set up."""

import asyncio
import contextlib
import shutil
import socket
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from service.cli.ending import CommandError
from service.cli.output import busy, say, say_lines, width
from service.cli.serving import held, listening, run_until_ended
from service.cli.sessions import row_of, title_in
from service.cli.signals import ending_on_signals
from service.config import ConfigFile, set_value
from service.domain.lines import Line
from service.store.folder import DataFolder

_HOST = "127.0.0.1"
_USUAL_PORT = 8765
_SHOWN = "shop-api/checkout-cents"


def demo(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, metavar="PORT", help="[default: 8765, another where that is taken]")
    ] = None,
) -> None:
    """See what it does: a throw-away service with made-up sessions; no key, no network, nothing of yours is read.

    \b
    Examples:
      session-summary demo
      session-summary demo --port 0
    """
    with ending_on_signals(), _temporary_folder() as folder, held(folder) as lock:
        from service import log
        from service.cli.demo_data import fill, this_moment
        from service.cli.direct import Direct
        from service.domain.plain_text import as_lines
        from service.web.server import Options

        log.set_up("warning")
        settings = ConfigFile(folder.config)
        set_value(folder.config, "session_summary.enabled", True)
        set_value(folder.config, "engine", "outline")
        with busy("making up three sessions"):
            asyncio.run(fill(folder, settings, this_moment()))
        data = Direct(folder, folder.config)
        lines = as_lines(data.summary(_SHOWN), heading=title_in(row_of(data, _SHOWN), _SHOWN), width=width())
        with _listening(port) as listener:
            options = Options(folder, settings, _HOST, 0, False, {}, folder.path)
            run_until_ended(options, listener, lock, lambda address: _tell(address, folder.path, lines))


@contextlib.contextmanager
def _temporary_folder() -> Iterator[DataFolder]:
    """A folder of its own, gone with everything in it however the block ends."""
    path = Path(tempfile.mkdtemp(prefix="session-summary-demo-"))
    try:
        yield DataFolder(path)
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _listening(port: int | None) -> Iterator[socket.socket]:
    """The port asked for, else the usual one, else any that is free."""
    with contextlib.ExitStack() as stack:
        try:
            listener = stack.enter_context(listening(_HOST, _USUAL_PORT if port is None else port))
        except CommandError:
            if port is not None:
                raise
            listener = stack.enter_context(listening(_HOST, 0))
        yield listener


def _tell(address: str, folder: Path, lines: Sequence[Line]) -> None:
    say("One of three made-up sessions, as somebody finds it who comes back to it:\n")
    say_lines(lines)
    say("\nAll three are on the page. Open this address; Ctrl-C ends the demo and removes")
    say(f"{folder}.\n\n  {address}\n")
    say("Your own sessions: session-summary serve, or session-summary summarize PATH")
