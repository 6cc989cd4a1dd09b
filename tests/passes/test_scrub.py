"""Rules that changed reach what was stored before them."""

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

from service import domain
from service.passes.scrub import rules_version
from service.store import scrub, summaries
from service.store.engine import Database
from tests.support.live import LiveService, exchange
from tests.support.model_server import ModelServer
from tests.support.stored import NOW_NS, made, open_slot, replied, said, state_of
from tests.support.wait import wait_until_sync

# As if a rule for this kind had not been there when the text came in.
DOMAIN = Path(str(domain.__file__)).parent
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


def test_an_open_page_learns_of_scrubbed_text(tmp_path: Path) -> None:
    """Who resumes the stream from before the scrub is told to read the session again, and reads no secret."""
    folder = tmp_path / "data"
    with LiveService(folder) as service:
        service.set("session_summary.enabled", True)
    asyncio.run(_store_old_text(service.database))
    (last,) = service.rows("SELECT max(id) FROM events")[0]
    with LiveService(folder) as service, service.events(last_event_id=last) as events:
        frame = events.next()
        assert (frame["event"], frame["data"]["data"]) == ("session_changed", {"key": "s"})
        wait_until_sync(lambda: SECRET not in str(service.summary("s")), within=5)


def test_any_change_of_a_rule_makes_other_rules(tmp_path: Path) -> None:
    """A byte in any module that redaction is made of makes another number; the same sources make the same one."""
    copy = tmp_path / "domain"
    shutil.copytree(DOMAIN, copy)
    unchanged = rules_version(DOMAIN)
    assert rules_version(copy) == unchanged
    assert 0 < unchanged < 2**31
    seen = {unchanged}
    modules = _modules_of_redaction()
    for module in modules:
        source = copy / module
        text = source.read_bytes()
        source.write_bytes(text + b"#")
        seen.add(rules_version(copy))
        source.write_bytes(text)
    assert len(seen) == 1 + len(modules)
    assert rules_version(copy) == unchanged


def test_a_module_that_moves_its_rules_to_another_makes_other_rules(tmp_path: Path) -> None:
    """What stands where counts, not only what stands somewhere."""
    copy = tmp_path / "domain"
    shutil.copytree(DOMAIN, copy)
    (copy / "redact_rules" / "tokens.py").rename(copy / "redact_rules" / "tokens_moved.py")
    assert rules_version(copy) != rules_version(DOMAIN)


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


def _modules_of_redaction() -> list[str]:
    """Every module of the domain that redacting loads, by its path below the domain."""
    loaded = "[print(m.__file__) for n, m in sys.modules.items() if n.startswith('service.domain.')]"
    code = f"import sys, service.domain.redact; {loaded}"
    lines = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    return [str(Path(line).relative_to(DOMAIN)) for line in lines]
