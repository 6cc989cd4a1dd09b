"""The serving process: its parts put together, started and ended in the right order."""

import contextlib
import functools
import logging
import os
import socket
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import uvicorn

from service.config import ConfigFile
from service.passes.engines import Engines
from service.passes.generate import Passes
from service.passes.mirror import Mirror
from service.passes.scrub import Scrub
from service.passes.take_in import FileIntake
from service.passes.titles import Titles
from service.passes.upkeep import Upkeep
from service.passes.worker import Worker
from service.store.engine import Database, StoreBusyError, StoreFullError
from service.store.folder import DataFolder
from service.store.readiness import Readiness
from service.store.schema import open_for_serving
from service.store.summaries import release_all_leases
from service.web.app import create_app
from service.web.state import Running
from service.web.stream import Hub

log = logging.getLogger(__name__)

_GRACE_SECONDS = 2


class AddressError(Exception):
    """The address cannot be served at; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to serve."""

    folder: DataFolder
    config: ConfigFile
    host: str
    port: int
    mirror_sources: bool
    environ: Mapping[str, str]
    home: Path
    now: Callable[[], float] = time.time


class Server(uvicorn.Server):
    """Ends streams and passes before it waits for connections: both would hold it up."""

    def __init__(self, config: uvicorn.Config, running: Running) -> None:
        super().__init__(config)
        self._parts = running

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal counts: a second one would cut off the orderly end, which is short by itself."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._parts.hub.close()
        await self._parts.worker.close()
        await super().shutdown(sockets)


def bind(host: str, port: int) -> socket.socket:
    """A listening socket. Raises AddressError where the port is taken or the address is not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise AddressError(f"cannot listen on {host} port {port}: {reason}; choose another with --port") from error
    return listener


def url_of(listener: socket.socket) -> str:
    """The address to open, for a browser on this machine."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - a name to open, nothing is bound to it
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(options: Options, listener: socket.socket, ready: Callable[[str], None]) -> None:
    """Serves until a signal ends it; the folder's lock is the caller's to hold."""
    running, lifespan = assemble(options, lambda: ready(url_of(listener)))
    app = create_app(running, dashboard_token=options.folder.dashboard_token(), lifespan=lifespan)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        lifespan="on",
    )
    Server(config, running).run(sockets=[listener])


async def _free_leases(db: Database) -> None:
    """A request that was cut off between its lease and its pass leaves one; the next start frees it in any case."""
    with contextlib.suppress(StoreBusyError, StoreFullError):
        await db.write(release_all_leases)


def assemble(
    options: Options, ready: Callable[[], None]
) -> tuple[Running, Callable[[], contextlib.AbstractAsyncContextManager[None]]]:
    """The parts of a service, and what starts and ends them."""
    db = Database(options.folder.database)
    worker = Worker(lambda: options.config.current().max_passes)
    engines = Engines(options.environ)
    passes = Passes(db, options.config, worker, engines.choose, now=options.now)
    titles = Titles(db, options.config, worker, engines.choose, now=options.now)
    hub = Hub(db, lambda: options.config.current().enabled, options.config.times_changed)
    upkeep = Upkeep(db, options.now)
    intake = FileIntake(db, options.config, options.now, upkeep.purge_soon)
    mirror = Mirror(db, intake, passes, options.config, options.environ, options.home, options.now)
    passes.catch_up_with(mirror.catch_up_after_turn)
    titles.catch_up_with(mirror.catch_up)
    scrub = Scrub(db, upkeep.purge_soon, options.now)
    running = Running(
        db=db,
        config=options.config,
        passes=passes,
        titles=titles,
        worker=worker,
        hub=hub,
        upkeep=upkeep,
        readiness=Readiness(db),
        mirror=mirror,
        folder=options.folder,
        now=options.now,
        started=options.now(),
    )

    return running, functools.partial(_alive, options, running, scrub, ready)


@contextlib.asynccontextmanager
async def _alive(options: Options, running: Running, scrub: Scrub, ready: Callable[[], None]) -> AsyncIterator[None]:
    """Starts the parts one after another, and ends them in reverse order."""
    log.info("starting pid=%s sqlite=%s", os.getpid(), sqlite3.sqlite_version)
    await open_for_serving(options.folder, options.now())
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(running.db.close)
        await running.db.write(release_all_leases)
        stack.push_async_callback(_free_leases, running.db)
        stack.push_async_callback(running.worker.close)
        stack.push_async_callback(running.upkeep.close)
        running.upkeep.start()
        stack.push_async_callback(scrub.close)
        scrub.start()
        await running.hub.start()
        stack.push_async_callback(running.hub.drained)
        stack.callback(running.hub.close)
        if options.mirror_sources:
            stack.push_async_callback(running.mirror.close)
            running.mirror.start()
        ready()
        yield
    log.info("stopped pid=%s", os.getpid())
