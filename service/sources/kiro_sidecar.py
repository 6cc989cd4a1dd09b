"""The JSON file Kiro keeps beside a session's rows: what the session is called, and how its turns ended."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from service.sources.opened import read_regular
from service.sources.rows import parse_document
from service.sources.session import LastTurn
from service.sources.text import as_stamp, as_text

# It holds bookkeeping alone; a larger one is not worth its memory, and the rows tell nearly as much.
MAX_BYTES = 32 * 1024 * 1024

_END_REASONS = {"UserTurnEnd": LastTurn.COMPLETED}
_OTHER_ENDS = {"cancel": LastTurn.INTERRUPTED, "interrupt": LastTurn.INTERRUPTED, "error": LastTurn.FAILED}


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What is used of it; `ends` maps the ids of a turn's messages to how that turn ended."""

    session_id: str = ""
    title: str = ""
    project: str = ""
    sub_agent: bool = False
    born: str | None = None
    ends: Mapping[str, LastTurn] | None = None
    end_times: tuple[object, ...] = ()

    def end_of(self, message_id: str) -> LastTurn | None:
        """How the turn ended that the message belongs to, None while it runs."""
        return (self.ends or {}).get(message_id)


def read_sidecar(rows: Path) -> Sidecar:
    """The file beside a session's rows; one that is missing, torn or odd says nothing."""
    try:
        value = parse_document(read_regular(rows.with_suffix(".json"), MAX_BYTES))
    except OSError:
        return Sidecar()
    return _sidecar(value) if isinstance(value, Mapping) else Sidecar()


def _sidecar(value: Mapping[str, object]) -> Sidecar:
    turns = tuple(_turns(value))
    return Sidecar(
        session_id=as_text(value.get("session_id")),
        title=as_text(value.get("title")).strip(),
        project=as_text(value.get("cwd")),
        born=as_stamp(value.get("created_at")),
        sub_agent=value.get("session_created_reason") == "subagent",
        ends={one: end for turn in turns if (end := _end(turn.get("end_reason"))) for one in _message_ids(turn)},
        end_times=tuple(turn.get("end_timestamp") for turn in turns),
    )


def _turns(value: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    found: object = value
    for name in ("session_state", "conversation_metadata", "user_turn_metadatas"):
        found = found.get(name) if isinstance(found, Mapping) else None
    return (turn for turn in (found if isinstance(found, list) else ()) if isinstance(turn, Mapping))


def _message_ids(turn: Mapping[str, object]) -> Iterator[str]:
    ids = turn.get("message_ids")
    return (one for one in (ids if isinstance(ids, list) else ()) if isinstance(one, str))


def _end(reason: object) -> LastTurn | None:
    """A reason is a word, or an object whose only key is that word."""
    word = as_text(next(iter(reason), "") if isinstance(reason, Mapping) else reason)
    known = _END_REASONS.get(word)
    return known or next((end for part, end in _OTHER_ENDS.items() if part in word.lower()), None)
