"""One made-up session of each agent, in the shape and at the place its agent would keep it."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]

CODEX_ID = "019a0000-0000-7000-8000-000000000001"
OPENCLAW_ID = "0b5e2f3a-1111-4222-8333-444455556666"
SAID = "Sort the imports"
ANSWER = "Sorted."


def write_rows(path: Path, rows: Iterable[Row]) -> Path:
    """A file of JSON Lines; folders are made as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def append_rows(path: Path, *rows: Row) -> None:
    """Rows behind those that are there."""
    with path.open("a") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))


def codex_rows(*said: str, session_id: str = CODEX_ID) -> list[Row]:
    """A rollout whose turns are all complete."""
    at = "2026-03-02T09:00:00.000Z"
    rows: list[Row] = [_codex("session_meta", id=session_id, cwd="/home/dev/shop", timestamp=at, source="cli")]
    for words in said:
        rows += [
            _codex("event_msg", type="task_started"),
            _codex("event_msg", type="user_message", message=words),
            _codex("event_msg", type="agent_message", message=ANSWER),
            _codex("event_msg", type="task_complete", last_agent_message=ANSWER),
        ]
    return rows


def _codex(kind: str, **payload: Any) -> Row:
    return {"timestamp": "2026-03-02T09:00:00.000Z", "type": kind, "payload": payload}


def codex_file(home: Path, *said: str, session_id: str = CODEX_ID) -> Path:
    name = f"rollout-2026-03-02T09-00-00-{session_id}.jsonl"
    path = home / ".codex" / "sessions" / "2026" / "03" / "02" / name
    return write_rows(path, codex_rows(*(said or (SAID,)), session_id=session_id))


def codex_state(home: Path, **titles: str) -> Path:
    """Codex's state database; titles by session id."""
    path = home / ".codex" / "state_5.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, title TEXT)")
        database.executemany("INSERT OR REPLACE INTO threads VALUES (?, ?)", titles.items())
        database.commit()
    return path


def gemini_document(*said: str, session_id: str = "5f0a1b2c-aaaa", at: str = "2026-03-02T09:01:00.000Z") -> str:
    messages = []
    for n, words in enumerate(said):
        messages.append({"id": f"u{n}", "timestamp": at, "type": "user", "content": words})
        messages.append({"id": f"g{n}", "timestamp": at, "type": "gemini", "content": ANSWER})
    header = {"sessionId": session_id, "projectHash": "ab", "startTime": "2026-03-02T09:00:00.000Z"}
    return json.dumps({**header, "messages": messages}, indent=2)


def gemini_path(home: Path, name: str = "session-2026-03-02T09-00-5f0a1b2c.json") -> Path:
    path = home / ".gemini" / "tmp" / "shop" / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


class OpenCodeDatabase:
    """OpenCode's database, written through one connection that stays open, as the agent does it."""

    def __init__(self, home: Path, *, wal: bool = True) -> None:
        self.path = home / ".local" / "share" / "opencode" / "opencode.db"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(self.path)
        if wal:
            self._database.execute("PRAGMA journal_mode=WAL")
        self._database.executescript(
            "CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INT);"
            "CREATE TABLE message (id TEXT, session_id TEXT, time_created INT, data TEXT);"
            "CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);"
        )
        self._said = 0

    def session(self, session_id: str, *said: str) -> None:
        """A session with complete turns."""
        row = (session_id, None, "/home/dev/shop", f"Title of {session_id}", 1772442000000)
        self._database.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?)", row)
        self.turn(session_id, *said)

    def turn(self, session_id: str, *said: str) -> None:
        """Further turns of a session."""
        for words in said:
            self._message(session_id, "user", {}, {"type": "text", "text": words})
            stop = {"type": "step-finish", "reason": "stop"}
            self._message(session_id, "assistant", {"finish": "stop"}, {"type": "text", "text": ANSWER}, stop)
        self._database.commit()

    def forget(self, session_id: str) -> None:
        """The person deleted the session in the agent."""
        for table, column in (("part", "session_id"), ("message", "session_id"), ("session", "id")):
            self._database.execute(f"DELETE FROM {table} WHERE {column} = ?", (session_id,))  # noqa: S608 - own names
        self._database.commit()

    def close(self) -> None:
        self._database.close()

    def _message(self, session_id: str, role: str, fields: Row, *parts: Row) -> None:
        self._said += 1
        message_id, at = f"msg_{self._said:04}", 1772442000000 + 1000 * self._said
        data = json.dumps({"role": role, "time": {"created": at}, **fields})
        self._database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (message_id, session_id, at, data))
        for n, part in enumerate(parts):
            row = (f"prt_{self._said:04}_{n}", message_id, session_id, json.dumps(part))
            self._database.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)


def opencode_tree(home: Path) -> None:
    storage = home / ".local" / "share" / "opencode" / "storage"
    time = {"created": 1772442000000}
    _write_json(storage / "session" / "prj" / "ses_tree.json", {"id": "ses_tree", "directory": "/shop", "time": time})
    _write_json(storage / "message" / "ses_tree" / "msg_1.json", {"id": "msg_1", "role": "user", "time": time})
    _write_json(storage / "part" / "msg_1" / "prt_1.json", {"id": "prt_1", "type": "text", "text": SAID})


