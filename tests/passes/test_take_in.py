"""Which sessions of a file are taken in, by the choice that is in force at each moment."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from service.config import ConfigFile, set_value
from service.domain.source_filter import UNUSABLE, SourceFilter
from service.passes.take_in import FileIntake
from service.store.engine import Database
from tests.support.claude_files import ClaudeFile
from tests.support.stored import state_of

SHOP = SourceFilter(include=("/home/dev/shop",))
ELSEWHERE = SourceFilter(include=("/srv/*",))


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """A configuration file that is not there yet."""
    return tmp_path / "config.json"


@pytest.fixture
def file(tmp_path: Path) -> ClaudeFile:
    """A session in /home/dev/shop."""
    file = ClaudeFile(tmp_path / "home")
    file.prompt("Sort the imports")
    return file


def intake_of(db: Database, settings: Path, purge_soon: Callable[[], None] = lambda: None) -> FileIntake:
    return FileIntake(db, ConfigFile(settings), time.time, purge_soon)


def write(settings: Path, words: str) -> None:
    """What a person may write with an editor."""
    settings.write_text(words)


async def stored_keys(db: Database) -> set[str]:
    return set(await db.read(lambda r: r.scalars(text("SELECT key FROM transcripts"))))


async def test_a_choice_that_cannot_be_read_leaves_the_last_one(db: Database, settings: Path, file: ClaudeFile) -> None:
    """What was let in is still let in, and stays; what was kept out is kept out."""
    intake = intake_of(db, settings)
    await intake.choose(SHOP)
    await intake.take_in(file.path)
    await intake.choose(UNUSABLE)
    assert intake.chosen == SHOP
    secret = ClaudeFile(file.home, "secret")
    secret.prompt("Sort the secrets", cwd="/srv/secret")
    file.prompt("And the tests")
    for path in (secret.path, file.path):
        await intake.take_in(path)
    assert await stored_keys(db) == {file.key}
    assert (await state_of(db, file.key)).user_turns == 2


async def test_without_following_the_settings_count_at_each_look(
    db: Database, settings: Path, file: ClaudeFile
) -> None:
    """A session that is asked for is judged by what they say then, or said before they were torn."""
    intake = intake_of(db, settings)
    set_value(settings, "sources.exclude", ["/home/dev/*"])
    assert intake.chosen.allows("/home/dev/shop") is False
    write(settings, "{")
    await intake.take_in(file.path)
    assert await stored_keys(db) == set()
    write(settings, "{}")
    await intake.take_in(file.path)
    assert await stored_keys(db) == {file.key}


async def test_what_a_look_stored_while_the_choice_changed_goes(db: Database, settings: Path, file: ClaudeFile) -> None:
    """The next look at everything removes it, and has its words purged."""
    purges: list[None] = []
    intake = intake_of(db, settings, lambda: purges.append(None))
    await intake.take_in(file.path)
    await intake.clear_left_out()
    assert (await stored_keys(db), purges) == ({file.key}, [])
    set_value(settings, "sources.include", list(ELSEWHERE.include))
    await intake.clear_left_out()
    assert (await stored_keys(db), purges) == (set(), [None])


async def test_an_unreadable_choice_at_start_lets_nothing_go(db: Database, settings: Path, file: ClaudeFile) -> None:
    """Neither a look nor the clearing removes what an earlier run stored."""
    await intake_of(db, settings).take_in(file.path)
    write(settings, '{"sources": 1}')
    intake = intake_of(db, settings)
    await intake.choose(UNUSABLE)
    await intake.clear_left_out()
    await intake.take_in(file.path)
    assert await stored_keys(db) == {file.key}
