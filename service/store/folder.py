"""The data folder: where its files lie, and the lock that gives it one serving process."""

import fcntl
import json
import os
import re
import secrets
import stat
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

_ASIDE = "session-summary.unreadable-"
# What can stand in a header and an address as it is.
_TOKEN = re.compile(r"[!-~]+")
# The first process writes its name right behind taking the lock: it is waited for this long, a step at a time.
_NAME_STEPS = 20
_NAME_STEP_SECONDS = 0.01


class FolderError(Exception):
    """The data folder cannot be used; the message says why and what to do."""


class FolderInUseError(FolderError):
    """Another process serves this data folder; the message names it."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The files of one installation."""

    path: Path

    @property
    def database(self) -> Path:
        return self.path / "session-summary.db"

    @property
    def config(self) -> Path:
        return self.path / "config.json"

    @property
    def token(self) -> Path:
        return self.path / "token"

    @property
    def lock(self) -> Path:
        return self.path / "session-summary.lock"

    def set_aside(self) -> list[Path]:
        """Databases that a start could not read and moved aside, oldest first; moving them elsewhere dismisses them."""
        return sorted(self.path.glob(f"{_ASIDE}*.db"))

    def notices(self) -> list[str]:
        """What the person should know of the folder, until they have seen to it."""
        return [
            f"an unreadable database was moved aside as {path.name}; move it out of the data folder to dismiss this"
            for path in self.set_aside()
        ]

    def set_database_aside(self, at: float) -> list[Path]:
        """Moves the database with its log and index to names of their own, so that a new one can take their place."""
        stamp = datetime.fromtimestamp(at, UTC).strftime("%Y%m%dT%H%M%S%f")
        moved = []
        for suffix in ("-wal", "-shm", ""):
            file, target = Path(f"{self.database}{suffix}"), self.path / f"{_ASIDE}{stamp}.db{suffix}"
            if file.exists():
                file.rename(target)
                moved.append(target)
        return moved

    def prepare(self) -> None:
        """Creates the folder, for its owner alone. Raises FolderError where it cannot be written."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(f"the data folder {self.path} cannot be made: {error.strerror or error}") from error
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise FolderError(f"the data folder {self.path} cannot be written; choose another with --data-dir")

    def dashboard_token(self) -> str:
        """The token in the folder, made where there is none (256 bit, file mode 0600). Raises FolderError."""
        try:
            token = self._read_token() or self._make_token()
        except OSError as error:
            raise FolderError(
                f"{self.token} cannot be used: {error.strerror or error}; check its permissions"
            ) from error
        if not _TOKEN.fullmatch(token):
            raise FolderError(f"{self.token} holds no token; remove it, and a new one is made")
        return token

    def _read_token(self) -> str | None:
        try:
            token = self.token.read_text("ascii", "replace").strip()
        except FileNotFoundError:
            return None
        if token and stat.S_IMODE(self.token.stat().st_mode) & 0o077:
            self.token.chmod(0o600)
        return token or None

    def _make_token(self) -> str:
        """A missing or blank file replaced; of several processes that find it so, one makes the token of all."""
        descriptor = os.open(self.token, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            # Whoever had the lock before has put another file in the place of the one that is locked.
            return self._read_token() or self._replace_token()
        finally:
            os.close(descriptor)

    def _replace_token(self) -> str:
        token = secrets.token_urlsafe(32)
        descriptor, temporary = tempfile.mkstemp(dir=self.path, prefix=".token-")
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(token + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.token)
        except BaseException:
            os.unlink(temporary)
            raise
        return token


@dataclass(frozen=True, slots=True)
class Serving:
    """Who serves a folder: process id and the address it answers at."""

    pid: int
    url: str | None


class FolderLock:
    """Held while a process serves the folder; the system frees it when the process dies, however it dies."""

    def __init__(self, folder: DataFolder, descriptor: int) -> None:
        self._folder = folder
        self._descriptor = descriptor

    @classmethod
    def take(cls, folder: DataFolder) -> Self:
        """The lock. Raises FolderInUseError where another process has it."""
        descriptor = os.open(folder.lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise FolderInUseError(_in_use(folder)) from error
        lock = cls(folder, descriptor)
        lock._write(None)
        return lock

    def announce(self, url: str) -> None:
        """Tells commands where the serving process answers."""
        self._write(url)

    def _write(self, url: str | None) -> None:
        text = json.dumps({"pid": os.getpid(), "url": url}).encode()
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, text, 0)

    def release(self) -> None:
        """Gives the folder back; a second call does nothing."""
        if self._descriptor >= 0:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = -1


def _in_use(folder: DataFolder) -> str:
    first = _named(folder)
    named = "another process" if first is None else f"process {first.pid}"
    where = f" at {first.url}" if first and first.url else ""
    return f"the data folder {folder.path} is already served by {named}{where}; stop it, or choose another --data-dir"


def _named(folder: DataFolder) -> Serving | None:
    for _ in range(_NAME_STEPS):
        if (first := read_serving(folder)) is not None:
            return first
        time.sleep(_NAME_STEP_SECONDS)
    return None


def read_serving(folder: DataFolder) -> Serving | None:
    """Who wrote itself into the lock file; whether it still lives only `find_serving` tells."""
    try:
        value = json.loads(folder.lock.read_text())
        return Serving(int(value["pid"]), value["url"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def find_serving(folder: DataFolder) -> Serving | None:
    """The process that serves the folder at this moment, None where none does."""
    try:
        descriptor = os.open(folder.lock, os.O_RDWR)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return read_serving(folder)
    finally:
        os.close(descriptor)
    return None
