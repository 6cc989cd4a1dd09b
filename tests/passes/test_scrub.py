"""Rules that changed reach what was stored before them."""

import asyncio
import json
from pathlib import Path

from service.store import scrub, summaries
from service.store.engine import Database
from tests.support.live import LiveService, exchange
from tests.support.model_server import ModelServer
from tests.support.stored import NOW_NS, made, open_slot, replied, said, state_of
from tests.support.wait import wait_until_sync

# As if a rule for this kind had not been there when the text came in.
SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7H8"


def test_stored_text_goes_through_changed_rules(tmp_path: Path, model_server: ModelServer) -> None:
    """At start, what an older release stored is redacted in place: same identity, no model asked, no bytes left."""
    folder = tmp_path / "data"
    with LiveService(folder) as service:
        service.put("warm-up")
        database = service.database
    identity = asyncio.run(_store_old_text(database))
    with LiveService(folder, environ={"ANTHROPIC_BASE_URL": model_server.url}) as service:
        wait_until_sync(lambda: service.rows("PRAGMA user_version") != [(1,)], within=5)
        wait_until_sync(lambda: SECRET.encode() not in _bytes_of(folder), within=5)
        assert service.rows("SELECT sig, gen FROM transcripts WHERE key = 's'") == [identity]
        assert "deploy with" in service.rows("SELECT content FROM messages WHERE transcript_key = 's'")[0][0]
        payload = json.loads(service.rows("SELECT payload FROM summaries WHERE transcript_key = 's'")[0][0])
        assert payload["constraints"][0].startswith("use ")
    assert model_server.requests == []


def test_text_is_scrubbed_once(tmp_path: Path) -> None:
    """With the same rules the next start has nothing to do."""
    with LiveService(tmp_path / "data") as service:
        service.put("s")
        service.append("s", exchange("Sort the imports"))
        wait_until_sync(lambda: service.rows("PRAGMA user_version") != [(0,)], within=5)
        before = service.rows("PRAGMA user_version")
    with LiveService(tmp_path / "data") as service:
        assert service.rows("PRAGMA user_version") == before


async def _store_old_text(database: Path) -> tuple[int, int]:
    db = Database(database)
    await open_slot(db, "s", said(f"deploy with {SECRET}"), replied("Deployed."))
    identity = (await state_of(db, "s")).identity
    payload = json.dumps({"intents": [], "constraints": [f"use {SECRET}"]})
    await db.write(lambda w: summaries.take_lease(w, "s", "me", NOW_NS, NOW_NS + 10))
    await db.write(lambda w: summaries.store_summary(w, "s", "me", made(identity, payload=payload), NOW_NS))
    await db.write(lambda w: scrub.mark_scrubbed(w, 1))
    await db.close()
    return identity.sig, identity.gen


def _bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())
