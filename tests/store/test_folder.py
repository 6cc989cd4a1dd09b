"""The data folder: its token, its lock, and what becomes of a database that cannot be read."""

import logging
import os
import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from service.store.engine import Database
from service.store.folder import DataFolder, FolderError, FolderInUseError, FolderLock, find_serving
from service.store.schema import open_for_serving
from tests.support.stored import open_slot, said

NOW = 1_760_000_000.25


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """A folder that is ready for use."""
    found = DataFolder(tmp_path / "data")
    found.prepare()
    return found


def test_the_token_is_the_owners_alone(folder: DataFolder) -> None:
    """The token is made once, with at least 128 bits, and nobody else may read its file or the folder."""
    token = folder.dashboard_token()
    assert len(token) >= 22
    assert folder.dashboard_token() == token
    assert stat.S_IMODE(folder.token.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    folder.token.chmod(0o644)
    assert folder.dashboard_token() == token
    assert stat.S_IMODE(folder.token.stat().st_mode) == 0o600


@pytest.mark.parametrize("left", ["", "\n", "  \t\n"])
def test_a_blank_token_file_gets_a_token(folder: DataFolder, left: str) -> None:
    """What a full disk or an editor left behind is replaced once; from then on the token is what the file says."""
    folder.token.write_text(left)
    folder.token.chmod(0o644)
    token = folder.dashboard_token()
    assert folder.dashboard_token() == folder.token.read_text().strip() == token
    assert stat.S_IMODE(folder.token.stat().st_mode) == 0o600
    assert [path.name for path in folder.path.iterdir()] == ["token"]


@pytest.mark.parametrize("left", [None, ""])
def test_all_who_start_at_once_have_one_token(folder: DataFolder, left: str | None) -> None:
    """Of many that find no token, or a blank file, one makes it for all."""
    if left is not None:
        folder.token.write_text(left)
    together = threading.Barrier(12)

    def ask(_: int) -> str:
        together.wait(timeout=5)
        return folder.dashboard_token()

    with ThreadPoolExecutor(12) as pool:
        assert set(pool.map(ask, range(12))) == {folder.token.read_text().strip()}


@pytest.mark.parametrize("left", ["two words\n", "one\ntwo\n", "töken\n", "\x1b[31m\n"])
def test_a_file_that_holds_no_token_is_said_to(folder: DataFolder, left: str) -> None:
    """It could not stand in a header; nothing is sent or printed, and the file stays for its owner to look at."""
    folder.token.write_text(left)
    with pytest.raises(FolderError, match="holds no token; remove it"):
        folder.dashboard_token()
    assert folder.token.read_text() == left


def test_a_folder_has_one_holder_at_a_time(folder: DataFolder) -> None:
    """A second one is told who the first is; once that has let go, the folder is free."""
    lock = FolderLock.take(folder)
    with pytest.raises(FolderInUseError, match=f"process {os.getpid()};"):
        FolderLock.take(folder)
    lock.announce("http://127.0.0.1:1")
    with pytest.raises(FolderInUseError, match=r"at http://127\.0\.0\.1:1;"):
        FolderLock.take(folder)
    found = find_serving(folder)
    assert found is not None
    assert found.url == "http://127.0.0.1:1"
    lock.release()
    lock.release()
    assert find_serving(folder) is None
    FolderLock.take(folder).release()


async def _sessions(folder: DataFolder, *keys: str) -> list[str]:
    """Opens these sessions and gives back all there are."""
    db = Database(folder.database)
    for key in keys:
        await open_slot(db, key, said("Sort the imports " * 200))
    found = list(await db.read(lambda r: r.scalars(sa.text("SELECT key FROM slots ORDER BY key"))))
    await db.close()
    return found


def _overwrite_the_head(database: Path) -> None:
    with database.open("r+b") as file:
        file.write(b"not a database at all")


def _overwrite_the_middle(database: Path) -> None:
    with database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (database.stat().st_size - 8192))


def _cut_off(database: Path) -> None:
    os.truncate(database, database.stat().st_size // 2 - 100)


@pytest.mark.parametrize("damage", [_overwrite_the_head, _overwrite_the_middle, _cut_off])
async def test_a_database_that_cannot_be_read_is_moved_aside(
    folder: DataFolder, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    """The service starts on a new file; the old one is kept byte for byte, found again, and named in the log."""
    await open_for_serving(folder, NOW)
    await _sessions(folder, "old", "older")
    damage(folder.database)
    kept = folder.database.read_bytes()
    with caplog.at_level(logging.ERROR, "service"):
        await open_for_serving(folder, NOW)
    (aside,) = folder.set_aside()
    assert aside.read_bytes() == kept
    assert aside.name in caplog.text
    assert await _sessions(folder, "new") == ["new"]


def test_each_damaged_database_keeps_a_name_of_its_own(folder: DataFolder) -> None:
    """A second mishap does not take the place of the first; with log and index three files move together."""
    for at in (NOW, NOW + 0.001):
        for suffix in ("", "-wal", "-shm"):
            Path(f"{folder.database}{suffix}").write_bytes(b"no database")
        moved = folder.set_database_aside(at)
        assert sorted(file.name.partition(".db")[2] for file in moved) == ["", "-shm", "-wal"]
    assert len(folder.set_aside()) == 2
    assert not folder.database.exists()


async def test_a_sound_database_stays(folder: DataFolder) -> None:
    """Starting again changes nothing, and nothing is set aside."""
    await open_for_serving(folder, NOW)
    await _sessions(folder, "s")
    await open_for_serving(folder, NOW)
    assert await _sessions(folder) == ["s"]
    assert folder.set_aside() == []


async def test_a_file_that_cannot_be_opened_is_left_alone(folder: DataFolder) -> None:
    """A file that cannot be opened for another reason is not taken for a damaged one."""
    folder.database.mkdir()
    with pytest.raises(sa.exc.OperationalError):
        await open_for_serving(folder, NOW)
    assert folder.set_aside() == []
