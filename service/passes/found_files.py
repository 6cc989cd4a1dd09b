"""Which files of agents were found, what the last look at each came to, and which session lies in which: in memory."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from service.sources.places import ClosedFolder
from service.sources.presence import shown

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class FileReport:
    """What the last look at one file came to: sessions taken in, why others were not, and rows that gave nothing."""

    sessions: int
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


@dataclass(frozen=True, slots=True)
class AgentFindings:
    """What is known of one agent: where its files may lie, whether they are read, and what was found there."""

    agent: str
    folders: tuple[str, ...]
    read: bool
    report: AgentReport | None


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

    def note(self, path: Path, report: FileReport) -> None:
        """What the look at a file came to."""
        self._reports[path] = report

    def forget(self, path: Path) -> None:
        """The file is gone."""
        self._reports.pop(path, None)
        self._keys.pop(path, None)

    def report(self, files: Mapping[Path, str], closed: Iterable[ClosedFolder] = ()) -> dict[str, AgentReport]:
        """What was found of each agent, given whose place each file lies in, and the folders that are closed to us."""
        of_agent: defaultdict[str, list[Path]] = defaultdict(list)
        for path, agent in files.items():
            of_agent[agent].append(path)
        closed_to: defaultdict[str, dict[Path, FileReport]] = defaultdict(dict)
        for one in closed:
            closed_to[one.agent][one.folder] = FileReport(0, (f"a folder that cannot be read ({one.why})",))
        return {
            agent: self._agent(of_agent.get(agent, ()), closed_to.get(agent, {}))
            for agent in of_agent.keys() | closed_to.keys()
        }

    def _agent(self, paths: Sequence[Path], closed: Mapping[Path, FileReport]) -> AgentReport:
        reports = {path: self._reports.get(path) or FileReport(len(self._keys.get(path, ()))) for path in paths}
        return AgentReport(
            files=len(paths),
            sessions=sum(report.sessions for report in reports.values()),
            skipped=tuple(_skipped([*closed.items(), *reports.items()])),
            broken_rows=sum(report.broken_rows for report in reports.values()),
            large_rows=sum(report.large_rows for report in reports.values()),
        )


def _skipped(reports: Iterable[tuple[Path, FileReport]]) -> Iterable[Skipped]:
    counts: Counter[str] = Counter()
    named: defaultdict[str, list[str]] = defaultdict(list)
    for path, report in reports:
        counts.update(report.skipped)
        for why in set(report.skipped):
            if len(named[why]) < _MOST_NAMED:
                named[why].append(shown(path))
    return (Skipped(why, count, tuple(named[why])) for why, count in counts.most_common())