def kiro_file(home: Path, session_id: str = "kiro-1") -> Path:
    """A prompt and its reply; the turn is open until `end_kiro_turn`."""
    rows = [_kiro("Prompt", "k1", SAID, meta={"timestamp": 1772442000}), _kiro("AssistantMessage", "k2", ANSWER)]
    return write_rows(home / ".kiro" / "sessions" / "cli" / f"{session_id}.jsonl", rows)


def end_kiro_turn(path: Path, *message_ids: str) -> None:
    """The file beside the rows tells that the turn of these messages ended."""
    ended = {"message_ids": list(message_ids), "end_reason": "UserTurnEnd", "end_timestamp": 1772442060}
    metadata = {"user_turn_metadatas": [ended]}
    value = {"session_id": path.stem, "cwd": "/home/dev/shop", "title": "Imports"}
    _write_json(path.with_suffix(".json"), {**value, "session_state": {"conversation_metadata": metadata}})


def _kiro(kind: str, message_id: str, words: str, **fields: Any) -> Row:
    return {"version": "v1", "kind": kind, "data": {"message_id": message_id, "content": [_text(words)], **fields}}


def _text(words: str) -> Row:
    return {"kind": "text", "data": words}


def amazonq_database(home: Path, folder: str = "amazon-q") -> Path:
    path = home / ".local" / "share" / folder / "data.sqlite3"
    path.parent.mkdir(parents=True, exist_ok=True)
    turn = {
        "user": {"content": {"Prompt": {"prompt": SAID}}, "timestamp": None, "env_context": {}},
        "assistant": {"Response": {"message_id": "m", "content": ANSWER}},
    }
    value = json.dumps({"conversation_id": f"{folder}-1", "history": [turn], "transcript": []})
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)")
        database.execute("INSERT INTO conversations VALUES ('/home/dev/shop', ?)", (value,))
        database.commit()
    return path


def openclaw_database(home: Path) -> Path:
    path = home / ".openclaw" / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT)")
        for seq, row in enumerate(_pi_rows("claw-db")):
            database.execute("INSERT INTO transcript_events VALUES ('claw-db', ?, ?)", (seq, json.dumps(row)))
        database.commit()
    return path


def _pi_rows(session_id: str) -> list[Row]:
    at = "2026-03-02T09:00:00Z"
    return [
        {"type": "session", "version": 3, "id": session_id, "timestamp": at, "cwd": "/home/dev/shop"},
        _pi_message("e1", None, {"role": "user", "content": SAID}),
        _pi_message("e2", "e1", {"role": "assistant", "content": ANSWER, "stopReason": "stop"}),
    ]


def _pi_message(entry_id: str, parent: str | None, message: Row) -> Row:
    at = "2026-03-02T09:01:00Z"
    return {"type": "message", "id": entry_id, "parentId": parent, "timestamp": at, "message": message}


def every_agents_session(home: Path) -> None:
    """A session of each agent that has a place in a home folder, but Claude Code's."""
    codex_file(home)
    codex_state(home, **{CODEX_ID: "Import order"})
    gemini_path(home).write_text(gemini_document(SAID))
    database = OpenCodeDatabase(home)
    database.session("ses_1", SAID)
    database.close()
    opencode_tree(home)
    write_rows(home / ".openclaw" / "agents" / "main" / "sessions" / f"{OPENCLAW_ID}.jsonl", _pi_rows(OPENCLAW_ID))
    openclaw_database(home)
    write_rows(home / ".pi" / "agent" / "sessions" / "--home-dev-shop--" / "2026_pi-1.jsonl", _pi_rows("pi-1"))
    _copilot(home)
    end_kiro_turn(kiro_file(home), "k1", "k2")
    amazonq_database(home)
    amazonq_database(home, "kiro-cli")
    crew = [{"_type": "metadata", "title": "Imports"}, *({"role": r, "content": c} for r, c in _exchange())]
    write_rows(home / ".kiro" / "crew" / "sessions" / "tab_1.jsonl", crew)
    cursor = [{"role": r, "message": {"content": [{"type": "text", "text": c}]}} for r, c in _exchange()]
    write_rows(home / ".cursor" / "projects" / "shop" / "agent-transcripts" / "cursor-1.jsonl", cursor)


def _exchange() -> list[tuple[str, str]]:
    return [("user", f"<user_query>{SAID}</user_query>"), ("assistant", ANSWER)]


def _copilot(home: Path) -> None:
    folder = home / ".copilot" / "session-state" / "copilot-1"
    rows = [
        ("session.start", {"sessionId": "copilot-1", "context": {"cwd": "/home/dev/shop"}}),
        ("user.message", {"content": SAID}),
        ("assistant.message", {"content": ANSWER, "toolRequests": []}),
        ("assistant.turn_end", {"turnId": "0"}),
    ]
    at = "2026-03-02T09:00:00.000Z"
    events = [{"type": t, "id": f"e{n}", "timestamp": at, "data": d} for n, (t, d) in enumerate(rows)]
    write_rows(folder / "events.jsonl", events)
    (folder / "workspace.yaml").write_text("name: Imports\n")


def _write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
