"""A deletion over HTTP, to the byte, while others are connected."""

import base64
import json
import sqlite3
from pathlib import Path

from tests.faults.needles import NEEDLE, files_with
from tests.faults.test_streams import connected
from tests.support.live import LiveService, exchange
from tests.support.model_answers import intent, summary_reply
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until_sync


def full_of_needles(service: LiveService, model_server: ModelServer, slot: str) -> None:
    """A session that says it everywhere: title, messages, facts, and three summaries of which two were replaced."""
    service.put(slot, title=NEEDLE, project=f"/home/dev/{NEEDLE}").raise_for_status()
    service.put(f"{slot}/other", transcript_key=slot).raise_for_status()
    for n in range(3):
        messages = exchange(f"{'x' * 700 * n} {NEEDLE}", NEEDLE) + exchange("Go on")
        messages[1]["facts"] = [{"kind": "edited", "text": NEEDLE}]
        service.append(slot, messages).raise_for_status()
        model_server.script(summary_reply([intent(title=NEEDLE, progress=[NEEDLE * (40 * n + 1)])], [NEEDLE]))
        service.generate(slot).raise_for_status()
    assert NEEDLE in json.dumps(service.summary(slot))


def test_nothing_of_a_deleted_session_is_on_disk(service: LiveService, model_server: ModelServer) -> None:
    """With a client listening and one that never reads, the receipt says purged and no file holds the text."""
    stalled = connected(service)
    with service.events() as events:
        events.next()
        for n in range(20):
            service.put(f"other {n}")
            service.append(f"other {n}", exchange("Sort the imports " * 30 * n))
        full_of_needles(service, model_server, "s")
        assert files_with(service.folder.path) != []
        receipt = service.client.delete(service.path("s/other")).json()
        assert receipt == {
            "deleted": {"messages": 12, "facts": 3, "summaries": 1, "titles": 0, "slots": 2},
            "purged": True,
        }
        assert files_with(service.folder.path) == []
        assert {events.until("session_deleted")["data"]["data"]["key"] for _ in range(2)} == {"s", "s/other"}
    stalled.close()
    assert service.rows("SELECT count(*) FROM passes WHERE slot IS NOT NULL") == [(0,)]
    assert service.client.delete(service.path("s")).status_code == 404


def test_a_deletion_held_up_by_a_reader_is_finished_behind_the_answer(
    service: LiveService, model_server: ModelServer
) -> None:
    """Somebody reads the file from outside: the answer comes within its 2 s, the purge once the reader is done."""
    full_of_needles(service, model_server, "s")
    reader = sqlite3.connect(service.database)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM messages").fetchall()
    assert service.client.delete(service.path("s")).json()["purged"] is False
    reader.close()
    wait_until_sync(lambda: files_with(service.folder.path) == [], within=5)


def test_each_deletion_has_a_purge_of_its_own(service: LiveService, model_server: ModelServer) -> None:
    """What is left of one session does not count as purged because another one was."""
    for slot in ("one", "two"):
        full_of_needles(service, model_server, slot)
    assert service.client.delete(service.path("one")).json()["purged"] is True
    assert files_with(service.folder.path) != []
    assert service.client.delete(service.path("two")).json()["purged"] is True
    assert files_with(service.folder.path) == []


def test_the_search_finds_every_form(tmp_path: Path) -> None:
    """What the other tests rely on: UTF-8, UTF-16 and base64 at any offset are found."""
    text = NEEDLE.encode()
    forms = {
        "utf8": b"ab" + text,
        "utf16": NEEDLE.encode("utf-16-le"),
        **{f"base64-{n}": base64.b64encode(b"z" * n + text + b"tail") for n in range(3)},
    }
    for name, content in forms.items():
        (tmp_path / name).write_bytes(b"\0" * 10 + content)
    assert files_with(tmp_path) == sorted(forms)
