"""`config`: reading and changing settings."""

import json
from pathlib import Path

import pytest

from service.cli.settings import in_force
from service.config import KEYS, Config
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


@pytest.mark.parametrize("action", [("get", "nope"), ("set", "nope", "1")])
def test_an_unknown_setting_names_the_known_ones(command: Command, action: tuple[str, ...]) -> None:
    """The sentence lists what can be set."""
    ran = command("config", *action)
    assert (ran.code, ran.out) == (1, "")
    assert "unknown setting 'nope'" in ran.err
    assert "session_summary.enabled" in ran.err


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
