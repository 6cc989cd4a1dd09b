"""The host's side over HTTP."""

import httpx2
import pytest

from service.store.access import Caller
from service.store.tokens import add_token
from service.web.guard import token_digest
from tests.support.live import LiveService, exchange


def test_a_slot_is_made_and_changed(service: LiveService) -> None:
    """PUT creates with defaults, then changes what is sent and leaves the rest."""
    created = service.put("chat", title="Imports")
    assert created.status_code == 201
    assert created.json()["transcript_key"] == "chat"
    changed = service.put("chat", project="/home/dev/shop")
    assert changed.status_code == 200
    assert (changed.json()["title"], changed.json()["project"]) == ("Imports", "/home/dev/shop")
    patched = service.client.patch(service.path("chat"), json={"title": None})
    assert (patched.json()["title"], patched.json()["project"]) == (None, "/home/dev/shop")


@pytest.mark.parametrize("key", ["a/b", "x/summary", "ü ☃", "%2F", "a?b#c", "s" * 256])
def test_any_printable_key_works(service: LiveService, key: str) -> None:
    """Keys may hold slashes and anything else that is percent-encoded."""
    assert service.put(key).status_code == 201
    assert service.client.get(service.path(key, "summary")).status_code == 200
    assert service.client.get("/api/chat/slots").json()["slots"][0]["key"] == key


@pytest.mark.parametrize("key", ["s" * 257, "a\x00b", "a\nb", "\x85"])
def test_a_key_that_cannot_be_one(service: LiveService, key: str) -> None:
    """On PUT it is a 400 that says so, elsewhere the 404 of any unknown slot."""
    assert service.put(key).status_code == 400
    assert service.client.get(service.path(key, "summary")).json() == {"error": "not found", "code": "slot_not_found"}


def test_two_slots_show_one_transcript(service: LiveService) -> None:
    """Both read the same summary, and both are told."""
    service.put("one", transcript_key="t")
    service.put("two", transcript_key="t")
    service.append("one", exchange("Sort the imports") + exchange("Now the exports"))
    with service.events() as events:
        events.next()
        service.generate("two")
        keys = [events.until("session_summary")["data"]["data"]["key"] for _ in range(2)]
    assert sorted(keys) == ["one", "two"]
    assert service.summary("one")["intents"] == service.summary("two")["intents"] != []


def test_deleting_is_permanent_and_counted(service: LiveService) -> None:
    """The receipt counts what went, with every slot of the transcript; the second time there is nothing."""
    service.put("one", transcript_key="t")
    service.put("two", transcript_key="t")
    messages = exchange("Sort the imports") + exchange("Now the exports")
    messages[1]["facts"] = [{"kind": "edited", "text": "cart.py"}]
    service.append("one", messages)
    service.generate("one")
    receipt = service.client.delete(service.path("one"))
    assert receipt.json() == {
        "deleted": {"messages": 4, "facts": 1, "summaries": 1, "titles": 0, "slots": 2},
        "purged": True,
    }
    assert service.client.delete(service.path("one")).status_code == 404
    assert service.client.get(service.path("two", "summary")).status_code == 404


def test_deleted_text_is_in_no_file(service: LiveService) -> None:
    """After the receipt, the words of a deleted session are in no file of the data folder."""
    needle = "zebra-crossing-with-forty-characters-0123456789"
    service.put("s", title=needle)
    service.append("s", exchange(f"Paint the {needle}") * 2)
    service.generate("s")
    assert service.client.delete(service.path("s")).json()["purged"] is True
    for file in service.folder.path.iterdir():
        if file.is_file():
            assert needle.encode() not in file.read_bytes(), file.name


@pytest.mark.parametrize("mode", ["incognito", "Temporary", " INCOGNITO "])
def test_a_private_session_is_never_written(service: LiveService, mode: str) -> None:
    """Its messages reach no disk, and no summary is made of it."""
    service.put("s", memory_mode=mode)
    service.turn("s", "a private needle")
    service.turn("s", "another private needle")
    assert service.rows("SELECT count(*) FROM messages") == [(0,)]
    assert service.summary("s")["generate_state"] == "unavailable"
    answer = service.generate("s")
    assert (answer.status_code, answer.json()["reason"]) == (409, "memory_mode")
    for file in service.folder.path.iterdir():
        if file.is_file():
            assert b"private needle" not in file.read_bytes(), file.name


