"""OpenClaw's files and database: which user texts a person typed, and telling its files from pi's."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.messages import Origin
from service.sources.formats import find_files, read_file
from service.sources.openclaw import PLACE
from service.sources.openclaw_wrappers import words_of
from service.sources.pi import PiReader
from service.sources.session import LastTurn, Session

Row = dict[str, Any]
HEADER: Row = {
    "type": "session",
    "version": 3,
    "id": "o1",
    "timestamp": "2026-03-02T09:00:00Z",
    "cwd": "C:\\Users\\dev\\.openclaw\\workspace",
}
PLAIN_HEADER: Row = {**HEADER, "cwd": "/home/dev/shop"}
SENDER = 'Sender (untrusted metadata):\n```json\n{\n  "label": "web"\n}\n```\n\n'
STAMP = "[Mon 2026-03-02 09:00 GMT+5:30] "
LIVE = "0b5e2f3a-1111-4222-8333-444455556666"


def user(words: str, *pictures: Row) -> Row:
    content = [{"type": "text", "text": words}, *pictures]
    return {"type": "message", "id": words, "message": {"role": "user", "content": content}}


def reply(words: str) -> Row:
    return {"type": "message", "id": words, "message": {"role": "assistant", "content": words, "stopReason": "stop"}}


def session_of(*rows: Row, path: str = "o1.jsonl") -> Session:
    reader = PiReader(Path(path))
    for one in rows:
        reader.add(one)
    return reader.session()


def said(session: Session) -> list[tuple[str, Origin]]:
    return [(message.content, message.origin) for message in session.messages]


@pytest.mark.parametrize(
    "text",
    [
        f"{SENDER}{STAMP}and now?",
        f"System: [2026-03-02 09:00:15] Job done\n\n{SENDER}{STAMP}and now?",
        "System: [2026-03-02] one\nSystem: [2026-03-02] two\n\nand now?",
        'Conversation info (untrusted metadata):\n```json\n{"a": 1}\n```\n\nand now?',
        f"Conversation info (untrusted):\n```json\n{{}}\n```\n{SENDER}and now?",
        f"{STAMP}and now?",
        "and now?",
    ],
)
def test_what_is_put_around_a_persons_words_comes_off(text: str) -> None:
    """A message from a chat shows what was typed, without sender notes, events and time stamps."""
    assert said(session_of(HEADER, user(text))) == [("and now?", Origin.PERSON)]


@pytest.mark.parametrize(
    "text",
    [
        f"{STAMP}[OpenClaw heartbeat poll]",
        "Read HEARTBEAT.md if it exists",
        "[Bootstrap pending] say hello",
        "A new session was started via /new or /reset. Greet the person.",
        "Pre-compaction memory flush. Store what matters.",
        "[cron:12 nightly] check the mails",
        "[System Message] a helper ended",
        "[Inter-session message] from main",
        "System: [2026-03-02] Job done",
        f"{SENDER}",
    ],
)
def test_what_the_program_says_is_automation(text: str) -> None:
    """Timers, events and notes under role user are no turns."""
    session = session_of(HEADER, user(text), reply("HEARTBEAT_OK"))
    assert (session.user_turns, len(session.messages)) == (0, 2)
    assert session.unprompted == "only programs spoke"


def test_a_quoted_marker_stays_the_persons() -> None:
    """A person who asks about a marker has spoken."""
    assert session_of(HEADER, user(f"{STAMP}why do I get [OpenClaw heartbeat poll] so often?")).user_turns == 1


def test_a_picture_behind_a_sender_note_is_a_prompt() -> None:
    """A picture sent without words counts as a turn."""
    assert session_of(HEADER, user(SENDER, {"type": "image", "data": "eA=="})).user_turns == 1


def test_a_helpers_file_is_no_persons_session() -> None:
    """A session that begins with a task from another agent is a sub-agent's, all of it."""
    session = session_of(HEADER, user(f"{STAMP}[Subagent Context] You are a helper."), user("go on"))
    assert (session.sub_agent, session.user_turns, session.unprompted) == (True, 0, "a sub-agent's file")


def test_context_entries_are_no_messages() -> None:
    """What the program shows the model on the side is not shown as said."""
    context = {"type": "custom_message", "id": "c", "customType": "openclaw.runtime-context", "content": "x"}
    assert session_of(HEADER, context).messages == ()


