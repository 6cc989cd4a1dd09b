"""Cursor's agent: JSON Lines of bare messages without times, where a person's words stand inside a tag."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service.domain.messages import Origin
from service.sources.conversation import Conversation
from service.sources.kinds import Environ, Place, RowFormat
from service.sources.session import LastTurn, Session
from service.sources.text import as_text, blocks, headline

AGENT = "cursor"
PICTURE = "[picture without words]"

_QUERY_START, _QUERY_END = "<user_query>", "</user_query>"
# Tags of one word are named: a person may well begin with one of their own, such as <div>.
_CONTEXT_TAG = re.compile(r"<((?:[a-z]+_)+[a-z]+|timestamp|rules)(?: [^<>\n]{0,500})?>")
_WORKSPACE = re.compile(r"^Workspace Path: (.{1,1000})$", re.MULTILINE)
_HEAD_CHARS = 20_000
_SUB_AGENTS = "subagents"


def claims(row: Mapping[str, Any]) -> bool:
    """Whether a row can only be Cursor's: a message in an envelope that has a role and no type."""
    message = row.get("message")
    return (
        row.get("role") in ("user", "assistant")
        and "type" not in row
        and isinstance(message, Mapping)
        and "content" in message
    )


class CursorReader:
    """Takes the rows of one file; a person's words are those in the tag, all else before and behind is context."""

    def __init__(self, path: Path) -> None:
        self.unknown_rows = 0
        self._path = path
        self._conversation = Conversation()
        self._turn = LastTurn.NONE
        self._project: str | None = None
        self._sub_agent = _SUB_AGENTS in path.parts[-3:-1]

    def add(self, row: Mapping[str, Any]) -> None:
        if not claims(row):
            self.unknown_rows += 1
        elif row["role"] == "user":
            self._user(row["message"]["content"])
        else:
            self._assistant(row["message"]["content"])

    def session(self) -> Session:
        messages = self._conversation.messages()
        first = next((message.content for message in messages if message.by_person), None)
        return Session(
            agent=AGENT,
            session_id=self._path.stem,
            messages=messages,
            title=headline(first or ""),
            project=self._project,
            branch=None,
            last_activity=None,
            last_turn=self._turn,
            sub_agent=self._sub_agent,
            unprompted=None if first is not None else self._why_unprompted(spoken=bool(messages)),
        )

    def _why_unprompted(self, *, spoken: bool) -> str:
        if self._sub_agent:
            return "a sub-agent's file"
        return "only programs spoke" if spoken else "opened, never used"

    def _user(self, content: object) -> None:
        texts = [as_text(block.get("text")) for block in blocks(content) if block.get("type") == "text"]
        if self._project is None:
            self._project = next((folder for text in texts if (folder := _workspace(text))), None)
        words = "\n".join(found for text in texts if (found := person_words(text)))
        if not words and any("image" in as_text(block.get("type")) for block in blocks(content)):
            words = PICTURE
        if words:
            origin = Origin.AUTOMATION if self._sub_agent else Origin.PERSON
            self._conversation.by_user(words, origin, None)
            self._turn = LastTurn.WORKING

    def _assistant(self, content: object) -> None:
        """A call's result is never written, so a call that comes last is open as far as the file tells."""
        texts, called = [], False
        for block in blocks(content):
            called = called or block.get("type") == "tool_use"
            texts.append(as_text(block.get("text")) if block.get("type") == "text" else "")
        words = "\n\n".join(text for text in texts if text.strip())
        if words:
            self._conversation.by_assistant(words, None)
        if called:
            self._turn = LastTurn.TOOL_OPEN
        elif words:
            self._turn = LastTurn.REPLIED


def person_words(text: str) -> str:
    """What a person typed of a block: what the tag holds, or what is left where a version wrote none."""
    rest = text[_end_of_context(text) :]
    if not rest.startswith(_QUERY_START):
        at = _line_start_of_query(rest)
        if at < 0:
            return rest.strip()
        rest = rest[at:]
    end = rest.rfind(_QUERY_END)
    return rest[len(_QUERY_START) : end if end >= 0 else None].strip()


def _line_start_of_query(text: str) -> int:
    """Where the tag begins a line, behind context that could not be told as such; -1 where it does not."""
    at = text.find(f"\n{_QUERY_START}")
    return at + 1 if at >= 0 else -1


def _end_of_context(text: str) -> int:
    """Behind the blocks of context that stand in front."""
    at = _skip_blanks(text, 0)
    while (tag := _CONTEXT_TAG.match(text, at)) and tag[1] != "user_query":
        close = f"</{tag[1]}>"
        end = text.find(close, tag.end())
        if end < 0:
            break
        at = _skip_blanks(text, end + len(close))
    return at


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _workspace(text: str) -> str | None:
    """The working directory, which the context of a first prompt tells."""
    found = _WORKSPACE.search(text, 0, _HEAD_CHARS) if text.lstrip().startswith("<user_info>") else None
    return found[1].strip() if found else None


def _roots(_environ: Environ, home: Path) -> tuple[Path, ...]:
    return (home / ".cursor",)


FORMAT = RowFormat(name=AGENT, claims=claims, open_reader=CursorReader)
PLACE = Place(
    agent=AGENT,
    roots=_roots,
    patterns=("projects/*/agent-transcripts/*.jsonl", "projects/*/agent-transcripts/*/*.jsonl"),
    note="SpecStory's exports lie in repositories: name one to `session-summary summarize`",
)