def test_an_exchange_can_be_read(service: LiveService) -> None:
    """A turn number opens the person's words and all that answers them, nothing of tools."""
    service.put("s")
    tool = {"role": "tool", "content": "secret tool output", "facts": [{"kind": "edited", "text": "cart.py"}]}
    first = exchange("Sort the imports", ts="2026-03-02T09:00:00Z")
    service.append("s", [first[0], tool, first[1], *exchange("Now the exports")])
    shown = service.client.get(service.path("s", "messages"), params={"turn": 1}).json()
    assert [message["content"] for message in shown["messages"]] == ["Sort the imports", "Done."]
    assert shown["messages"][0]["ts"] == "2026-03-02T09:00:00Z"
    assert b"secret tool output" not in service.database.read_bytes()


def test_the_list_pages_and_searches(service: LiveService) -> None:
    """Newest activity first, a cursor for the rest, any-case search over key, title and project."""
    for n in range(5):
        service.put(f"slot {n}", title=f"Title {n}", project="/home/dev/Shop" if n % 2 else None)
    page = service.client.get("/api/chat/slots", params={"limit": 2}).json()
    assert [slot["key"] for slot in page["slots"]] == ["slot 4", "slot 3"]
    rest = service.client.get("/api/chat/slots", params={"limit": 200, "after": page["next"]}).json()
    assert [slot["key"] for slot in rest["slots"]] == ["slot 2", "slot 1", "slot 0"]
    assert rest["next"] is None
    found = service.client.get("/api/chat/slots", params={"q": "SHOP"}).json()
    assert [slot["key"] for slot in found["slots"]] == ["slot 3", "slot 1"]
    for bad in ({"limit": "0"}, {"limit": "201"}, {"limit": "x"}, {"after": "x"}):
        assert service.client.get("/api/chat/slots", params=bad).status_code == 400


def choices(client: httpx2.Client, **query: str | int) -> dict[str, list[str]]:
    """What the page says that the list can be narrowed by."""
    page = client.get("/api/chat/slots", params=query).json()
    return {name: page[name] for name in ("sources", "projects") if name in page}


def test_the_first_page_has_every_agent_and_project(service: LiveService) -> None:
    """However few rows it has and however they are narrowed; what comes behind it does not repeat them."""
    for n in range(5):
        service.put(f"slot {n}", project=f"/home/dev/p{n % 3}")
    service.put("without a project")
    every = {"sources": ["host"], "projects": ["/home/dev/p0", "/home/dev/p1", "/home/dev/p2"]}
    assert choices(service.client) == choices(service.client, limit=1) == every
    assert choices(service.client, source="codex") == choices(service.client, q="nothing", project="/x") == every
    cursor = service.client.get("/api/chat/slots", params={"limit": 2}).json()["next"]
    assert choices(service.client, limit=2, after=cursor) == choices(service.client, key="slot 1") == {}


def test_what_is_gone_is_no_choice(service: LiveService) -> None:
    """Neither the project of a deleted session nor that of one that turned private, or of one that no slot shows."""
    for slot in ("deleted", "private", "hidden", "kept"):
        service.put(slot, project=f"/home/dev/{slot}")
    service.client.delete(service.path("deleted"))
    service.client.patch(service.path("private"), json={"memory_mode": "incognito"})
    service.put("hidden", transcript_key="kept")
    assert choices(service.client) == {"sources": ["host"], "projects": ["/home/dev/kept"]}


def test_an_app_is_offered_its_own_projects_alone(service: LiveService) -> None:
    """What others work on is not told by what the list can be narrowed by."""
    service.put("unowned", project="/home/dev/secret")
    token = service.client.post("/api/tokens", json={"app": "red"}).json()["token"]
    with service.client_of(token) as app:
        assert choices(app) == {}
        app.put(service.path("own"), json={"project": "/home/dev/red"})
        assert choices(app) == {"sources": ["host"], "projects": ["/home/dev/red"]}


def test_one_session_is_found_by_its_key(service: LiveService) -> None:
    """Its row comes alone, however many other keys and titles hold the same words; an unknown key has none."""
    for key in ("s1", "s10", "as1", "S1"):
        service.put(key, title="s1")
    for key, rows in (("s1", ["s1"]), ("s", []), ("", [])):
        found = service.client.get("/api/chat/slots", params={"key": key}).json()
        assert [row["key"] for row in found["slots"]] == rows
        assert found["next"] is None


