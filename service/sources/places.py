"""Whether a path is where an agent keeps its session files."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from service.sources.kinds import Environ, Place


def belongs(place: Place, path: Path, environ: Environ, home: Path) -> bool:
    """Whether a look through the place's folders would find the path, had it a file; nothing is read for it."""
    for root in place.roots(environ, home):
        if path.is_relative_to(root):
            parts = path.relative_to(root).parts
            if any(_fits(parts, pattern.split("/")) for pattern in place.patterns):
                return True
    return False


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Globbing as `Path.glob` does it: `**` stands for any number of folders, none too."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return _fits(parts, pattern[1:]) or (bool(parts) and _fits(parts[1:], pattern))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])
