"""Made-up Claude Code session files, written and grown as the agent does it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

_BEGIN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class ClaudeFile:
    """One session file under a made-up home; every row follows the one before it."""

    def __init__(
        self,
        home: Path,
        session_id: str = "11111111-2222-4333-8444-555555555555",
        *,
        at: Literal["past", "now"] = "past",
    ) -> None:
        self._begin = _BEGIN if at == "past" else datetime.now(UTC) - timedelta(minutes=5)
        self.home = home
        self.session_id = session_id
        self.path = home / ".claude" / "projects" / "-home-dev-shop" / f"{session_id}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._rows = 0
        self._parent: str | None = None
        self._held: list[str] | None = None

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Rows written inside reach the file in one write: no reader sees only some of them."""
        held: list[str] = []
        self._held = held
        yield
        self._held = None
        self._add("".join(held))

    @property
    def key(self) -> str:
        return f"claude-code:{self.session_id}"

    def going_on_from(self, other: "ClaudeFile") -> "ClaudeFile":
        """Rows that are written from now on follow those of another file, which were copied here."""
        self._rows, self._parent = other._rows, other._parent
        return self

    def row_id(self, number: int) -> str:
        """The id of the row with this number, counted from 1."""
        return f"{self.session_id}-{number}"

    def prompt(self, text: str, *, cwd: str = "/home/dev/shop") -> None:
        self._message("user", {"role": "user", "content": text}, cwd=cwd)

    def exchange(self, said: str) -> None:
        """A whole turn."""
        with self.at_once():
            self.prompt(said)
            self.reply("Done.")
            self.end()

    def pass_minutes(self, minutes: int) -> None:
        """Rows that are written from now on are so much later."""
        self._begin += timedelta(minutes=minutes)

    def reply(self, text: str) -> None:
        content = [{"type": "text", "text": text}]
        message = {"role": "assistant", "id": f"msg_{self._rows}", "content": content, "stop_reason": "end_turn"}
        self._message("assistant", message)

    def open_call(self, command: str) -> None:
        """A shell command that still runs."""
        call = f"tool_{self._rows}"
        use = [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}]
        self._message("assistant", {"role": "assistant", "id": f"msg_{self._rows}", "content": use})

    def tool_call(self, command: str, output: str, *, failed: bool = False) -> None:
        """A shell command and its result."""
        call = f"tool_{self._rows}"
        self.open_call(command)
        result = [{"type": "tool_result", "tool_use_id": call, "content": output, "is_error": failed}]
        self._message("user", {"role": "user", "content": result})

    def end(self) -> None:
        """The row that the agent writes when a turn is over."""
        self._write({"type": "system", "subtype": "turn_duration", "durationMs": 1200}, chained=True)

    def title(self, text: str) -> None:
        self.append({"type": "custom-title", "customTitle": text, "sessionId": self.session_id})

    def append(self, row: dict[str, Any]) -> None:
        """Any row, as it is."""
        line = json.dumps(row) + "\n"
        if self._held is None:
            self._add(line)
        else:
            self._held.append(line)

    def _add(self, text: str) -> None:
        with self.path.open("a") as file:
            file.write(text)

    def _message(self, kind: str, message: dict[str, Any], **fields: str) -> None:
        self._write({"type": kind, "message": message, **fields}, chained=True)

    def _write(self, row: dict[str, Any], *, chained: bool) -> None:
        self._rows += 1
        row = {
            "cwd": "/home/dev/shop",
            **row,
            "uuid": self.row_id(self._rows),
            "parentUuid": self._parent,
            "sessionId": self.session_id,
            "timestamp": (self._begin + timedelta(minutes=self._rows)).isoformat().replace("+00:00", "Z"),
            "gitBranch": "main",
            "isSidechain": False,
        }
        if chained:
            self._parent = self.row_id(self._rows)
        self.append(row)


def resumed(file: ClaudeFile, session_id: str, **marks: Any) -> ClaudeFile:
    """A file that begins with all rows of another session's, the session's id rewritten."""
    copy = ClaudeFile(file.home, session_id)
    for row in file.path.read_text().splitlines():
        copy.append(json.loads(row) | {"sessionId": session_id} | marks)
    return copy.going_on_from(file)
