"""One agent's file opened for reading, unpacked where the agent packed it."""

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


def is_packed(head: bytes) -> bool:
    """Whether a file that begins so is packed with zstd; its name says nothing."""
    return head.startswith(_ZSTD_MAGIC)


def open_file(path: Path) -> BinaryIO:
    """The file's words as a stream of bytes, unpacked block by block if need be; raises OSError alone."""
    with path.open("rb") as stream:
        packed = is_packed(stream.read(len(_ZSTD_MAGIC)))
    if packed:
        return cast(BinaryIO, ZstdFile(path, "rb"))  # a buffered binary file in all but its declared type
    return path.open("rb")


def read_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """The rest of a stream in blocks of a bounded size; a damaged pack ends where it can no longer be unpacked."""
    while block := _next_block(stream):
        yield block


def _next_block(stream: BinaryIO) -> bytes:
    try:
        return stream.read(BLOCK_BYTES)
    except (EOFError, ZstdError):
        return b""
