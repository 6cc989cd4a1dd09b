"""config.json: never a reason not to start, followed while running, written without loss."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.config import (
    Config,
    ConfigError,
    ConfigFile,
    model_is_configured,
    read_config,
    read_value,
    set_value,
)
from service.setting_keys import KEYS
from tests.support.live import LiveService


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'"on"',
        b"\xff\xfe",
        b"null",
        b'{"session_summary": "on"}',
        b'{"session_summary": {"enabled": 1}}',
        b'{"a":' * 100_000,
        b" " * (2 << 20),
    ],
)
def test_a_malformed_file_is_the_defaults_and_a_warning(tmp_path: Path, content: bytes) -> None:
    """Nothing in the file can keep the service from starting or switch the feature on."""
    path = tmp_path / "config.json"
    path.write_bytes(content)
    config = read_config(path)
    assert config.enabled is False
    assert config.section.min_user_turns == 2
    assert config.warnings


def test_no_file_is_no_warning(tmp_path: Path) -> None:
    """A fresh installation has nothing to complain about."""
    assert read_config(tmp_path / "config.json") == Config()


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    """An editor's mark at the head of the file does no harm."""
    (tmp_path / "config.json").write_bytes(b"\xef\xbb\xbf" + b'{"session_summary": {"enabled": true}}')
    assert read_config(tmp_path / "config.json").enabled is True


NAMES = [*KEYS, "session_summary", "models", "anthropic", "sources"]
LEAVES = st.none() | st.booleans() | st.integers() | st.text()


@given(st.recursive(LEAVES, lambda inner: st.dictionaries(st.sampled_from(NAMES), inner)))
def test_no_json_breaks_it(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    """Any JSON at all is read as far as it makes sense."""
    path = tmp_path_factory.mktemp("config") / "config.json"
    path.write_text(json.dumps(value))
    config = read_config(path)
    assert 1 <= config.max_passes <= 64
    assert 1 <= config.pass_deadline_seconds <= 900


def test_a_change_is_seen_at_the_next_look(tmp_path: Path) -> None:
    """No restart, no waiting: the next look at the settings sees the file as it is."""
    config = ConfigFile(tmp_path / "config.json")
    assert config.current().enabled is False
    set_value(config.path, "session_summary.enabled", True)
    assert config.current().enabled is True
    config.path.unlink()
    assert config.current().enabled is False


def test_setting_a_value_keeps_all_others(tmp_path: Path) -> None:
    """What a later release wrote, or a person, stays in the file."""
    path = tmp_path / "config.json"
    path.write_text('{"other": {"x": 1}, "session_summary": {"max_intents": 7, "later": true}}')
    set_value(path, "session_summary.enabled", True)
    assert json.loads(path.read_text()) == {
        "other": {"x": 1},
        "session_summary": {"max_intents": 7, "later": True, "enabled": True},
    }
    assert read_value(path, "session_summary.max_intents") == 7


@pytest.mark.parametrize(
    ("key", "value"), [("unknown", 1), ("session_summary.enabled", "yes"), ("max_passes", 0), ("engine", "magic")]
)
def test_a_value_that_would_not_be_taken_is_not_written(tmp_path: Path, key: str, value: object) -> None:
    """The person is told at once, and the file stays as it is."""
    with pytest.raises(ConfigError):
        set_value(tmp_path / "config.json", key, value)
    assert not (tmp_path / "config.json").exists()


def test_an_address_that_is_none_is_kept_and_said(tmp_path: Path) -> None:
    """What was meant for a server of one's own never goes to another instead."""
    path = tmp_path / "config.json"
    path.write_text('{"anthropic": {"base_url": "127.0.0.1:11434"}}')
    config = read_config(path)
    assert config.base_url == "127.0.0.1:11434"
    assert config.warnings[0].startswith("anthropic.base_url: ")


def test_keys_that_no_setting_has_are_told_in_bounds(tmp_path: Path) -> None:
    """A file full of strangers is no flood of warnings."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps({f"x{n}": n for n in range(500)} | {"\ud800" * 10_000: 1}))
    assert len(read_config(path).warnings) == 11


def test_a_broken_file_is_not_overwritten(tmp_path: Path) -> None:
    """Half an hour of hand-written settings is not lost to one command."""
    path = tmp_path / "config.json"
    path.write_text('{"session_summary": {')
    with pytest.raises(ConfigError):
        set_value(path, "session_summary.enabled", True)
    assert path.read_text() == '{"session_summary": {'


def test_a_model_counts_as_configured_by_key_or_address() -> None:
    """A key or base URL in the environment, or a base URL in the file."""
    assert not model_is_configured(Config(), {})
    assert model_is_configured(Config(), {"ANTHROPIC_API_KEY": "k"})
    assert model_is_configured(Config(), {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"})
    assert model_is_configured(Config(base_url="http://127.0.0.1:1"), {})


def test_switching_off_stops_serving_at_once(service: LiveService) -> None:
    """The very next read after the switch serves nothing derived."""
    service.put("s")
    assert service.summary("s")["enabled"] is True
    service.set("session_summary.enabled", False)
    assert service.summary("s")["enabled"] is False


def test_blank_names_and_prices_without_amounts_are_left_out(tmp_path: Path) -> None:
    """A blank host would admit anybody, and a price without amounts would price nothing: both are named."""
    path = tmp_path / "config.json"
    path.write_text('{"allowed_hosts": ["", " a.example "], "prices": {"as_of": "2026-12-01", "m": {"input": "x"}}}')
    config = read_config(path)
    assert config.allowed_hosts == ("a.example",)
    assert config.prices == {"as_of": "2026-12-01"}
    assert [warning.partition(":")[0] for warning in config.warnings] == ["allowed_hosts", "prices"]
