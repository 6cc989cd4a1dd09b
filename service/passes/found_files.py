"""Which files of agents were found, what the last look at each came to, and which session lies in which: in memory."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from service.passes.skipping import OUTDONE
from service.sources.places import Unread
from service.sources.presence import shown

_MOST_NAMED = 3

# A file or folder, and each reason for which something of it was not taken in.
_Told = tuple[Path, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class FileReport:
    """What the last look at one file came to: why it or some of its sessions gave nothing, and rows that did not."""

    skipped: tuple[str, ...] = ()
    broken_rows: int = 0
    large_rows: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """Why sessions or files of an agent were not taken in, how many, and some of the files."""

    why: str
    count: int
    such_as: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AgentReport:
    """What was found of one agent; rows are counted in files that were read since the service began."""

    files: int
    sessions: int
    skipped: Sequence[Skipped]
    broken_rows: int
    large_rows: int


NOTHING = AgentReport(0, 0, (), 0, 0)


@dataclass(frozen=True, slots=True)
class AgentFindings:
    """What is known of one agent: where its files may lie, whether they are read, and what was found there.

    A `note` says where it may have others.
    """

    agent: str
    folders: tuple[str, ...]
    note: str | None
    read: bool
    report: AgentReport


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of agents' files at this moment; `looking` while files wait for their look."""

    agents: tuple[AgentFindings, ...]
    following: bool
    looking: bool
    looked_at: float | None


class FoundFiles:
    """A session is held by one file; others that have it too are remembered, should that file go."""

    def __init__(self) -> None:
        self._reports: dict[Path, FileReport] = {}
        self._keys: defaultdict[Path, set[str]] = defaultdict(set)
        self._holder: dict[str, Path] = {}
        self._others: defaultdict[str, set[Path]] = defaultdict(set)

    def knows(self, path: Path) -> bool:
        """Whether the file was looked at, or holds a stored session."""
        return path in self._reports or bool(self.held_by(path))

    def held_by(self, path: Path) -> frozenset[str]:
        """The stored sessions that the file holds."""
        return frozenset(self._keys.get(path, ()))

    def holders(self) -> frozenset[Path]:
        """Every file that holds a stored session."""
        return frozenset(self._holder.values())

    def has_holder(self, key: str) -> bool:
        """Whether the session is stored."""
        return key in self._holder

    def others(self, key: str) -> frozenset[Path]:
        """Files that have a session of this key as well."""
        return frozenset(self._others.get(key, ()))

    def note_holder(self, key: str, path: Path) -> None:
        """The file holds the session; one that held it until then has it as well."""
        before = self._holder.get(key)
        if before == path:
            return
        if before is not None:
            self._keys[before].discard(key)
            self._others[key].add(before)
        self._holder[key] = path
        self._keys[path].add(key)
        self._others[key].discard(path)

    def note_session(self, key: str, path: Path) -> None:
        """The file has the session; the first of which that is said holds it."""
        if key in self._holder:
            self.note_other(key, path)
        else:
            self.note_holder(key, path)

    def note_other(self, key: str, path: Path) -> None:
        """The file has the session as well, and another holds it."""
        if self._holder.get(key) != path:
            self._others[key].add(path)

    def release(self, key: str, path: Path | None = None) -> None:
        """The file (None: whichever does) holds the session no more."""
        holder = self._holder.get(key)
        if holder is not None and path in (None, holder):
            self._keys[holder].discard(key)
            del self._holder[key]
            self._others.pop(key, None)

    def note(self, path: Path, report: FileReport) -> bool:
        """What the look at a file came to; whether that is another thing than before."""
        before, self._reports[path] = self._reports.get(path), report
        return report != before

    def forget(self, path: Path) -> None:
        """The file is gone."""
        self._reports.pop(path, None)
        self._keys.pop(path, None)

    def report(self, files: Mapping[Path, str], unread: Iterable[Unread] = ()) -> dict[str, AgentReport]:
        """What was found of each agent, given whose place each file lies in, and what there is not read."""
        of_agent: defaultdict[str, list[Path]] = defaultdict(list)
        for path, agent in files.items():
            of_agent[agent].append(path)
        told: defaultdict[str, list[_Told]] = defaultdict(list)
        for one in unread:
            told[one.agent].append((one.path, (one.why,)))
        outdone = Counter(path for others in self._others.values() for path in others)
        for agent, paths in of_agent.items():
            told[agent] += [(path, self._report(path).skipped + (OUTDONE,) * outdone[path]) for path in paths]
        return {agent: self._agent(of_agent.get(agent, ()), reasons) for agent, reasons in told.items()}

    def _report(self, path: Path) -> FileReport:
        return self._reports.get(path) or FileReport()

    def _agent(self, paths: Sequence[Path], told: Iterable[_Told]) -> AgentReport:
        return AgentReport(
            files=len(paths),
            sessions=sum(len(self._keys.get(path, ())) for path in paths),
            skipped=tuple(_skipped(told)),
            broken_rows=sum(self._report(path).broken_rows for path in paths),
            large_rows=sum(self._report(path).large_rows for path in paths),
        )


def _skipped(told: Iterable[_Told]) -> Iterable[Skipped]:
    counts: Counter[str] = Counter()
    named: defaultdict[str, list[str]] = defaultdict(list)
    for path, reasons in told:
        counts.update(reasons)
        for why in set(reasons):
            if len(named[why]) < _MOST_NAMED:
                named[why].append(shown(path))
    return (Skipped(why, count, tuple(named[why])) for why, count in counts.most_common())
