"""Where the data lie."""

from pathlib import Path

import pytest

from service.cli.ending import CommandError
from service.cli.place import config_path, data_folder, default_folder, repeated_options
from service.store.folder import DataFolder

HOME = Path("/home/dev")


def at_home() -> Path:
    return HOME


@pytest.mark.parametrize(
    ("environ", "platform", "expected"),
    [
        ({}, "linux", "/home/dev/.local/share/session-summary"),
        ({"XDG_DATA_HOME": "/data"}, "linux", "/data/session-summary"),
        ({"XDG_DATA_HOME": "relative"}, "linux", "/home/dev/.local/share/session-summary"),
        ({"XDG_DATA_HOME": ""}, "linux", "/home/dev/.local/share/session-summary"),
        ({}, "darwin", "/home/dev/Library/Application Support/session-summary"),
        ({"SESSION_SUMMARY_HOME": "/own", "XDG_DATA_HOME": "/data"}, "linux", "/own"),
    ],
)
def test_the_default_folder(environ: dict[str, str], platform: str, expected: str) -> None:
    """The environment's folder, else the one where the platform keeps a program's data."""
    assert default_folder(environ, platform, at_home) == Path(expected)


def test_the_option_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--data-dir outweighs the environment."""
    monkeypatch.setenv("SESSION_SUMMARY_HOME", "/elsewhere")
    assert data_folder(tmp_path).path == tmp_path


def test_without_a_home_folder_the_option_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that names no home folder gets a sentence that names --data-dir."""

    def no_home() -> Path:
        raise RuntimeError

    monkeypatch.delenv("SESSION_SUMMARY_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with pytest.raises(CommandError, match="--data-dir"):
        data_folder(None)


def test_settings_lie_in_the_data_folder_unless_said_otherwise(tmp_path: Path) -> None:
    """config.json beside the database, or the file that --config names."""
    assert config_path(DataFolder(tmp_path), None) == tmp_path / "config.json"
    assert config_path(DataFolder(tmp_path), Path("/etc/summary.json")) == Path("/etc/summary.json")


def test_advice_repeats_the_options_that_were_given() -> None:
    """What is to be copied and run reaches the same folder, blanks and all."""
    assert repeated_options(Path("/my data"), Path("/c.json")) == " --data-dir '/my data' --config /c.json"
    assert repeated_options(None) == ""
