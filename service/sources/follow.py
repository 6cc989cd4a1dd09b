"""One agent's file while it grows: only what was appended is read, and on any doubt it is read anew."""

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from service.sources.formats import Problem, ReadResult, Trouble, identify, read_as, unreadable
from service.sources.kinds import Format, PathFormat, RowFormat
from service.sources.opened import BLOCK_BYTES, is_packed, open_regular, read_blocks
from service.sources.rows import RowSplitter
from service.sources.stamps import NO_STAMP, Stamp, stamp_from, stamp_of, stamp_or_none

# An append is believed if this much at the head of the file, and as much before the place reached, is unchanged.
PROOF_BYTES = 4096
# File systems step their times by up to 10 ms, so two writes closer together than that can leave equal stamps.
_TICK_NS = 100_000_000


class Verdict(StrEnum):
    """What happened to a file since it was last looked at."""

    APPEND = "append"  # read for the first time, or grown
    REWRITE = "rewrite"  # other content than was read before
    SAME = "same"  # the same bytes whatever its times say, or grown by less than a row
    GONE = "gone"
    UNREADABLE = "unreadable"  # there, but closed to us: what was read of it still stands


@dataclass(frozen=True, slots=True)
class Advance:
    """One look at a file: `offset` is where its next unread row begins, `digest` stands for all bytes read so far.

    `parts` are the other files a change may show in.
    """

    verdict: Verdict
    result: ReadResult
    offset: int = 0
    digest: str = ""
    stamp: Stamp = NO_STAMP
    parts: tuple[Path, ...] = ()


_NOT_SEEN = Advance(Verdict.SAME, ReadResult())


class FollowedFile:
    """Holds the reader of one file, so that an append costs what was appended; opens it read-only and briefly.

    A verdict is about bytes: rows that were appended may still take earlier messages back, which the sessions tell.
    """

    def __init__(
        self, path: Path, clock: Callable[[], int] = time.time_ns, is_closing: Callable[[], bool] = lambda: False
    ) -> None:
        self.path = path
        self._clock = clock
        self._is_closing = is_closing
        self._read_at = 0
        self._last = _NOT_SEEN
        self._rows: _FollowedRows | None = None
        self._reopened: PathFormat | None = None
        self._parts: tuple[Path, ...] = ()

    def advance(self, *, verify: bool = False) -> Advance:
        """Takes in what changed; with `verify` every byte read so far is compared again, whatever the stamp says."""
        try:
            stamp = self._stamp()
            if stamp == self._last.stamp and not verify and not self._is_racy(stamp):
                return replace(self._last, verdict=Verdict.SAME)
            self._read_at = self._clock()
            self._last = self._continued(stamp, verify=verify) or self._started_over()
        except (FileNotFoundError, NotADirectoryError):
            self._last, self._rows = _NOT_SEEN, None
            return replace(_NOT_SEEN, verdict=Verdict.GONE)
        except (OSError, ValueError) as error:
            return replace(self._last, verdict=Verdict.UNREADABLE, result=ReadResult(trouble=unreadable(error)))
        return self._last

    @property
    def is_read_on(self) -> bool:
        """Whether a change costs what was appended, and not the whole file."""
        return self._rows is not None

    def unread_bytes(self) -> int:
        """How much a look would read, at most: nothing of a file that is missing."""
        found = stamp_or_none(self.path)
        read = self._rows.position if self._rows else 0
        return max(0, found.size - read) if found else 0

    def _stamp(self) -> Stamp:
        return stamp_of(self.path, self._parts)

    def _is_racy(self, stamp: Stamp) -> bool:
        """Whether a part could have been written again after it was read without its stamp showing it."""
        return any(one and abs(self._read_at - one.ctime_ns) <= _TICK_NS for one in (stamp, *stamp.beside))

    def _continued(self, stamp: Stamp, *, verify: bool) -> Advance | None:
        """What was appended, or None where the bytes read before are not all there any more."""
        if self._rows is None or stamp.size < self._rows.position:
            return None
        if stamp.alone == self._last.stamp.alone and not verify and not self._is_racy(stamp.alone):
            return self._rows.advance(Verdict.SAME, stamp, self._parts)
        appended_only = stamp.inode == self._last.stamp.inode and stamp.size > self._rows.position
        with open_regular(self.path) as stream:
            if not self._rows.proven(stream, thoroughly=verify or not appended_only):
                return None
            grown = self._rows.read_on(stream)
            read = stamp_from(os.fstat(stream.fileno()), stamp.beside)
            return self._rows.advance(Verdict.APPEND if grown else Verdict.SAME, read, self._parts)

    def _started_over(self) -> Advance:
        """The whole file as new; the same bytes under another name or time are no rewrite."""
        before, found = self._last, identify(self.path)
        self._parts = _other_parts(found, self.path)
        fresh = self._followed(found) if isinstance(found, RowFormat) else self._read_whole(found)
        if before.result.format is None:
            verdict = Verdict.APPEND
        elif isinstance(found, PathFormat):
            verdict = Verdict.SAME if fresh.result.sessions == before.result.sessions else Verdict.REWRITE
        else:
            verdict = Verdict.SAME if fresh.digest == before.digest else Verdict.REWRITE
        return replace(fresh, verdict=verdict)

    def _followed(self, found: RowFormat) -> Advance:
        beside = self._stamp().beside
        with open_regular(self.path) as stream:
            if is_packed(stream.read(4)):
                return self._read_whole(found)
            stream.seek(0)
            self._rows = _FollowedRows(found, self.path, self._is_closing)
            self._rows.read_on(stream)
            return self._rows.advance(Verdict.APPEND, stamp_from(os.fstat(stream.fileno()), beside), self._parts)

    def _read_whole(self, found: Format | Trouble) -> Advance:
        """Documents, packed files and folders: nothing to go on from, so they are read at once."""
        self._rows = None
        stamp = self._stamp()
        if isinstance(found, Trouble):
            if found.problem is Problem.UNREADABLE:
                raise OSError(found.detail)
            return Advance(Verdict.APPEND, ReadResult(trouble=found), stamp=stamp)
        found = self._with_reader(found)
        digest = "" if isinstance(found, PathFormat) else _digest_of(self.path)
        return Advance(Verdict.APPEND, read_as(found, self.path), stamp.size, digest, stamp, self._parts)

    def _with_reader(self, found: Format) -> Format:
        """The format, with a reader of this path's own where it has one."""
        if not isinstance(found, PathFormat) or found.open_reader is None:
            return found
        if self._reopened is None or self._reopened.name != found.name:
            self._reopened = replace(found, read=found.open_reader())
        return self._reopened


