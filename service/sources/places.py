"""Where agents keep their session files, as the environment has it at one moment; nothing is read for it."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from service.sources.formats import PLACES, find_files
from service.sources.kinds import Environ, Place
from service.sources.presence import has_wildcard, is_folder, is_storable, matching, shown


@dataclass(frozen=True, slots=True)
class Unread:
    """A folder of an agent that could not be looked into, or a file that is deliberately not read, and why."""

    agent: str
    path: Path
    why: str


@dataclass(frozen=True, slots=True)
class Search:
    """Every session file with its agent, each once, and the folders in which more may lie."""

    files: tuple[tuple[str, Path], ...]
    closed: tuple[Unread, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """The places of some agents with their folders, so that a path is placed without asking the environment again."""

    environ: Environ
    home: Path
    places: tuple[tuple[Place, tuple[Path, ...]], ...]

    @classmethod
    def of(cls, environ: Environ, home: Path, agents: Iterable[str] | None = None) -> "Places":
        """Of these agents, None for all that are known."""
        wanted = None if agents is None else frozenset(agents)
        chosen = [place for place in PLACES if wanted is None or place.agent in wanted]
        return cls(environ, home, tuple((place, place.roots(environ, home)) for place in chosen))

    def agent_of(self, path: Path) -> str | None:
        """The agent in whose place a session file of this name lies, None where no look would find it."""
        return next((place.agent for place, roots in self.places if _lies_in(path, roots, place.patterns)), None)

    def file_at(self, path: Path) -> Path | None:
        """The session file of that name; a watcher that came through a link to a folder above names an alias of it."""
        if self.agent_of(path):
            return path
        real = Path(os.path.realpath(path))
        return real if real != path and self.agent_of(real) else None

    def search(self) -> Search:
        """What is there, in no particular order; one folder that is closed hides no other."""
        files: dict[Path, str] = {}
        closed: dict[tuple[str, Path], str] = {}
        for place, _ in self.places:

            def note(folder: Path, why: str, agent: str = place.agent) -> None:
                closed[agent, folder] = f"a folder that cannot be read ({why})"

            for path in find_files(place, self.environ, self.home, note):
                files.setdefault(path, place.agent)
        return Search(
            tuple((agent, path) for path, agent in files.items()),
            tuple(Unread(agent, folder, why) for (agent, folder), why in closed.items()),
        )

    def left_out(self) -> tuple[Unread, ...]:
        """Files that are deliberately not read."""
        found = {
            (place.agent, path): why
            for place, roots in self.places
            for pattern, why in place.left_out
            for root in roots
            for path in matching(root, pattern, _unheard)
        }
        return tuple(Unread(agent, path, why) for (agent, path), why in found.items())

    def notes(self) -> dict[str, str]:
        """Where other files of an agent may lie."""
        return {place.agent: place.note for place, _ in self.places if place.note}

    def by_agent(self) -> dict[str, tuple[str, ...]]:
        """The folders of each agent, whether or not they are there."""
        found: dict[str, tuple[str, ...]] = {}
        for place, roots in self.places:
            found[place.agent] = (*found.get(place.agent, ()), *map(shown, roots))
        return found

    def folders(self) -> frozenset[Path]:
        """The folders to watch that are there, none inside another: no more than what can hold session files."""
        named = {
            _above_wildcards(root, pattern)
            for place, roots in self.places
            for root in roots
            for pattern in place.patterns
        }
        # The watcher takes UTF-8 alone, and what lies under another name could not be stored.
        found = {folder for folder in named if is_storable(folder) and is_folder(folder)}
        return frozenset(folder for folder in found if found.isdisjoint(folder.parents))


def _unheard(_folder: Path, _why: str) -> None:
    """What is closed is told by the search."""


def _lies_in(path: Path, roots: Sequence[Path], patterns: Sequence[str]) -> bool:
    for root in roots:
        if path.is_relative_to(root):
            parts = path.relative_to(root).parts
            if any(_fits(parts, pattern.split("/")) for pattern in patterns):
                return True
    return False


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Globbing as `Path.glob` does it: `**` stands for any number of folders, none too."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return _fits(parts, pattern[1:]) or (bool(parts) and _fits(parts[1:], pattern))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])


def _above_wildcards(root: Path, pattern: str) -> Path:
    """The deepest folder that a pattern names without a wildcard."""
    folder = root
    for part in pattern.split("/")[:-1]:
        if has_wildcard(part):
            break
        folder = folder / part
    return folder
