"""What following agents' files costs: appends to a large and a small file side by side, a huge file, a full folder.

python -m tests.bench.bench_follow appends | huge | folder
"""

import asyncio
import json
import os
import resource
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from service.config import ConfigFile
from service.passes.take_in import FileIntake
from service.store.engine import Database
from service.store.schema import migrate
from tests.support.live import LiveService
from tests.support.wait import wait_until_sync

_MB = 1024 * 1024
_APPENDS = 1_000
_AT_A_TIME = 50
_FILES = 2_000


def rows_of_turn(number: int, *, padding: int, session_id: str = "s") -> Iterator[dict[str, Any]]:
    """A prompt, a tool call with a result of `padding` characters, a closing text and the end marker."""
    stamp = f"2026-03-{1 + number // 1440 % 28:02d}T{number // 60 % 24:02d}:{number % 60:02d}:00.{number % 1000:03d}Z"
    call = [{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "pytest -q"}}]
    result = [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "x" * padding}]
    said = [{"type": "text", "text": f"Turn {number} is done: the totals agree to the cent again."}]
    for kind, content in (
        ("user", f"Please do number {number}"),
        ("assistant", call),
        ("user", result),
        ("assistant", said),
    ):
        message = {"role": kind, "id": f"m{number}", "content": content}
        yield {
            "type": kind,
            "uuid": str(uuid.uuid4()),
            "sessionId": session_id,
            "timestamp": stamp,
            "cwd": "/home/dev/shop",
            "message": message,
        }
    yield {"type": "system", "subtype": "turn_duration", "uuid": str(uuid.uuid4()), "timestamp": stamp}


def write_session(path: Path, *, size: int, turns: int) -> None:
    """A session of about `size` bytes."""
    with path.open("w") as file:
        for number in range(turns):
            for row in rows_of_turn(number, padding=max(0, size // turns - 900), session_id=path.stem):
                file.write(json.dumps(row) + "\n")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


async def appends() -> None:
    """The time of appends to a 50 MB file as a multiple of the time on a 1 MB file, in turns of 50 each."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        await migrate(folder / "db")
        database = Database(folder / "db")
        intake = FileIntake(database, ConfigFile(folder / "config.json"), time.time)
        files = {size: folder / f"{size}.jsonl" for size in (1, 50)}
        for size, path in files.items():
            write_session(path, size=size * _MB, turns=50 * size)
            await intake.take_in(path)
        spent = dict.fromkeys(files, 0.0)
        for start in range(0, _APPENDS, _AT_A_TIME):
            for size, path in files.items():
                spent[size] += await _append(intake, path, range(start, start + _AT_A_TIME))
        await database.close()
    for size, seconds in spent.items():
        _say(f"{size:>3} MB: {seconds:.2f} s for {_APPENDS} appends")
    _say(f"ratio {spent[50] / spent[1]:.2f}")


async def _append(intake: FileIntake, path: Path, numbers: range) -> float:
    spent = 0.0
    for number in numbers:
        row = next(rows_of_turn(100_000 + number, padding=0, session_id=path.stem))
        began = time.perf_counter()
        with path.open("a") as file:
            file.write(json.dumps(row) + "\n")
        look = await intake.take_in(path)
        spent += time.perf_counter() - began
        assert look.taken, "the row was not taken in"
    return spent


def huge() -> None:
    """A file of 200 MB with a row of 50 MB and 5,000 turns, read by the service: its memory, and the session."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        path = _projects(home) / "huge.jsonl"
        write_session(path, size=150 * _MB, turns=4_999)
        content = [{"type": "image", "source": {"data": "PICTURE"}}, {"type": "text", "text": "What is this?"}]
        prompt = {"type": "user", "uuid": "p", "sessionId": "huge", "timestamp": "2026-04-01T00:00:00Z"}
        before, after = json.dumps(prompt | {"message": {"role": "user", "content": content}}).split("PICTURE")
        with path.open("a") as file:
            file.write(before)
            for _ in range(50):
                file.write("A" * _MB)
            file.write(after + "\n")
        began = time.perf_counter()
        with LiveService(Path(name) / "data", home=home, mirror_sources=True) as service:
            wait_until_sync(lambda: service.rows("SELECT user_turns FROM transcripts"), within=120)
            seconds = time.perf_counter() - began
            turns = service.rows("SELECT user_turns FROM transcripts")[0][0]
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        _say(f"{path.stat().st_size / _MB:.0f} MB: {turns} turns in {seconds:.1f} s, at most {most:.0f} MB of memory")


def folder() -> None:
    """2,000 sessions that were there at start: when they are listed, and how fast the service answers meanwhile."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        for number in range(_FILES):
            path = _projects(home) / f"{uuid.uuid4()}.jsonl"
            write_session(path, size=12_000, turns=10)
            written = time.time() - 86_400 - number
            os.utime(path, (written, written))
        began, answers = time.perf_counter(), []
        with LiveService(Path(name) / "data", home=home, mirror_sources=True) as service:
            first = None
            while (listed := service.rows("SELECT count(*) FROM transcripts")[0][0]) < _FILES:
                asked = time.perf_counter()
                service.client.get("/api/chat/slots").raise_for_status()
                answers.append(time.perf_counter() - asked)
                first = first or (time.perf_counter() - began if listed >= 50 else None)
            seconds = time.perf_counter() - began
        _say(f"first 50 after {first or seconds:.1f} s, all {_FILES} after {seconds:.1f} s")
        _say(
            f"lists meanwhile: {sorted(answers)[len(answers) // 2] * 1000:.0f} ms, at most {max(answers) * 1000:.0f} ms"
        )


def _projects(home: Path) -> Path:
    projects = home / ".claude" / "projects" / "-home-dev-shop"
    projects.mkdir(parents=True, exist_ok=True)
    return projects


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["huge"]:
            huge()
        case ["folder"]:
            folder()
        case _:
            asyncio.run(appends())
