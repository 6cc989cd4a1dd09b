"""`serve`: the service as a process."""

import json
import re
import shlex
import signal
import socket
import subprocess
from pathlib import Path

import httpx2
import pytest

from service.cli.serve import is_loopback
from service.config import set_value
from service.store.folder import DataFolder, FolderLock, find_serving
from tests.cli.conftest import Command, program, run_program
from tests.support.wait import wait_until_sync

EVERYWHERE = "0.0.0.0"  # noqa: S104 - the address that must not be bound without leave
ADDRESS = re.compile(r"(http://[\d.:]+)/#token=(\S+)")


def first_words(process: "subprocess.Popen[str]") -> str:
    """What the process prints until it says where its data lie."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("  data"):
            return "".join(lines)
    raise AssertionError(f"it ended: {''.join(lines)}{process.stderr and process.stderr.read()}")


def test_it_prints_the_address_and_answers_there(folder: DataFolder) -> None:
    """The address carries the token; the block says that summaries are off and how to switch them on."""
    with program("serve", "--port", "0", "--no-sources") as process:
        said = first_words(process)
        found = ADDRESS.search(said)
        assert found is not None
        url, token = found.groups()
        answer = httpx2.get(f"{url}/api/chat/slots", headers={"Authorization": f"Bearer {token}"}, trust_env=False)
        assert answer.json()["slots"] == []
        assert "session-summary config set session_summary.enabled true" in said
        assert "off (--no-sources)" in said
        assert "sessions are stored here, no summary is made or shown" in " ".join(said.split())
        assert max(len(line) for line in said.splitlines() if url not in line and str(folder.path) not in line) <= 80
        serving = find_serving(folder)
        assert serving is not None
        assert (serving.pid, serving.url) == (process.pid, url)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_quietly_when_told(folder: DataFolder, number: signal.Signals) -> None:
    """A signal ends it with exit code 0, without a traceback, and the folder is free again."""
    with program("serve", "--port", "0", "--no-sources", "--log-level", "warning") as process:
        first_words(process)
        process.send_signal(number)
        _, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (0, "")
    assert find_serving(folder) is None


def test_it_ends_quietly_however_often_it_is_told(folder: DataFolder) -> None:
    """Who keeps pressing Ctrl-C until it is gone sees no traceback, and cuts nothing off."""
    with program("serve", "--port", "0", "--no-sources", "--log-level", "info") as process:
        first_words(process)
        wait_until_sync(lambda: has_ended_when_told(process), within=10)
        _, err = process.communicate(timeout=10)
    assert (process.returncode, "Traceback" in err) == (0, False)
    assert err.splitlines()[-1].endswith(f"stopped pid={process.pid}")
    assert find_serving(folder) is None


def has_ended_when_told(process: "subprocess.Popen[str]") -> bool:
    """Presses Ctrl-C, and looks whether that was one time too many."""
    process.send_signal(signal.SIGINT)
    return process.poll() is not None


@pytest.mark.parametrize(
    ("engine", "key", "setting"),
    [
        ("auto", "", "anthropic.base_url http://127.0.0.1:11434"),
        ("auto", "made-up", "engine outline"),
        ("outline", "", "engine auto"),
        ("outline", "made-up", "engine auto"),
    ],
)
def test_each_command_it_shows_can_be_pasted(
    command: Command, folder: DataFolder, tmp_path: Path, engine: str, key: str, setting: str
) -> None:
    """The switch and the way to the other engine each stand unbroken on a line, for the folder that is served."""
    place = DataFolder(tmp_path / "my data")
    set_value(place.config, "engine", engine)
    options = ("--port", "0", "--no-sources", "--data-dir", place.path)
    with program("serve", *options, ANTHROPIC_API_KEY=key) as process:
        said = first_words(process)
    commands = [line.strip() for line in said.splitlines() if "session-summary config" in line]
    prefix = f"session-summary config set --data-dir '{place.path}' "
    assert commands == [f"{prefix}session_summary.enabled true", f"{prefix}{setting}"]
    assert [command(*shlex.split(line)[1:]).code for line in commands] == [0, 0]
    assert json.loads(command("config", "get", "--json", "--data-dir", place.path).out)["session_summary.enabled"]


def test_nobody_else_can_read_what_it_stores(folder: DataFolder) -> None:
    """In a folder that is open to all, an older database too, every file is its owner's alone."""
    folder.path.mkdir(mode=0o755)
    folder.database.touch(mode=0o644)
    with program("config", "set", "session_summary.enabled", "true") as process:
        process.communicate(timeout=10)
    with program("serve", "--port", "0", "--no-sources") as process:
        first_words(process)
        modes = {path.name: path.stat().st_mode & 0o777 for path in folder.path.iterdir()}
    assert modes.keys() >= {"session-summary.db", "session-summary.db-wal", "config.json", "token"}
    assert set(modes.values()) == {0o600}


