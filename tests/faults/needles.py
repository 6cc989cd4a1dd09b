"""Looking for text that must not be on disk any more."""

import base64
from pathlib import Path

NEEDLE = "the-heron-counts-nine-lanterns-at-dusk-7"
assert len(NEEDLE) == 40


def files_with(folder: Path, needle: str = NEEDLE) -> list[str]:
    """The files under `folder` that hold the needle in UTF-8, UTF-16 or, at any offset, base64."""
    forms = [needle.encode(), needle.encode("utf-16-le"), needle.encode("utf-16-be"), *_base64_forms(needle.encode())]
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if any(form in path.read_bytes() for form in forms)]


def _base64_forms(text: bytes) -> list[bytes]:
    """What stays the same of the encoded needle whatever stands before and behind it."""
    # Three offsets; the first and last groups depend on the neighbors and are left out.
    return [base64.b64encode(b"\0" * offset + text)[4 : -4 or None] for offset in range(3)]
