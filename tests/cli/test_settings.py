"""`config`: reading and changing settings."""

import json
import shlex
from pathlib import Path

import pytest

from service.cli.settings import in_force
from service.config import Config
from service.domain.lines import visible
from service.setting_keys import KEYS
from service.store.folder import DataFolder
from tests.cli.conftest import Command


def test_the_path_of_the_settings(command: Command, folder: DataFolder) -> None:
    """It is printed whether or not the file exists."""
    assert command("config", "path").out == f"{folder.config}\n"
    assert command("config", "path", "--config", "/etc/s.json").out == "/etc/s.json\n"


def test_every_known_setting_is_shown(command: Command) -> None:
    """All settings are listed with the value in force."""
    shown = json.loads(command("config", "get", "--json").out)
    assert set(shown) == set(KEYS)
    assert shown == in_force(Config())


def test_a_setting_is_changed_and_read_back(command: Command, folder: DataFolder) -> None:
    """`set` takes JSON, `get` shows it, and a folder made for it is its owner's alone."""
    assert command("config", "set", "session_summary.enabled", "true").code == 0
    assert command("config", "get", "session_summary.enabled").out == "true\n"
    assert folder.path.stat().st_mode & 0o777 == 0o700


def test_a_value_that_is_no_json_is_text(command: Command) -> None:
    """A model's name needs no quotes."""
    command("config", "set", "models.background", "my-model")
    assert command("config", "get", "models.background").out == "my-model\n"


@pytest.mark.parametrize("value", ["yes", "1", '"true"', "NaN"])
def test_what_a_setting_cannot_take_is_refused(command: Command, folder: DataFolder, value: str) -> None:
    """Nothing but a real boolean switches the feature on, and nothing is written."""
    ran = command("config", "set", "session_summary.enabled", value)
    assert ran.code == 1
    assert "nothing was written" in ran.err
    assert not folder.config.exists()


def test_an_unknown_agent_is_answered_with_those_that_are_known(command: Command) -> None:
    """Who misspells an agent reads how it is spelled."""
    ran = command("config", "set", "sources.agents", '["claude"]')
    assert ran.code == 1
    assert all(agent in ran.err for agent in ("claude-code", "codex", "aider"))


@pytest.mark.parametrize("action", [("get", "nope"), ("set", "nope", "1")])
def test_an_unknown_setting_says_where_the_known_ones_are(command: Command, action: tuple[str, ...]) -> None:
    """The sentence names the key, and the command that lists all."""
    ran = command("config", *action)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "session-summary: there is no setting 'nope'; `session-summary config get` lists all\n"


@pytest.mark.parametrize("action", [("get", "enabeld"), ("set", "enabled", "true")])
def test_a_slip_in_a_key_is_answered_with_the_right_one(command: Command, action: tuple[str, ...]) -> None:
    """Who forgets the section or swaps two letters reads which setting was meant."""
    assert "did you mean session_summary.enabled?" in command("config", *action).err


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("session_summary.max_intents", "0", "takes a whole number of at least 1, for example: "),
        ("max_passes", "0", "takes a whole number from 1 to 64, for example: "),
        ("engine", "magic", "takes auto, anthropic or outline, for example: "),
        ("anthropic.base_url", "notaurl", "takes an http or https address, for example: "),
        ("prices", "3", "takes dollars per million tokens, by model, for example: "),
    ],
)
def test_a_refused_value_says_what_is_allowed(command: Command, key: str, value: str, says: str) -> None:
    """The sentence names the bounds and ends in a command that works as it stands."""
    said = command("config", "set", key, value).err
    assert f"session-summary: nothing was written: {key} {says}" in said
    example = shlex.split(said.partition("for example: ")[2])
    assert command(*example[1:]).code == 0


def test_a_misspelt_key_in_the_file_is_said(command: Command, folder: DataFolder) -> None:
    """A setting that counts for nothing because of a slip is named, with the key that was meant."""
    folder.prepare()
    folder.config.write_text('{"session_summary": {"max_intent": 5}, "max_pases": 3}')
    said = command("config", "get").err
    assert "session_summary.max_intent: no such setting; did you mean session_summary.max_intents?" in said
    assert "max_pases: no such setting; did you mean max_passes?" in said


def test_no_setting_acts_on_the_terminal(command: Command, folder: DataFolder) -> None:
    """Whatever stands in the file is shown so that it can be seen; --json says exactly what it is."""
    hostile = "m\x1b[31mo\u202ed\x9bel\x07\u2028"
    folder.prepare()
    values = {
        "models": {"background": hostile},
        "anthropic": {"base_url": f"http://{hostile}"},
        "allowed_hosts": [hostile],
        "prices": {hostile: {"input": 1, "output": 1}},
        "sources": {"include": [hostile]},
        hostile: 1,
    }
    folder.config.write_text(json.dumps(values))
    for arguments in ((), *((key,) for key in KEYS)):
        ran = command("config", "get", *arguments)
        assert ran.code == 0
        assert [char for char in ran.out + ran.err if char != "\n" and visible(char) != char] == []
    assert json.loads(command("config", "get", "--json").out)["allowed_hosts"] == [hostile.strip()]
    assert command("config", "get", "models.background").out == "m\ufffd[31mo\ufffdd\ufffdel\ufffd\n"


def test_settings_of_another_file(command: Command, tmp_path: Path, folder: DataFolder) -> None:
    """--config names the file that is read and written, and no other is."""
    other = tmp_path / "other.json"
    command("config", "set", "max_passes", "3", "--config", other)
    assert json.loads(other.read_text()) == {"max_passes": 3}
    assert not folder.config.exists()


def test_what_was_not_taken_as_written_is_said(command: Command, folder: DataFolder) -> None:
    """A clamped setting is shown as it counts, with the warning on stderr."""
    folder.prepare()
    folder.config.write_text('{"max_passes": 999}')
    ran = command("config", "get", "max_passes")
    assert ran.out == "64\n"
    assert ran.err == "warning: max_passes: 999 is above 64; using 64\n"