def test_a_second_one_ends_at_once(folder: DataFolder) -> None:
    """It ends with exit code 5 before it writes anything, and names the first."""
    folder.prepare()
    lock = FolderLock.take(folder)
    lock.announce("http://127.0.0.1:9999")
    ran = run_program("serve", "--port", "0")
    lock.release()
    assert (ran.code, ran.out) == (5, "")
    assert "http://127.0.0.1:9999" in ran.err
    assert len(ran.err.splitlines()) == 1
    assert sorted(path.name for path in folder.path.iterdir()) == ["session-summary.lock"]


def test_a_busy_port(command: Command, folder: DataFolder) -> None:
    """One sentence names the port and the option; the exit code is 1."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = command("serve", "--port", str(taken.getsockname()[1]))
    assert ran.code == 1
    assert "choose another with --port" in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(("host", "local"), [("127.0.0.1", True), ("::1", True), ("localhost", True)])
def test_loopback(host: str, local: bool) -> None:
    """These addresses are this machine's alone."""
    assert is_loopback(host) is local


@pytest.mark.parametrize("host", [EVERYWHERE, "::", "192.0.2.1", "example.org", "127.0.0.1.example.org", ""])
def test_other_addresses_need_to_be_allowed(command: Command, folder: DataFolder, host: str) -> None:
    """Without --allow-remote it does not start, and leaves no folder behind."""
    ran = command("serve", f"--host={host}", "--port", "0")
    assert ran.code == 1
    assert "add --allow-remote" in ran.err
    assert not folder.path.exists()


def test_allowing_remote_needs_names(command: Command, folder: DataFolder) -> None:
    """--allow-remote alone is not enough: the sentence shows how the names are set."""
    ran = command("serve", "--host", EVERYWHERE, "--allow-remote", "--port", "0")
    assert ran.code == 1
    assert "config set allowed_hosts" in ran.err
    assert not folder.path.exists()


def test_remote_with_names_starts(folder: DataFolder) -> None:
    """With both, the service answers by that name and by no other."""
    set_value(folder.config, "allowed_hosts", ["summary.example.org"])
    with program("serve", "--host", EVERYWHERE, "--allow-remote", "--port", "0", "--no-sources") as process:
        found = ADDRESS.search(first_words(process))
        assert found is not None
        statuses = [
            httpx2.get(f"{found[1]}/healthz", headers={"Host": host}, trust_env=False).status_code
            for host in ("summary.example.org", "other.example.org")
        ]
    assert statuses == [200, 421]


def test_settings_may_be_switched_while_it_runs(folder: DataFolder, command: Command) -> None:
    """`config set` reaches a running service by itself."""
    with program("serve", "--port", "0", "--no-sources") as process:
        found = ADDRESS.search(first_words(process))
        assert found is not None
        client = httpx2.Client(base_url=found[1], headers={"Authorization": f"Bearer {found[2]}"}, trust_env=False)
        with client:
            client.put("/api/chat/slots/a", json={})
            assert client.get("/api/chat/slots/a/summary").json()["enabled"] is False
            command("config", "set", "session_summary.enabled", "true")
            wait_until_sync(lambda: client.get("/api/chat/slots/a/summary").json()["enabled"], within=2)


def test_a_missing_settings_file_is_fine(folder: DataFolder, tmp_path: Path) -> None:
    """--config may name a file that does not exist yet; advice names it too."""
    config = tmp_path / "none.json"
    with program("serve", "--port", "0", "--no-sources", "--config", config) as process:
        said = first_words(process)
    assert f"session-summary config set --config {config} session_summary.enabled true" in said
    assert json.loads(folder.lock.read_text() or "{}") is not None
