"""What Codex calls its sessions: in its state database, else in its index of names; the rollouts do not say."""

import contextlib
import re
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from service.sources.amazonq_database import log_of, read_database
from service.sources.codex import AGENT
from service.sources.codex_prompts import event_prompt
from service.sources.opened import open_regular
from service.sources.rows import RowSplitter, read_rows
from service.sources.session import Session
from service.sources.stamps import Stamp, stamp_or_none
from service.sources.text import as_text, headline

_INDEX = "session_index.jsonl"
_STATE = re.compile(r"state_(\d+)\.sqlite")
# Some hundred thousand names; what is larger is no index.
_MOST_INDEX_BYTES = 64 * 1024 * 1024
# A title is shown on one line; what a row holds beyond this is not read.
_MAX_TITLE_CHARS = 4_000
_TITLES = "SELECT id, substr(title, 1, ?) FROM threads WHERE title <> ''"

Stamps = tuple[Stamp | None, ...]
# No file's: there are always as many stamps as files.
_UNKNOWN: Stamps = ()


@dataclass(frozen=True, slots=True)
class _Known:
    """The titles under one of Codex's folders, and the state of the files they were read from.

    Not `is_whole` where one of them could not be read.
    """

    stamps: Stamps
    titles: Mapping[str, str]
    is_whole: bool = True


class CodexTitles:
    """Titles by session id, read again only when a file that holds them has changed, or after `retry`."""

    def __init__(self) -> None:
        self._known: dict[Path, _Known] = {}
        self._told: dict[Path, Mapping[str, str]] = {}

    def titled(self, session: Session, rollout: Path) -> Session:
        """The session under the title Codex has for it; any other agent's, and one without a title, as it is."""
        root = _root_of(rollout) if session.agent == AGENT else None
        title = self.titles(root).get(session.session_id) if root else None
        return replace(session, title=title) if title else session

    def titles(self, root: Path) -> Mapping[str, str]:
        """All titles under a folder; what cannot be read gives none."""
        files = _files(root)
        stamps = tuple(map(stamp_or_none, files))
        known = self._known.get(root)
        if known is None or known.stamps != stamps:
            known = self._known[root] = _read(root, stamps, known.titles if known else {})
        return known.titles

    def retry(self) -> None:
        """What was locked or closed to us is read again when titles are asked for next."""
        for root, known in self._known.items():
            if not known.is_whole:
                self._known[root] = replace(known, stamps=_UNKNOWN)

    def changed(self, roots: Iterable[Path]) -> dict[str, str]:
        """The titles that are new or other than when this was last asked."""
        news: dict[str, str] = {}
        for root in roots:
            before, after = self._told.get(root, {}), self.titles(root)
            self._told[root] = after
            news |= {} if after is before else {key: title for key, title in after.items() if before.get(key) != title}
        return news


def _read(root: Path, stamps: Stamps, before: Mapping[str, str]) -> _Known:
    """What can be read now; where that is not all, what was known before still stands."""
    titles, is_whole = dict[str, str](), True
    for read in (_indexed, _stored):
        try:
            titles |= read(root)
        except OSError:
            titles, is_whole = {**titles, **before}, False
    return _Known(stamps, titles, is_whole)


def _root_of(rollout: Path) -> Path | None:
    """Codex's folder, from where a rollout lies in it; None for one that lies elsewhere."""
    parents = rollout.parents
    if len(parents) > 1 and parents[0].name == "archived_sessions":
        return parents[1]
    if len(parents) > 4 and parents[3].name == "sessions":
        return parents[4]
    return None


def _files(root: Path) -> tuple[Path, ...]:
    state = _state(root)
    return (root / _INDEX, *((state, log_of(state)) if state else ()))


def _state(root: Path) -> Path | None:
    """The state database; its number grows with its tables' shape, and the greatest is in use."""
    try:
        found = {int(name[1]): path for path in root.iterdir() if (name := _STATE.fullmatch(path.name))}
    except OSError:
        return None
    return found[max(found)] if found else None


def _stored(root: Path) -> dict[str, str]:
    state = _state(root)
    return read_database(state, _thread_titles) if state else {}


def _thread_titles(database: sqlite3.Connection) -> dict[str, str]:
    found = ((_text(key), _shown(_text(title))) for key, title in database.execute(_TITLES, (_MAX_TITLE_CHARS,)))
    return {key: title for key, title in found if key and title}


def _shown(title: str) -> str | None:
    """A thread that nobody named bears its first prompt, with all that an editor may have put around it."""
    prompt = event_prompt(title, has_pictures=False)
    return headline(prompt[0]) if prompt else None


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _indexed(root: Path) -> dict[str, str]:
    """The last name of each session; rows are only ever appended. Many versions of Codex have no such file."""
    found: dict[str, str] = {}
    with (
        contextlib.suppress(FileNotFoundError, NotADirectoryError),
        open_regular(root / _INDEX, _MOST_INDEX_BYTES) as stream,
    ):
        for row in read_rows(stream, RowSplitter()):
            title = headline(as_text(row.get("thread_name")))
            if title and (key := as_text(row.get("id"))):
                found[key] = title
    return found
