"""A session and a fork of it, as each agent that copies rows would leave them: the original was used on afterwards."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tests.support.agent_files import Row, write_rows
from tests.support.claude_files import ClaudeFile, resumed

BEGUN, OF_ORIGINAL, OF_FORK = "why we began", "the original goes on", "the fork goes on"

Fork = Callable[[Path], tuple[str, str]]


def claude_fork(home: Path) -> tuple[str, str]:
    """Each copied row names the session it was copied from."""
    first = ClaudeFile(home, "first")
    first.exchange(BEGUN)
    fork = resumed(first, "fork", forkedFrom={"sessionId": "first", "messageUuid": "x"})
    fork.exchange(OF_FORK)
    first.pass_minutes(60)
    first.exchange(OF_ORIGINAL)
    return first.key, fork.key


def pi_fork(home: Path) -> tuple[str, str]:
    """The header names the file it was copied from."""
    folder = home / ".pi" / "agent" / "sessions" / "--home-dev-shop--"
    first = folder / "2026-03-02T09-00-00Z_first.jsonl"
    begun = [_pi("a1", None, "user", BEGUN, 1), _pi("a2", "a1", "assistant", "Done.", 2)]
    write_rows(first, [_pi_header("first", 0), *begun, *_pi_exchange("b", OF_ORIGINAL, 60)])
    rows = [{**_pi_header("fork", 10), "parentSession": str(first)}, *begun, *_pi_exchange("c", OF_FORK, 11)]
    write_rows(folder / "2026-03-02T09-10-00Z_fork.jsonl", rows)
    return "pi:first", "pi:fork"


def kiro_rewind(home: Path) -> tuple[str, str]:
    """Nothing names the original, but the file beside the rows says when a session was begun."""
    folder = home / ".kiro" / "sessions" / "cli"
    begun = [_kiro("Prompt", "a1", BEGUN, 1), _kiro("AssistantMessage", "a2", "Done.", 2)]
    for name, minute, said, at in (("first", 0, OF_ORIGINAL, 60), ("fork", 10, OF_FORK, 11)):
        own = [_kiro("Prompt", f"{name}1", said, at), _kiro("AssistantMessage", f"{name}2", "Done.", at)]
        write_rows(folder / f"{name}.jsonl", [*begun, *own])
        write_rows(
            folder / f"{name}.json", [{"session_id": name, "cwd": "/home/dev/shop", "created_at": _time(minute)}]
        )
    return "kiro:first", "kiro:fork"


def kirocrew_fork(home: Path) -> tuple[str, str]:
    """The first row names the chat it was copied from."""
    folder = home / ".kiro" / "crew" / "sessions"
    begun = [_crew("user", BEGUN, 1), _crew("assistant", "Done.", 2)]
    header = {"_type": "metadata", "title": "Shop"}
    write_rows(folder / "first.jsonl", [header, *begun, _crew("user", OF_ORIGINAL, 60)])
    write_rows(folder / "fork.jsonl", [{**header, "forked_from": "first"}, *begun, _crew("user", OF_FORK, 11)])
    return "kirocrew:first", "kirocrew:fork"


FORKS: Sequence[Fork] = (claude_fork, pi_fork, kiro_rewind, kirocrew_fork)


def _time(minute: int) -> str:
    return f"2026-03-02T{9 + minute // 60:02}:{minute % 60:02}:00Z"


def _pi_header(session_id: str, minute: int) -> dict[str, object]:
    return {"type": "session", "version": 3, "id": session_id, "timestamp": _time(minute), "cwd": "/home/dev/shop"}


def _pi_exchange(name: str, said: str, minute: int) -> list[Row]:
    asked = _pi(f"{name}1", "a2", "user", said, minute)
    return [asked, _pi(f"{name}2", f"{name}1", "assistant", "Done.", minute)]


def _pi(entry_id: str, parent: str | None, role: str, words: str, minute: int) -> Row:
    message = {"role": role, "content": words} | ({"stopReason": "stop"} if role == "assistant" else {})
    return {"type": "message", "id": entry_id, "parentId": parent, "timestamp": _time(minute), "message": message}


def _kiro(kind: str, message_id: str, words: str, minute: int) -> Row:
    data = {"message_id": message_id, "content": [{"kind": "text", "data": words}]}
    meta = {"meta": {"timestamp": 1772442000 + 60 * minute}} if kind == "Prompt" else {}
    return {"version": "v1", "kind": kind, "data": {**data, **meta}}


def _crew(role: str, words: str, minute: int) -> Row:
    return {"role": role, "content": words, "ts": _time(minute)}
