"""What is there of the agents' folders, whatever they hold and whoever may look into them."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.sources.presence import is_folder, is_gone, is_storable, matching, shown

TOO_LONG = "x" * 300


def found(root: Path, pattern: str) -> tuple[set[Path], dict[Path, str]]:
    closed: dict[Path, str] = {}
    return set(matching(root, pattern, closed.__setitem__)), closed


@pytest.mark.parametrize("pattern", ["a.jsonl", "*.jsonl", "*/*.jsonl", "*/chats/session-*.json", "none/*/*"])
def test_patterns_find_what_globbing_finds(tmp_path: Path, pattern: str) -> None:
    """Files, folders, hidden ones and links, each level by its own part of the pattern."""
    (tmp_path / "shop" / "chats").mkdir(parents=True)
    for name in ("a.jsonl", ".b.jsonl", "shop/c.jsonl", "shop/chats/session-1.json", "shop/chats/other.json"):
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to(tmp_path / "shop")
    assert found(tmp_path, pattern) == (set(tmp_path.glob(pattern)), {})


def test_an_entry_that_cannot_be_looked_into_hides_no_other(tmp_path: Path) -> None:
    """A link in a circle is told, and the sessions beside it are found."""
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.jsonl").touch()
    files, closed = found(tmp_path, "*/*.jsonl")
    assert files == {tmp_path / "shop" / "a.jsonl"}
    assert closed.keys() == {tmp_path / "circle"}


@pytest.mark.parametrize("pattern", ["sessions/*.jsonl", "*.jsonl", "data.sqlite3"])
def test_a_root_that_the_system_refuses_is_told(tmp_path: Path, pattern: str) -> None:
    """No error, no file, and the system's own words."""
    files, closed = found(tmp_path / TOO_LONG, pattern)
    assert (files, closed) == (set(), {tmp_path / TOO_LONG: "File name too long"})


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_a_folder_of_somebody_else_is_neither_there_nor_gone(tmp_path: Path) -> None:
    """What was read from it stands, and nothing is looked for in it."""
    (tmp_path / "closed" / "sessions").mkdir(parents=True)
    (tmp_path / "closed").chmod(0)
    try:
        assert is_folder(tmp_path / "closed" / "sessions") is False
        assert is_gone(tmp_path / "closed" / "sessions") is False
        assert found(tmp_path / "closed", "sessions/*.jsonl")[1] == {tmp_path / "closed": "Permission denied"}
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_only_what_is_known_to_be_missing_is_gone(tmp_path: Path) -> None:
    """A name that the system refuses tells nothing of what lies there."""
    (tmp_path / "file").touch()
    gone = {path: is_gone(tmp_path / path) for path in ("file", "none", "file/below", TOO_LONG, "nul\0")}
    assert gone == {"file": False, "none": True, "file/below": True, TOO_LONG: False, "nul\0": False}


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_path_can_be_shown(name: str) -> None:
    """A name that is no text is spelled out, and one that is stays as it is."""
    path = Path("/made-up") / name.replace("\0", "")
    assert shown(path).encode().decode() == shown(path)
    assert not is_storable(path) or shown(path) == str(path)
