"""The program as a whole: help, errors and ends."""

import errno
import json
import os
import subprocess

import pytest

from service.store.folder import DataFolder
from tests.cli.conftest import PROGRAM, Command, run_program

COMMANDS = [
    ("serve",),
    ("demo",),
    ("summarize",),
    ("list",),
    ("show",),
    ("open-items",),
    ("usage",),
    ("delete",),
    ("doctor",),
    ("token",),
    ("token", "show"),
    ("token", "create"),
    ("token", "list"),
    ("token", "revoke"),
    ("config",),
    ("config", "path"),
    ("config", "get"),
    ("config", "set"),
]
HEAVY = ("anthropic", "sqlalchemy", "starlette", "uvicorn", "alembic", "httpx2", "rich")


def test_help_imports_nothing_heavy() -> None:
    """`--help` answers at once: neither the model's SDK nor database nor server is loaded for it."""
    script = (
        "import sys, json\nfrom service.cli.app import run\ncode = run(['--help'])\n"
        f"print(json.dumps([code, [name for name in {HEAVY!r} if name in sys.modules]]))"
    )
    done = subprocess.run([PROGRAM[0], "-c", script], capture_output=True, text=True, check=True, timeout=20)
    assert json.loads(done.stdout.splitlines()[-1]) == [0, []]


def test_help_names_every_command(command: Command) -> None:
    """The program's help lists what there is."""
    ran = command("--help")
    assert ran.code == 0
    assert [name[0] for name in COMMANDS if f"  {name[0]} " not in ran.out] == []


@pytest.mark.parametrize("name", COMMANDS, ids=" ".join)
def test_every_command_has_examples(command: Command, name: tuple[str, ...]) -> None:
    """Each command's help shows how it is called."""
    ran = command(*name, "--help")
    assert ran.code == 0
    assert "Examples:\n    session-summary " in ran.out


@pytest.mark.parametrize("name", COMMANDS, ids=" ".join)
def test_help_fits_a_terminal_and_speaks_no_python(command: Command, name: tuple[str, ...]) -> None:
    """No line is cut or too long at 80 columns, and an argument is named as it is typed."""
    out = command(*name, "--help").out
    assert [line for line in out.splitlines() if len(line) > 80] == []
    assert [mark for mark in ("{", "<str>", "list[") if mark in out.replace("'{print", "")] == []


def test_commands_of_a_group_are_told_whole(command: Command) -> None:
    """What a command does is not cut where a group lists it."""
    for group in ("token", "config"):
        assert "..." not in command(group, "--help").out.partition("Commands:")[2]


def test_the_version(command: Command) -> None:
    """`--version` names program and version on one line."""
    ran = command("--version")
    assert (ran.code, ran.out.split()[0]) == (0, "session-summary")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nope",), "No such command 'nope'; see `session-summary --help`"),
        (("list", "--nope"), "No such option: --nope; see `session-summary list --help`"),
        (
            ("list", "--state", "foo"),
            "--state takes needs-you, in-progress, done or dropped, not 'foo'; see `session-summary list --help`",
        ),
        (("serve", "--port", "x"), "--port takes a whole number; see `session-summary serve --help`"),
        (("list", "--limit", "-1"), "--limit takes a whole number from 0 on; see `session-summary list --help`"),
        (("demo", "--port", "99999"), "--port takes a whole number up to 65535; see `session-summary demo --help`"),
        (("show",), "Missing argument 'SLOT'; see `session-summary show --help`"),
    ],
)
def test_a_wrong_call_is_one_sentence(command: Command, arguments: tuple[str, ...], said: str) -> None:
    """What was wrong, and where the right way stands, on one line of stderr."""
    ran = command(*arguments)
    assert (ran.code, ran.out, ran.err) == (2, "", f"session-summary: {said}\n")


def test_a_defect_shows_no_traceback() -> None:
    """An error of the program's own ends in one sentence that does not repeat what the error holds."""
    script = (
        "import service.cli.sessions as sessions\n"
        "def broken(_): raise KeyError('words of a conversation')\n"
        "sessions.data_folder = broken\n"
        "from service.cli import main\nmain()"
    )
    done = subprocess.run([PROGRAM[0], "-c", script, "list"], capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 1
    assert done.stderr.startswith("session-summary: something went wrong inside the program (KeyError at ")
    assert "conversation" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


INTERRUPTING = """
import signal, sys
class Finalized:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            Finalized() if {finalized} else signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from service.cli import main
main()
"""


@pytest.mark.parametrize("finalized", [False, True], ids=["running", "finalizing"])
@pytest.mark.parametrize("name", ["typer", "service.config", "service.cli.sessions", "service.domain.redact_rules"])
def test_ctrl_c_while_the_program_loads(folder: DataFolder, name: str, finalized: bool) -> None:
    """Whatever is being imported, and wherever in it the signal comes: exit code 130, and no traceback."""
    script = INTERRUPTING.format(name=name, finalized=finalized)
    done = subprocess.run([PROGRAM[0], "-c", script, "list"], capture_output=True, text=True, check=False, timeout=20)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_error_of_the_system_is_one_sentence(command: Command, folder: DataFolder) -> None:
    """A data folder that is a file is said in words."""
    folder.path.write_text("a file")
    ran = command("token", "show")
    assert ran.code == 1
    assert ran.err.startswith(f"session-summary: the data folder {folder.path} cannot be made")
    assert len(ran.err.splitlines()) == 1


def test_a_closed_pipe_ends_quietly(folder: DataFolder) -> None:
    """`session-summary config get | true` says nothing on stderr."""
    line = f"{PROGRAM[0]} -c '{PROGRAM[2]}' config get | true"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=20)
    assert done.stderr == ""


def test_output_for_pipes_has_no_colour(folder: DataFolder) -> None:
    """Nothing but text and line ends reaches a pipe, whatever the environment says of colours."""
    ran = run_program("--help", FORCE_COLOR="1", TERM="xterm-256color")
    assert "\x1b" not in ran.out + ran.err


def test_a_full_disk_behind_stdout_is_said() -> None:
    """Output that cannot be written is an error, not a success."""
    line = f"{PROGRAM[0]} -c '{PROGRAM[2]}' config get > /dev/full"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=20)
    assert (done.returncode, done.stderr) == (1, f"session-summary: the system said: {os.strerror(errno.ENOSPC)}\n")