def test_any_case_means_any_script(service: LiveService) -> None:
    """A search finds what it names whatever its case, in every script that has one; an essay is refused."""
    for slot, title in (("a", "Über die Größe"), ("b", "ПРИВЕТ мир"), ("c", "Σίσυφος")):
        service.put(slot, title=title)
    for text, slot in (("ÜBER", "a"), ("GRÖSSE", "a"), ("привет", "b"), ("σίσυφοσ", "c")):
        found = service.client.get("/api/chat/slots", params={"q": text}).json()["slots"]
        assert [row["key"] for row in found] == [slot]
    assert service.client.get("/api/chat/slots", params={"q": "x" * 501}).status_code == 400


def test_a_database_moved_aside_is_told(service: LiveService) -> None:
    """The dashboard learns that a file could not be read, until somebody has moved it away."""
    assert "notices" not in service.client.get("/api/chat/slots").json()
    aside = service.folder.path / "session-summary.unreadable-20260302T090000000000.db"
    aside.write_bytes(b"not a database")
    (notice,) = service.client.get("/api/chat/slots").json()["notices"]
    assert aside.name in notice
    aside.unlink()
    assert "notices" not in service.client.get("/api/chat/slots").json()


def test_a_list_does_not_move_by_reads_and_summaries(service: LiveService) -> None:
    """Making and reading summaries leaves the order of the list alone."""
    for slot in ("a", "b"):
        service.put(slot)
        service.append(slot, exchange("Sort the imports") + exchange("Now the exports"))
    service.generate("a")
    service.summary("a")
    assert [slot["key"] for slot in service.client.get("/api/chat/slots").json()["slots"]] == ["b", "a"]


def test_an_app_sees_only_its_own_slots(service: LiveService) -> None:
    """A foreign slot and a missing one are the same bytes on every verb; the list holds its own alone."""
    tokens = {name: f"token-of-{name}" for name in ("red", "blue")}
    _register(service, tokens)
    red, blue = (service.client_of(token) for token in tokens.values())
    assert red.put(service.path("mine"), json={}).status_code == 201
    service.put("unowned")
    missing = blue.get(service.path("nowhere", "summary")).content
    for slot in ("mine", "unowned"):
        answers = [
            blue.get(service.path(slot, "summary")),
            blue.post(service.path(slot, "summary"), json={}),
            blue.put(service.path(slot), json={}),
            blue.patch(service.path(slot), json={"title": "stolen"}),
            blue.delete(service.path(slot)),
            blue.post(service.path(slot, "turn", "start"), json={}),
            blue.post(service.path(slot, "turn", "end"), json={}),
            blue.post(service.path(slot, "messages"), json={"messages": []}),
            blue.put(service.path(slot, "messages"), json={"messages": []}),
            blue.get(service.path(slot, "messages"), params={"turn": 1}),
            blue.put(service.path("own"), json={"transcript_key": slot}),
        ]
        assert {(answer.status_code, answer.content) for answer in answers} == {(404, missing)}
    assert blue.get("/api/chat/slots").json()["slots"] == []
    assert [slot["key"] for slot in red.get("/api/chat/slots").json()["slots"]] == ["mine"]
    red.close()
    blue.close()


