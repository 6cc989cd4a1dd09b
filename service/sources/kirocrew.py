"""KiroCrew: one JSON Lines file a chat, whose older rows move to archive files when it grows too large."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from service.domain.messages import Origin
from service.sources.conversation import Conversation
from service.sources.kinds import Environ, Place, RowFormat
from service.sources.latest import LatestTime
from service.sources.opened import open_file
from service.sources.rows import RowSplitter, read_rows
from service.sources.session import LastTurn, Session
from service.sources.text import as_text, headline, iso_stamp, text_of

AGENT = "kirocrew"

_HEADERS = frozenset({"metadata", "archive"})
_ARCHIVE_MARK = "__"


def claims(row: Mapping[str, Any]) -> bool:
    """Whether a row can only be KiroCrew's: a header, or a bare message with its time."""
    if as_text(row.get("_type")) in _HEADERS:
        return True
    return {"role", "content", "ts"} <= row.keys() and "type" not in row and isinstance(row["role"], str)


class KiroCrewReader:
    """Takes the rows of one file, behind those that were moved out of it, so that no turn is lost by a rotation."""

    def __init__(self, path: Path) -> None:
        self.unknown_rows = 0
        self._path = path
        self._conversation = Conversation()
        self._latest = LatestTime()
        self._turn = LastTurn.NONE
        self._title = ""
        self._first_row: str | None = None
        self._copied_from: str | None = None
        self._born: str | None = None
        self._has_header = False
        self._is_archive = False

    def add(self, row: Mapping[str, Any]) -> None:
        kind = as_text(row.get("_type"))
        if kind in _HEADERS:
            self._header(kind, row)
        elif "_type" not in row and isinstance(row.get("role"), str):
            self._message(row)
        else:
            self.unknown_rows += 1

    def session(self) -> Session:
        messages = self._conversation.messages()
        first = next((message.content for message in messages if message.by_person), None)
        return Session(
            agent=AGENT,
            session_id=self._session_id(),
            messages=messages,
            title=headline(self._title) or headline(first or ""),
            project=None,
            branch=None,
            last_activity=self._latest.iso,
            last_turn=self._turn,
            unprompted=None if first is not None else "only programs spoke" if messages else "opened, never used",
            first_row=self._first_row,
            copied_from=self._copied_from,
            born=self._born,
        )

    def _session_id(self) -> str:
        """The file's name; an archive bears that of the chat it was cut from."""
        return self._path.stem.rpartition(_ARCHIVE_MARK)[0] if self._is_archive else self._path.stem

    def _header(self, kind: str, row: Mapping[str, Any]) -> None:
        self._title = as_text(row.get("title")).strip() or self._title
        self._latest.note(iso_stamp(row.get("created_at")))
        if self._has_header:
            return
        self._has_header = True
        self._copied_from = as_text(row.get("forked_from")) or None
        self._born = iso_stamp(row.get("created_at"))
        self._is_archive = kind == "archive" and _ARCHIVE_MARK in self._path.stem
        if kind == "metadata" and not self._conversation.has_shown:
            for archived in _archived_rows(self._path, row.get("rotation_generation")):
                self._message(archived)

    def _message(self, row: Mapping[str, Any]) -> None:
        """Roles other than the two that talk are the program's own notes."""
        role, ts = row.get("role"), iso_stamp(row.get("ts"))
        # Rows have no ids; a fork's copies keep their times.
        self._first_row = self._first_row or ts
        self._latest.note(ts)
        text = text_of(row.get("content"))
        if role == "user" and text.strip():
            self._conversation.by_user(text, Origin.PERSON, ts)
            self._turn = LastTurn.WORKING
        elif role == "assistant" and text.strip():
            self._conversation.by_assistant(text, ts)
            self._turn = LastTurn.REPLIED
        elif role == "error" and self._turn is LastTurn.WORKING:
            self._turn = LastTurn.FAILED


def _archived_rows(live: Path, generation: object) -> Iterator[Mapping[str, Any]]:
    """The rows that rotations moved out, oldest first: one file each, and as many rotations as the header counts.

    A chat that never rotated has no history, even where an earlier chat of the same name left archives behind.
    """
    if not isinstance(generation, int) or generation <= 0:
        return
    for path in _archives(live)[-generation:]:
        try:
            with open_file(path) as stream:
                yield from (row for row in read_rows(stream, RowSplitter()) if "_type" not in row)
        except OSError:
            continue


def _archives(live: Path) -> list[Path]:
    """Stamps sort by name."""
    start = f"{live.stem}{_ARCHIVE_MARK}"
    try:
        return sorted(
            path
            for path in (live.parent / "archive").iterdir()
            if path.suffix == ".jsonl" and path.name.startswith(start) and _ARCHIVE_MARK not in path.stem[len(start) :]
        )
    except OSError:
        return []


def _roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    """A folder of its own, else one below Kiro's, which the environment may name too."""
    if named := environ.get("KIROCREW_HOME", ""):
        return (Path(named).expanduser(),)
    kiro = environ.get("KIRO_HOME", "")
    return ((Path(kiro).expanduser() if kiro else home / ".kiro") / "crew", home / ".kirocrew")


FORMAT = RowFormat(name=AGENT, claims=claims, open_reader=KiroCrewReader)
PLACE = Place(agent=AGENT, roots=_roots, patterns=("sessions/*.jsonl",))
