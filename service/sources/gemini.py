"""Gemini CLI: one JSON document rewritten whole, or in newer versions the same as rows that replace one another."""

from collections.abc import Iterable, Mapping, Reversible
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from service.domain.messages import Fact, Message, Origin
from service.sources.conversation import MAX_FACTS, Conversation
from service.sources.gemini_messages import Said, Speaker, take
from service.sources.gemini_project import project_of
from service.sources.kinds import SUB_AGENT, DocumentFormat, Environ, Place, RowFormat
from service.sources.latest import LatestTime
from service.sources.session import LastTurn, Session
from service.sources.text import as_text, headline, iso_stamp

AGENT = "gemini"

_HEADER_FIELDS = frozenset({"projectHash", "startTime", "messages"})


def claims(row: Mapping[str, Any]) -> bool:
    """Whether a row can only be Gemini CLI's: a header, a patch, a step back, or a reply of the model."""
    if _is_header(row) or isinstance(row.get("$set"), Mapping) or isinstance(row.get("$rewindTo"), str):
        return True
    return row.get("type") == "gemini" and "id" in row and "content" in row


def claims_document(value: object) -> bool:
    """Whether a document is one session rewritten whole."""
    return isinstance(value, Mapping) and _is_header(value) and isinstance(value.get("messages"), list)


def _is_header(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("sessionId"), str) and "type" not in row and not _HEADER_FIELDS.isdisjoint(row)


class GeminiReader:
    """Takes header, messages and patches in order; what a later row replaces or takes back leaves no trace."""

    def __init__(self, path: Path) -> None:
        self.unknown_rows = 0
        self._path = path
        self._messages: dict[str, Said] = {}
        self._told, self._told_count = Conversation(), 0  # all messages but the newest, which is often replaced
        self._latest = LatestTime()
        self._stem = path.name.partition(".")[0]
        self._session_id = ""
        self._summary = ""
        self._kind = ""
        self._project_hash = ""
        self._directory = ""
        self._unnamed = 0

    def add(self, row: Mapping[str, Any]) -> None:
        if isinstance(patch := row.get("$set"), Mapping):
            self._header(patch)
        elif "$rewindTo" in row:
            self._rewind(as_text(row["$rewindTo"]))
        elif "type" in row:
            self._message(row)
        elif _is_header(row):
            self._header(row)
        else:
            self.unknown_rows += 1

    def session(self) -> Session:
        sub_agent, messages = self._sub_agent, self._spoken()
        first = next((message.content for message in messages if message.by_person), None)
        return Session(
            agent=AGENT,
            session_id=self._session_id or self._stem,
            messages=messages,
            title=headline(self._summary) or headline(first or ""),
            project=self._directory or project_of(self._path, self._project_hash),
            branch=None,
            last_activity=self._latest.iso,
            last_turn=_last_turn(self._messages.values()),
            sub_agent=sub_agent,
            unprompted=None if first is not None else _why_unprompted(sub_agent=sub_agent, spoken=bool(messages)),
        )

    @property
    def _sub_agent(self) -> bool:
        return self._kind == "subagent"

    def _spoken(self) -> tuple[Message, ...]:
        """What the messages amount to; after an append only what is new is gone through."""
        for said in islice(self._messages.values(), self._told_count, max(len(self._messages) - 1, 0)):
            _tell(self._told, said, sub_agent=self._sub_agent)
            self._told_count += 1
        settled, newest = self._told.messages(), next(reversed(self._messages.values()), None)
        if newest is None:
            return settled
        tail = Conversation()
        _tell(tail, newest, sub_agent=self._sub_agent)
        if settled and newest.facts and not tail.has_shown:
            return (*settled[:-1], _with_facts(settled[-1], newest.facts))
        return (*settled, *tail.messages())

    def _start_over(self) -> None:
        self._told, self._told_count = Conversation(), 0

    def _header(self, fields: Mapping[str, Any]) -> None:
        """A `messages` list in a header or patch replaces all messages so far."""
        self._session_id = self._session_id or as_text(fields.get("sessionId"))
        self._summary = as_text(fields.get("summary")) or self._summary
        if (kind := as_text(fields.get("kind"))) and kind != self._kind:
            self._kind = kind
            self._start_over()
        self._project_hash = as_text(fields.get("projectHash")) or self._project_hash
        directories = fields.get("directories")
        if isinstance(directories, list) and directories:
            self._directory = as_text(directories[0]) or self._directory
        self._latest.note(iso_stamp(fields.get("startTime")))
        if isinstance(messages := fields.get("messages"), list):
            self._messages.clear()
            self._start_over()
            for message in messages:
                if isinstance(message, Mapping):
                    self._message(message)

    def _message(self, row: Mapping[str, Any]) -> None:
        """A message with an id seen before takes that one's place."""
        said = take(row)
        if said is None:
            self.unknown_rows += 1
            return
        self._latest.note(iso_stamp(row.get("timestamp")))
        message_id = as_text(row.get("id")) or self._own_name()
        if message_id in self._messages and message_id != next(reversed(self._messages)):
            self._start_over()
        self._messages[message_id] = said

    def _own_name(self) -> str:
        self._unnamed += 1
        return f"\0{self._unnamed}"

    def _rewind(self, message_id: str) -> None:
        """The message and all after it are gone; from an unknown one on everything is, as the program reads it too."""
        self._start_over()
        while self._messages:
            last, _ = self._messages.popitem()
            if last == message_id:
                return


def _tell(conversation: Conversation, said: Said, *, sub_agent: bool) -> None:
    if said.speaker in (Speaker.PERSON, Speaker.PROGRAM):
        by_person = said.speaker is Speaker.PERSON and not sub_agent
        conversation.by_user(said.text, Origin.PERSON if by_person else Origin.AUTOMATION, said.ts)
    elif said.speaker is Speaker.MODEL:
        if said.text:
            conversation.by_assistant(said.text, said.ts)
        conversation.note(*said.facts)


def _with_facts(message: Message, facts: Iterable[Fact]) -> Message:
    """The message with what a reply without words proved, by the rules of `Conversation.note`."""
    kept = list(message.facts)
    for fact in facts:
        if len(kept) < MAX_FACTS and kept[-1:] != [fact]:
            kept.append(fact)
    return replace(message, facts=tuple(kept))


def _last_turn(said: Reversible[Said]) -> LastTurn:
    """How the newest message that tells leaves the turn; notices such as warnings tell nothing."""
    return next((one.leaves for one in reversed(said) if one.leaves is not None), LastTurn.NONE)


def _why_unprompted(*, sub_agent: bool, spoken: bool) -> str:
    if sub_agent:
        return "a sub-agent's file"
    return "only programs spoke" if spoken else "opened, never used"


def _read_document(value: Any, path: Path) -> tuple[Session, ...]:
    if not claims_document(value):
        return ()
    reader = GeminiReader(path)
    reader.add(value)
    return (reader.session(),)


def _roots(environ: Environ, home: Path) -> tuple[Path, ...]:
    named = environ.get("GEMINI_CLI_HOME", "")
    return ((Path(named).expanduser() if named else home) / ".gemini",)


FORMAT = RowFormat(name=AGENT, claims=claims, open_reader=GeminiReader)
DOCUMENT = DocumentFormat(name=AGENT, claims=claims_document, read=_read_document)
PLACE = Place(
    agent=AGENT,
    roots=_roots,
    patterns=("tmp/*/chats/session-*.json", "tmp/*/chats/session-*.jsonl"),
    left_out=(("tmp/*/chats/*/*.json", SUB_AGENT), ("tmp/*/chats/*/*.jsonl", SUB_AGENT)),
)