class _FollowedRows:
    """Rows read so far, and the proof that they still stand where they stood."""

    def __init__(self, found: RowFormat, path: Path, is_closing: Callable[[], bool]) -> None:
        self._is_closing = is_closing
        self._format = found.name
        self._reader = found.open_reader(path)
        self._splitter = RowSplitter()
        self._digest = hashlib.blake2b(digest_size=16)
        self._head = b""
        self._tail = b""

    @property
    def position(self) -> int:
        return self._splitter.position

    def proven(self, stream: BinaryIO, *, thoroughly: bool) -> bool:
        """Whether the bytes read before are still there: by head and tail, or every one of them."""
        if thoroughly:
            stream.seek(0)
            return _digest_up_to(stream, self.position) == self._digest.hexdigest()
        stream.seek(0)
        if stream.read(len(self._head)) != self._head:
            return False
        stream.seek(self.position - len(self._tail))
        return stream.read(len(self._tail)) == self._tail

    def read_on(self, stream: BinaryIO) -> bool:
        """Reads from where it stopped to the end; whether a row came of it."""
        rows = self._splitter.counts.rows
        stream.seek(self.position)
        for block in read_blocks(stream):
            if self._is_closing():
                # A file of gigabytes must not keep the process: threads cannot be cancelled.
                raise InterruptedError("the service ends")
            self._remember(block)
            for row in self._splitter.feed(block):
                self._reader.add(row)
        for row in self._splitter.finish():
            self._reader.add(row)
        return self._splitter.counts.rows > rows

    def advance(self, verdict: Verdict, stamp: Stamp, parts: tuple[Path, ...]) -> Advance:
        counts = replace(self._splitter.counts, unknown=self._reader.unknown_rows)
        result = ReadResult((self._reader.session(),), counts, self._format)
        return Advance(verdict, result, self._splitter.offset, self._digest.hexdigest(), stamp, parts)

    def _remember(self, block: bytes) -> None:
        self._digest.update(block)
        if len(self._head) < PROOF_BYTES:
            self._head += block[: PROOF_BYTES - len(self._head)]
        self._tail = (self._tail + block[-PROOF_BYTES:])[-PROOF_BYTES:]


def _other_parts(found: Format | Trouble, path: Path) -> tuple[Path, ...]:
    if isinstance(found, PathFormat | RowFormat):
        return tuple(part for part in found.parts(path) if part != path)
    return ()


def _digest_of(path: Path) -> str:
    with open_regular(path) as stream:
        return _digest_up_to(stream, os.fstat(stream.fileno()).st_size)


def _digest_up_to(stream: BinaryIO, size: int) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for block in _blocks_up_to(stream, size):
        digest.update(block)
    return digest.hexdigest()


def _blocks_up_to(stream: BinaryIO, size: int) -> Iterator[bytes]:
    while size > 0 and (block := stream.read(min(BLOCK_BYTES, size))):
        yield block
        size -= len(block)
