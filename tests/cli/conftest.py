"""Running commands: in this process where that shows the same, in one of their own where signals and imports count."""

import os
import pty
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from service.cli.app import run
from service.config import set_value
from service.store.folder import DataFolder

PROGRAM = (sys.executable, "-c", "from service.cli import main; main()")


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataFolder:
    """The data folder that commands use by themselves; home and environment are the test's own."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SESSION_SUMMARY_HOME", str(tmp_path / "data"))
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return DataFolder(tmp_path / "data")


@pytest.fixture
def command(folder: DataFolder, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs one command in this process, on the test's own folder."""

    def ran(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return ran


@pytest.fixture
def switched_on(folder: DataFolder) -> DataFolder:
    """The folder with the feature on and the engine that needs no model."""
    set_value(folder.config, "session_summary.enabled", True)
    set_value(folder.config, "engine", "outline")
    return folder


def run_program(*arguments: str | Path, timeout: float = 20, **environ: str) -> Ran:
    """Runs one command in a process of its own."""
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, **environ},
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def at_terminal(*arguments: str | Path, typed: str = "", columns: int = 80, **environ: str) -> Ran:
    """Runs one command at a terminal, where both its streams end; what is typed lies ready before it asks."""
    person, program_end = pty.openpty()
    termios.tcsetwinsize(program_end, (24, columns))
    os.write(person, typed.encode())
    done = subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdin=program_end,
        stdout=program_end,
        stderr=program_end,
        env={**os.environ, "TERM": "xterm-256color", **environ},
    )
    os.close(program_end)
    shown = b"".join(iter(lambda: _read(person), b""))
    os.close(person)
    return Ran(done.wait(timeout=20), shown.decode().replace("\r\n", "\n"), "")


def _read(terminal: int) -> bytes:
    """What has come; nothing once the program has closed its end."""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""


@contextmanager
def program(*arguments: str | Path, **environ: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that goes on until it is told to end; killed where the test forgets to."""
    with subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environ},
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
