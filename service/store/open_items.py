"""What waits for the person over all sessions, read out of the stored payloads where they lie."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from service.domain.times import parse_time
from service.store.access import Caller
from service.store.cursors import read_cursor, write_cursor
from service.store.engine import Read


@dataclass(frozen=True, slots=True)
class OpenItem:
    """One next step of an intent that needs the person, all empty where the summary names none.

    `since` is when its turn was last spoken in.
    """

    slot: str
    title: str | None
    intent: str
    what: str
    why: str
    expect: str
    turn: int
    since: str | None


@dataclass(frozen=True, slots=True)
class OpenItems:
    """A page, and the cursor of the next one: None on the last.

    The first page also has the first intents that need the person though no step says what for.
    """

    items: Sequence[OpenItem]
    next: str | None
    unnamed: Sequence[OpenItem]

    def as_dict(self) -> dict[str, Any]:
        """The page as it is answered, whoever asked by whatever way."""
        listed = {"items": [asdict(item) for item in self.items], "next": self.next}
        return listed | ({"unnamed": [asdict(item) for item in self.unnamed]} if self.unnamed else {})


# What is answered while the feature is off.
NOTHING_WHILE_OFF: Mapping[str, object] = {"items": [], "next": None, "enabled": False}


# One session is one row however many slots show it, and a caller sees it under a slot of its own. Times are text as the
# callers gave them; what no calendar knows counts as the moment the session was last written to.
_QUERY = sa.text("""
WITH waiting AS (
  SELECT (SELECT min(slots.key) FROM slots WHERE slots.transcript_key = summaries.transcript_key
                                             AND (:app IS NULL OR slots.app = :app)) AS slot,
         summaries.transcript_key AS transcript_key,
         coalesce(iif(titles.sig = transcripts.sig AND titles.gen = transcripts.gen, titles.title, NULL),
                  transcripts.title, summaries.headline) AS title,
         transcripts.sort_ns AS sort_ns,
         json_extract(intents.value, '$.title') AS intent,
         json_extract(intents.value, '$.last_touched_turn') AS turn,
         intents.key * 100000 + coalesce(steps.key, 0) AS place,
         json_extract(steps.value, '$.what') AS what,
         json_extract(steps.value, '$.why') AS why,
         json_extract(steps.value, '$.expect') AS expect
    FROM summaries
    JOIN transcripts ON transcripts.key = summaries.transcript_key
    JOIN titles ON titles.transcript_key = summaries.transcript_key
    JOIN json_each(summaries.payload, '$.intents') AS intents
    LEFT JOIN json_each(intents.value, '$.next_steps') AS steps
   WHERE summaries.state = 'needs-you' AND summaries.payload IS NOT NULL
     AND json_extract(intents.value, '$.state') = 'needs-you' AND (steps.key IS NOT NULL) = :named
), spoken AS (
  SELECT waiting.*,
         (SELECT messages.ts FROM messages
           WHERE messages.transcript_key = waiting.transcript_key AND messages.turn = waiting.turn
             AND instant_ms(messages.ts) IS NOT NULL ORDER BY messages.seq DESC LIMIT 1) AS ts
    FROM waiting WHERE slot IS NOT NULL
), timed AS (
  SELECT spoken.*,
         coalesce(instant_ms(ts), sort_ns / 1000000) AS at_ms
    FROM spoken
)
SELECT slot, title, intent, what, why, expect, turn, ts, at_ms, place
  FROM timed
 WHERE :slot IS NULL OR (at_ms, slot, place) > (:at_ms, :slot, :place)
 ORDER BY at_ms, slot, place LIMIT :limit
""")


async def list_open_items(read: Read, caller: Caller, limit: int, *, after: str | None = None) -> OpenItems:
    """The items of sessions the caller may see, the one that waits longest first. Raises BadCursorError."""
    rows = await _rows(read, caller, limit + 1, after, named=True)
    page = rows[:limit]
    unnamed = [] if after is not None else await _rows(read, caller, limit, None, named=False)
    cursor = _cursor_at(page[-1]) if len(rows) > limit else None
    return OpenItems([_item(row) for row in page], cursor, [_item(row) for row in unnamed])


async def _rows(read: Read, caller: Caller, limit: int, after: str | None, *, named: bool) -> Sequence[Any]:
    (at_ms, place), slot = ((None, None), None) if after is None else read_cursor(after, 2)
    place_in_list = {"at_ms": at_ms, "place": place, "slot": slot}
    values = {"app": caller.app, "limit": limit, "named": int(named), **place_in_list}
    return (await read.execute(_QUERY, values)).all()


def _item(row: Any) -> OpenItem:
    since = parse_time(row.ts)
    return OpenItem(
        slot=row.slot,
        title=row.title,
        intent=row.intent or "",
        what=row.what or "",
        why=row.why or "",
        expect=row.expect or "",
        turn=row.turn or 0,
        since=since.isoformat() if since else None,
    )


def _cursor_at(row: Any) -> str:
    return write_cursor(row.at_ms, row.place, key=row.slot)
