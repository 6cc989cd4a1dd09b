"""Aider: one Markdown file in a repository for all runs; each run is a session.

The files lie in repositories and not in a folder of the agent's own, so there is no place to look for them in: a person
names the file.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from service.domain.facts import edited, one_line
from service.domain.messages import Fact, FactKind, Origin
from service.sources.aider_lines import RUN_HEADER, Notice, Prompt, Run, read_runs
from service.sources.conversation import Conversation
from service.sources.kinds import Place, TextFormat
from service.sources.latest import LatestTime
from service.sources.session import LastTurn, Session
from service.sources.text import headline

AGENT = "aider"
FILE_NAME = ".aider.chat.history.md"

_HEADER_IN_HEAD = re.compile(rf"^{RUN_HEADER.pattern}$", re.MULTILINE)
_OTHER_FORMAT = re.compile(r"^_\*\*(?:User|Assistant|Agent)\b", re.MULTILINE)
_CARRIERS = ("/ask", "/code", "/architect")
_COMMANDS = ("/", "!")
_KEYS = frozenset({"", "y", "n", "<blank>"})
_ASKED = "(Y)es/(N)o"
_FILE_WATCH = ('Find the "AI" comments below', "I've written your instructions in comments")
_EDITED = ("Applied edit to ", "Creating empty file ")
_COMMITTED = re.compile(r"Commit ([0-9a-f]{7,40}) (.{1,500})")
_WORKING_FOLDER = "Git working dir: "
_FAILED = re.compile(r"litellm\.\w{0,60}(?:Error|Exception)\b")
_KEYBOARD_INTERRUPT = "^C KeyboardInterrupt"
_INTERRUPT = "^C"
_UNSAFE_IN_ID = re.compile(r"[^\w.-]+")
_MAX_FOLDER_CHARS = 80


def claims(text: str) -> bool:
    """Whether a text has a run header before anything that begins another format's turn."""
    found = _HEADER_IN_HEAD.search(text)
    return found is not None and _OTHER_FORMAT.search(text[: found.start()]) is None


def read(text: str, path: Path) -> tuple[Session, ...]:
    """A session for each run, used or not; all runs but the last are over, since the program was started again."""
    runs = list(read_runs(text))
    ids = _session_ids(runs, path)
    return tuple(
        _RunReader(run, path).session(session_id, is_over=number < len(runs))
        for number, (run, session_id) in enumerate(zip(runs, ids, strict=True), 1)
    )


class _RunReader:
    """Makes the session of one run; the run's time is that of its first prompt, as nothing else has one."""

    def __init__(self, run: Run, path: Path) -> None:
        self._conversation = Conversation()
        self._turn = LastTurn.NONE
        self._started = run.started
        self._project = str(path.absolute().parent) if path.name == FILE_NAME else None
        for part in run.parts:
            match part:
                case Prompt(text):
                    self._prompt(text)
                case Notice(text):
                    self._notice(text)
                case _:
                    self._reply(part.text)

    def session(self, session_id: str, *, is_over: bool) -> Session:
        messages = self._conversation.messages()
        first = next((message.content for message in messages if message.by_person), None)
        latest = LatestTime()
        latest.note(self._started)
        return Session(
            agent=AGENT,
            session_id=session_id,
            messages=messages,
            title=headline(first or ""),
            project=self._project,
            branch=None,
            last_activity=latest.iso,
            last_turn=_closed(self._turn) if is_over else self._turn,
            unprompted=None if first is not None else "only programs spoke" if messages else "opened, never used",
        )

    def _prompt(self, text: str) -> None:
        words = _typed(text)
        if not words:
            return
        origin = Origin.AUTOMATION if words.startswith(_FILE_WATCH) else Origin.PERSON
        ts = None if self._conversation.has_shown else self._started
        self._conversation.by_user(words, origin, ts)
        self._turn = LastTurn.WORKING

    def _reply(self, text: str) -> None:
        words = text.removesuffix(_KEYBOARD_INTERRUPT).rstrip()
        if words:
            self._conversation.by_assistant(words, None)
        self._turn = LastTurn.INTERRUPTED if words != text else LastTurn.REPLIED

    def _notice(self, text: str) -> None:
        for start in _EDITED:
            if text.startswith(start):
                self._conversation.note(edited(text.removeprefix(start)))
        if found := _COMMITTED.match(text):
            self._conversation.note(Fact(FactKind.COMMITTED, one_line(f"{found[1]} {found[2]}")))
        if text.startswith(_WORKING_FOLDER) and self._project is None:
            self._project = text.removeprefix(_WORKING_FOLDER).strip()[:1000]
        if self._turn is LastTurn.WORKING:
            self._unanswered(text)

    def _unanswered(self, text: str) -> None:
        if _FAILED.match(text):
            self._turn = LastTurn.FAILED
        elif text.startswith(_INTERRUPT):
            self._turn = LastTurn.INTERRUPTED


def _typed(text: str) -> str:
    """The words for the agent: not a command's, a shell line's or an answer to the program's own question."""
    if text.lower() in _KEYS or _ASKED in text:
        return ""
    if not text.startswith(_COMMANDS):
        return text
    command, *words = text.split(maxsplit=1)
    return words[0] if words and command in _CARRIERS else ""


def _closed(turn: LastTurn) -> LastTurn:
    if turn is LastTurn.REPLIED:
        return LastTurn.COMPLETED
    return LastTurn.INTERRUPTED if turn is LastTurn.WORKING else turn


def _session_ids(runs: list[Run], path: Path) -> Iterator[str]:
    """The folder's name and the run's time, so that runs appended later move none; doubles are counted."""
    folder = _UNSAFE_IN_ID.sub("-", path.absolute().parent.name)[-_MAX_FOLDER_CHARS:]
    seen: dict[str, int] = {}
    for run in runs:
        name = f"{folder}-{_UNSAFE_IN_ID.sub('-', run.started or 'before')}"
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name}-{seen[name]}"


FORMAT = TextFormat(name=AGENT, claims=claims, read=read)
PLACE = Place(
    agent=AGENT,
    roots=lambda _environ, _home: (),
    patterns=(),
    note="its files lie in repositories: name one to `session-summary summarize`",
)
