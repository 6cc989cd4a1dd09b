"""The demo's made-up sessions: read, dated back from this moment, and fed through the store and passes of a service."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from typing import Any

from service.config import ConfigFile
from service.domain.automation import origin_of
from service.domain.gates import CLEAN_STOP
from service.domain.messages import Fact, FactKind, FactResult, Message
from service.passes.engines import Engines
from service.passes.generate import Passes
from service.passes.intake import redacted_messages
from service.passes.worker import Worker
from service.store import slots, transcripts
from service.store.access import DASHBOARD
from service.store.engine import Database, Write
from service.store.folder import DataFolder
from service.store.schema import migrate
from service.store.slots import SlotChange


@dataclass(frozen=True, slots=True)
class DemoSession:
    """One made-up session as a host would send it."""

    key: str
    title: str
    project: str
    ended: datetime
    messages: tuple[Message, ...]


def demo_sessions(now: datetime) -> list[DemoSession]:
    """The sessions in the order of their files; they ended minutes or days before `now`."""
    folder = files("service.cli") / "demo_sessions"
    texts = [file.read_text("utf-8") for file in sorted(folder.iterdir(), key=lambda file: file.name)]
    return [_session(json.loads(text), now) for text in texts]


def _session(value: dict[str, Any], now: datetime) -> DemoSession:
    ended = now - timedelta(minutes=value["ended_minutes_ago"])
    began = ended - timedelta(minutes=value["messages"][-1]["minute"])
    messages = tuple(_message(row, began) for row in value["messages"])
    return DemoSession(value["key"], value["title"], value["project"], ended, messages)


def _message(row: dict[str, Any], began: datetime) -> Message:
    facts = tuple(_fact(fact) for fact in row.get("facts", ()))
    ts = (began + timedelta(minutes=row["minute"])).isoformat(timespec="seconds")
    return Message(row["role"], row["content"], origin_of(row["role"], row["content"]), ts, facts)


def _fact(fact: dict[str, str]) -> Fact:
    result = fact.get("result")
    return Fact(FactKind(fact["kind"]), fact["text"], FactResult(result) if result else None)


async def fill(folder: DataFolder, settings: ConfigFile, now: datetime) -> None:
    """Stores every session and makes its summary, as turns that end would."""
    await migrate(folder.database)
    db = Database(folder.database)
    worker = Worker(lambda: settings.current().max_passes)
    passes = Passes(db, settings, worker, Engines({}).choose)
    try:
        for session in sorted(demo_sessions(now), key=lambda session: session.ended):
            await _store(db, session)
            await passes.request(session.key, DASHBOARD)
    finally:
        await worker.close()
        await db.close()


async def _store(db: Database, session: DemoSession) -> None:
    messages = await redacted_messages(session.messages)
    at_ns = int(session.ended.timestamp() * 1_000_000_000)

    async def write(w: Write) -> None:
        change = SlotChange(title=session.title, project=session.project)
        await slots.put_slot(w, session.key, change, DASHBOARD, at_ns)
        await transcripts.append_messages(w, session.key, messages, at_ns)
        await slots.end_turn(w, session.key, DASHBOARD, CLEAN_STOP, at_ns)

    await db.write(write)


def this_moment() -> datetime:
    """The clock the demo dates back from."""
    return datetime.now(UTC)