def _register(service: LiveService, tokens: dict[str, str]) -> None:
    import asyncio

    from service.store.engine import Database

    async def write() -> None:
        db = Database(service.database)
        for app, token in tokens.items():
            await db.write(lambda w, a=app, t=token: add_token(w, token_digest(t), a, 1))  # type: ignore[misc] # bound per loop
        await db.close()

    asyncio.run(write())
    assert Caller("red") != Caller("blue")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (("messages",), {"messages": [{"content": "no role"}]}),
        (("messages",), {"messages": [{"role": "user", "content": "x", "ts": True}]}),
        (("messages",), {"messages": [{"role": "user", "content": "x", "facts": [{"kind": "magic", "text": "x"}]}]}),
        (("messages",), {}),
        (("turn", "end"), {"stop_reason": 7}),
    ],
)
def test_a_body_that_cannot_be_taken_is_refused_whole(
    service: LiveService, path: tuple[str, ...], body: object
) -> None:
    """A clear 400, and nothing of it is stored."""
    service.put("s")
    answer = service.client.post(service.path("s", *path), json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert service.rows("SELECT count(*) FROM messages") == [(0,)]


def test_an_end_without_a_start_counts(service: LiveService) -> None:
    """A host that only tells ends is served as well; an empty list of messages changes nothing."""
    service.put("s")
    for said in ("Sort the imports", "Now the exports"):
        body = {"stop_reason": "end_turn", "messages": exchange(said)}
        assert service.client.post(service.path("s", "turn", "end"), json=body).status_code == 200
    before = service.rows("SELECT * FROM transcripts")
    service.client.post(service.path("s", "turn", "end"), json={"stop_reason": "end_turn", "messages": []})
    assert service.rows("SELECT * FROM transcripts") == before


def test_a_session_that_turns_private_keeps_no_title(service: LiveService) -> None:
    """Its title and project may hold the person's words: they go, and none is kept while it is private."""
    service.put("s", title="a private needle", project="/home/dev/needle")
    patched = service.client.patch(service.path("s"), json={"memory_mode": "Incognito"}).json()
    assert (patched["title"], patched["project"]) == (None, None)
    service.client.patch(service.path("s"), json={"title": "another private needle"})
    assert service.client.get("/api/chat/slots").json()["slots"][0]["title"] is None
    assert b"private needle" not in b"".join(f.read_bytes() for f in service.folder.path.iterdir() if f.is_file())


def test_a_private_append_says_that_nothing_was_kept(service: LiveService) -> None:
    """The answer counts what was stored: nothing."""
    service.put("s", memory_mode="temporary")
    assert service.append("s", exchange("a secret plan")).json() == {"messages": 0}


def test_a_slot_that_shows_another_session_ends_its_turn(service: LiveService) -> None:
    """Pages learn that the turn no longer runs there."""
    service.put("s")
    service.client.post(service.path("s", "turn", "start"), json={})
    with service.events() as events:
        events.next()
        service.put("s", transcript_key="another")
        assert events.until("session_turn")["data"]["data"] == {"key": "s", "running": False}


def test_a_new_slot_after_a_rewind_is_not_locked(service: LiveService) -> None:
    """The cadence of a slot opened after a rewind counts from where the session stands, not from where it stood."""
    service.put("a")
    service.append("a", [message for n in range(6) for message in exchange(f"Step {n}")])
    service.generate("a")
    service.rewrite("a", exchange("Step 0") + exchange("Step 1"))
    service.put("b", transcript_key="a")
    assert service.rows("SELECT turn_mark FROM slots ORDER BY key") == [(2,), (2,)]


def test_deleting_one_session_leaves_the_other_ones_ledger(service: LiveService) -> None:
    """A slot that showed both takes only its own name along."""
    service.put("k", transcript_key="A")
    service.put("stays", transcript_key="A")
    service.append("k", exchange("Sort the imports") * 2)
    service.generate("k")
    service.put("k", transcript_key="B")
    service.client.delete(service.path("k"))
    assert service.rows("SELECT slot, transcript_key FROM passes") == [(None, "A")]


def test_a_stop_reason_is_not_kept_of_a_deleted_session(service: LiveService) -> None:
    """Whatever a host put there is gone from every file with the rest; a secret never came in."""
    service.put("s")
    service.client.post(service.path("s", "turn", "end"), json={"stop_reason": "a-needle-of-a-reason"})
    service.client.post(service.path("s", "turn", "end"), json={"stop_reason": "ghp_" + "a1B2c3D4e5" * 3 + "F6g7H8"})
    assert service.rows("SELECT reason FROM passes ORDER BY id") == [
        ("stop_reason:a-needle-of-a-reason",),
        ("stop_reason:other",),
    ]
    service.client.delete(service.path("s"))
    assert service.rows("SELECT DISTINCT reason FROM passes") == [("stop_reason",)]
    assert b"needle" not in b"".join(f.read_bytes() for f in service.folder.path.iterdir() if f.is_file())


def test_roles_times_and_facts_bring_no_text_in(service: LiveService) -> None:
    """A role is a word, a time is a time, a fact is a line: what is none of these is not stored as such."""
    token = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7H8"
    service.put("s")
    fact = {"kind": "ran", "text": f"deploy {'x' * 300_000}", "result": "passed"}
    service.append(
        "s",
        [
            {"role": "user", "content": "Deploy", "ts": token, "facts": [fact]},
            {"role": token, "content": "x"},
        ],
    )
    assert service.rows("SELECT role, ts FROM messages ORDER BY seq") == [("user", None), ("other", None)]
    assert service.rows("SELECT length(text) <= 200 FROM facts") == [(1,)]
    assert token.encode() not in service.database.read_bytes()