@pytest.mark.parametrize(
    "rows",
    [
        (HEADER, user("a")),
        (PLAIN_HEADER, {"type": "custom", "id": "c", "customType": "model-snapshot"}, user("a")),
        (user(f"{SENDER}a"),),
    ],
)
def test_a_file_is_told_from_pis_by_what_is_in_it(rows: tuple[Row, ...]) -> None:
    """A workspace, an entry of its own kind, or a sender note shows whose file it is."""
    assert session_of(*rows).agent == "openclaw"


def test_a_file_in_the_agents_folder_needs_no_other_sign() -> None:
    """Where the file lies shows whose it is."""
    assert session_of(PLAIN_HEADER, user("a"), path="/x/agents/main/sessions/o1.jsonl").agent == "openclaw"
    assert session_of(PLAIN_HEADER, user("a"), path="/x/sessions/shop/o1.jsonl").agent == "pi"


def test_a_late_sign_changes_how_earlier_texts_are_read() -> None:
    """Messages that were taken for a person's are judged anew once the file is known."""
    sign = {"type": "custom_message", "id": "c", "customType": "openclaw.runtime-context"}
    reader = PiReader(Path("a.jsonl"))
    for row in (PLAIN_HEADER, user("[cron:1] check"), user(f"{STAMP}and now?")):
        reader.add(row)
    assert (reader.session().agent, reader.session().user_turns) == ("pi", 2)
    reader.add(sign)
    assert said(reader.session()) == [("[cron:1] check", Origin.AUTOMATION), ("and now?", Origin.PERSON)]


def test_a_file_without_its_first_row_is_placed(tmp_path: Path) -> None:
    """A file cut at the front still gives its session."""
    path = tmp_path / f"{LIVE}.jsonl"
    path.write_text("\n".join(map(json.dumps, [user(f"{SENDER}{STAMP}and now?"), reply("Nothing.")])))
    session = read_file(path).session
    assert session is not None
    assert (session.key, session.last_turn) == (f"openclaw:{LIVE}", LastTurn.COMPLETED)


def test_only_live_files_are_found(tmp_path: Path) -> None:
    """Earlier lives, deleted ones, checkpoints and traces beside a session are not sessions."""
    folder = tmp_path / ".openclaw" / "agents" / "main" / "sessions"
    folder.mkdir(parents=True)
    live = (f"{LIVE}.jsonl", f"{LIVE}-topic-7.jsonl")
    others = (".jsonl.reset.2026", ".jsonl.deleted.2026", ".jsonl.bak-1", ".checkpoint.c1.jsonl", ".trajectory.jsonl")
    for name in (*live, *(LIVE + suffix for suffix in others), "sessions.json"):
        (folder / name).touch()
    assert sorted(path.name for path in find_files(PLACE, {}, tmp_path)) == sorted(live)


def database_of(folder: Path, *events: tuple[str, Row]) -> Path:
    path = folder / "openclaw-agent.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INT)"
        )
        for seq, (session_id, row) in enumerate(events):
            database.execute("INSERT INTO transcript_events VALUES (?, ?, ?, 0)", (session_id, seq, json.dumps(row)))
        database.commit()
    return path


def test_the_database_holds_the_same_entries(tmp_path: Path) -> None:
    """Sessions of newer versions are read from the database, each with its own messages."""
    second = {**PLAIN_HEADER, "id": "o2"}
    path = database_of(
        tmp_path, ("o1", PLAIN_HEADER), ("o2", second), ("o1", user(f"{STAMP}one")), ("o2", user("[cron:1] x"))
    )
    result = read_file(path)
    assert [(session.key, session.user_turns) for session in result.sessions] == [
        ("openclaw:o1", 1),
        ("openclaw:o2", 0),
    ]
    assert os.listdir(tmp_path) == [path.name]


def test_a_torn_database_is_told_as_such(tmp_path: Path) -> None:
    """A damaged database gives a reason, not a crash and not an empty list."""
    path = tmp_path / "openclaw-agent.sqlite"
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    trouble = read_file(path).trouble
    assert trouble is not None
    assert trouble.detail


_PIECES = st.sampled_from([SENDER, STAMP, "System: [x] y\n", "Sender (untrusted", "```", "\n", "words", "[cron:", "["])


@given(st.lists(_PIECES | st.text(max_size=5), max_size=12))
def test_unwrapping_twice_changes_nothing(pieces: list[str]) -> None:
    """Words are what no wrapper stands before, and they end the text."""
    words = words_of("".join(pieces))
    assert words_of(words) == words
    assert "".join(pieces).rstrip().endswith(words)
