"""One agent's file opened for reading: the only way in, which waits for nobody and unpacks what the agent packed."""

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdError, ZstdFile
else:
    from backports.zstd import ZstdError, ZstdFile

BLOCK_BYTES = 256 * 1024
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
# A pipe without a writer keeps whoever opens it waiting for ever. Not every system has these.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def is_packed(head: bytes) -> bool:
    """Whether a file that begins so is packed with zstd; its name says nothing."""
    return head.startswith(_ZSTD_MAGIC)


def open_regular(path: Path, most_bytes: int | None = None) -> BinaryIO:
    """A regular file's own bytes; raises OSError alone, for anything that is none and for a larger one too."""
    try:
        descriptor = os.open(path, _FLAGS)
    except ValueError as error:  # a NUL or half a character in the path
        raise OSError(errno.EINVAL, str(error)) from error
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if most_bytes is not None and found.st_size > most_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(path: Path, most_bytes: int) -> bytes:
    """All of a small file; raises OSError alone, for one that is larger too."""
    with open_regular(path, most_bytes) as stream:
        # It may have grown since it was opened.
        return stream.read(most_bytes)


@contextlib.contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    """The file's words as a stream of bytes, unpacked block by block if need be; raises OSError alone."""
    with open_regular(path) as stream:
        packed = is_packed(stream.read(len(_ZSTD_MAGIC)))
        stream.seek(0)
        if not packed:
            yield stream
            return
        with ZstdFile(stream, "rb") as unpacked:
            yield cast(BinaryIO, unpacked)  # a buffered binary file in all but its declared type


def read_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """The rest of a stream in blocks of a bounded size; a damaged pack ends where it can no longer be unpacked."""
    while block := _next_block(stream):
        yield block


def _next_block(stream: BinaryIO) -> bytes:
    try:
        return stream.read(BLOCK_BYTES)
    except (EOFError, ZstdError):
        return b""
