"""What `serve` and `demo` share: the folder's lock, the listening socket, and the service between them."""

import contextlib
import os
import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from service.cli.ending import CommandError
from service.store.folder import DataFolder, FolderError, FolderLock

if TYPE_CHECKING:
    from service.web.server import Options


_OWNER_ALONE = 0o077


@contextlib.contextmanager
def held(folder: DataFolder) -> Iterator[FolderLock]:
    """The folder's lock, from before anything is written in it until everything has ended.

    What is written meanwhile is for its owner's eyes alone, however open the folder is. Raises FolderInUseError where
    another process serves the folder, FolderError where it cannot be used.
    """
    folder.prepare()
    try:
        lock = FolderLock.take(folder)
    except OSError as error:
        raise FolderError(f"{folder.lock} cannot be used: {error.strerror or error}; check its permissions") from error
    umask = os.umask(_OWNER_ALONE)
    try:
        _close_to_others(folder)
        yield lock
    finally:
        os.umask(umask)
        lock.release()


def _close_to_others(folder: DataFolder) -> None:
    """A database that was made readable for others is so no longer; its log and index take after it."""
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            os.chmod(f"{folder.database}{suffix}", 0o666 & ~_OWNER_ALONE)


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """The listening socket. Raises CommandError where there is none to be had."""
    from service.web.server import AddressError, bind

    try:
        listener = bind(host, port)
    except AddressError as error:
        raise CommandError(str(error)) from error
    with listener:
        yield listener


def run_until_ended(options: "Options", listener: socket.socket, lock: FolderLock, tell: Callable[[str], None]) -> None:
    """Serves until a signal ends it; `tell` gets the address with the token once it answers."""
    from service.web.server import serve

    started = False

    def ready(url: str) -> None:
        nonlocal started
        started = True
        lock.announce(url)
        tell(f"{url}/#token={options.folder.dashboard_token()}")

    serve(options, listener, ready)
    if not started:
        raise CommandError(f"the service could not start on {options.folder.path}; the log above says why")
