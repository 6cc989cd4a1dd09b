"""Turns that end in agents' files: by the file's word, by the clock, or by a host's."""

import os
from collections.abc import Iterator
from pathlib import Path
from time import time

import pytest

from service.config import set_value
from tests.passes.seen import listed, outcomes, two_turns
from tests.support.claude_files import ClaudeFile
from tests.support.live import LiveService
from tests.support.model_server import ModelServer
from tests.support.wait import wait_until_sync


class Clock:
    """The service's clock, which a test can put forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time() + self.ahead


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(tmp_path: Path, home: Path, model_server: ModelServer, clock: Clock) -> LiveService:
    """The following service on a clock of the test's, not started yet."""
    return on_clock(tmp_path / "data", home, model_server, clock)


@pytest.fixture
def again(tmp_path: Path, home: Path, model_server: ModelServer, clock: Clock) -> LiveService:
    """The same service once more, for a restart."""
    return on_clock(tmp_path / "data", home, model_server, clock)


def on_clock(folder: Path, home: Path, model_server: ModelServer, clock: Clock) -> LiveService:
    set_value(folder / "config.json", "session_summary.enabled", True)
    set_value(folder / "config.json", "engine", "anthropic")
    environ = {"ANTHROPIC_BASE_URL": model_server.url, "ANTHROPIC_API_KEY": "made-up-key"}
    return LiveService(folder, environ=environ, home=home, mirror_sources=True, now=clock)


@pytest.fixture
def started(timed: LiveService) -> Iterator[LiveService]:
    """The same, started."""
    with timed as live:
        yield live


def answered(file: ClaudeFile) -> None:
    """A complete turn, and one that has its closing text but no end marker."""
    file.prompt("Sort the imports")
    file.reply("Done.")
    file.end()
    file.prompt("Now the exports")
    file.reply("Done.")


def is_running(service: LiveService, file: ClaudeFile) -> bool | None:
    running: bool | None = listed(service).get(file.key, {}).get("running")
    return running


def test_a_turn_without_an_end_marker_ends_by_the_clock(started: LiveService, home: Path, clock: Clock) -> None:
    """Two minutes after the closing text the turn is over and gets its summary."""
    file = ClaudeFile(home)
    answered(file)
    wait_until_sync(lambda: is_running(started, file), within=5)
    clock.ahead = 121
    wait_until_sync(lambda: started.summary(file.key).get("user_turns") == 2, within=5)
    assert is_running(started, file) is False


def test_a_turn_with_an_open_tool_call_is_waited_for(started: LiveService, home: Path, clock: Clock) -> None:
    """While a tool runs, two quiet minutes end nothing; half an hour does, and makes no summary."""
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: outcomes(started) == ["stored"], within=5)
    file.prompt("And the docs")
    file.open_call("make docs")
    wait_until_sync(lambda: is_running(started, file), within=5)
    clock.ahead = 300
    file.title("Docs")
    wait_until_sync(lambda: listed(started)[file.key]["title"] == "Docs", within=5)
    assert is_running(started, file)
    clock.ahead = 2200
    wait_until_sync(lambda: not is_running(started, file), within=5)
    wait_until_sync(lambda: outcomes(started) == ["skipped", "stored"], within=5)


def test_a_turn_that_was_there_at_start_asks_no_model(
    timed: LiveService, home: Path, clock: Clock, model_server: ModelServer
) -> None:
    """A closing text that was written before the service began ends by the clock, and nothing is spent on it."""
    file = ClaudeFile(home, at="now")
    answered(file)
    with timed as service:
        wait_until_sync(lambda: is_running(service, file), within=5)
        clock.ahead = 121
        wait_until_sync(lambda: is_running(service, file) is False, within=5)
    assert model_server.requests == []


@pytest.mark.parametrize("ahead", [0, 200])
def test_a_turn_that_ended_while_nothing_ran_has_an_end(
    timed: LiveService, again: LiveService, home: Path, clock: Clock, ahead: int
) -> None:
    """A closing text without a marker, and the service stopped before it was quiet for long enough: the clock tells."""
    file = ClaudeFile(home, at="now")
    with timed as service:
        wait_until_sync(lambda: service.client.get("/api/sources").json()["looked_at"], within=5)
        answered(file)
        wait_until_sync(lambda: is_running(service, file), within=5)
    clock.ahead = ahead
    with again as service:
        clock.ahead = 200
        ended = [(0, "end_turn")]
        wait_until_sync(lambda: service.rows("SELECT running, last_stop_reason FROM slots") == ended, within=5)


def test_a_call_that_never_ended_was_interrupted(timed: LiveService, home: Path) -> None:
    """A file that ends with a tool call is one whose turn was cut, and the reason says so."""
    file = ClaudeFile(home)
    file.prompt("Sort the imports")
    file.open_call("pytest")
    os.utime(file.path, (0, 0))
    with timed as service:
        wait_until_sync(lambda: service.rows("SELECT last_stop_reason FROM slots") == [("interrupted",)], within=5)


def test_a_late_title_starts_no_turn(started: LiveService, home: Path, clock: Clock) -> None:
    """A row without a time that comes days after the last reply leaves the session at rest."""
    file = ClaudeFile(home)
    answered(file)
    wait_until_sync(lambda: is_running(started, file), within=5)
    clock.ahead = 121
    wait_until_sync(lambda: is_running(started, file) is False, within=5)
    file.title("Import order")
    wait_until_sync(lambda: listed(started)[file.key]["title"] == "Import order", within=5)
    assert is_running(started, file) is False


def test_an_interrupted_turn_gets_no_summary(started: LiveService, home: Path, model_server: ModelServer) -> None:
    """What the person stopped is no clean end; the ledger says so."""
    file = ClaudeFile(home)
    with file.at_once():
        answered(file)
        file.prompt("[Request interrupted by user]")
    wait_until_sync(lambda: outcomes(started) == ["skipped"], within=5)
    reason = started.client.get("/api/usage").json()["passes"][0]["reason"]
    assert (reason, model_server.requests) == ("stop_reason:interrupted", [])


def test_a_hook_that_tells_of_a_turns_end_brings_the_summary_at_once(
    started: LiveService, home: Path, model_server: ModelServer
) -> None:
    """The closing text is read from the file, nobody waits two minutes for a marker, and one model call is made."""
    file = ClaudeFile(home)
    answered(file)
    wait_until_sync(lambda: is_running(started, file), within=5)
    started.client.post(started.path(file.key, "turn", "end"), json={"stop_reason": "end_turn"}).raise_for_status()
    wait_until_sync(lambda: started.summary(file.key).get("user_turns") == 2, within=5)
    file.end()
    file.title("Import order")
    wait_until_sync(lambda: listed(started)[file.key]["title"] == "Import order", within=5)
    # The hook and the file may both tell of the end; the one that comes second is skipped.
    assert (outcomes(started).count("stored"), len(model_server.requests)) == (1, 1)


def test_a_hook_that_is_faster_than_the_watcher_is_believed(started: LiveService, home: Path) -> None:
    """A reply that was written in the same moment as the hook called is part of the summary."""
    file = ClaudeFile(home)
    two_turns(file)
    wait_until_sync(lambda: outcomes(started) == ["stored"], within=5)
    file.prompt("And the docs")
    wait_until_sync(lambda: is_running(started, file), within=5)
    file.reply("Done.")
    started.client.post(started.path(file.key, "turn", "end"), json={"stop_reason": "end_turn"}).raise_for_status()
    wait_until_sync(lambda: started.summary(file.key).get("user_turns") == 3, within=5)
