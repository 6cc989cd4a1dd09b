"""Whether a stored summary is of all there is, by what the file system says of the session's file."""

from dataclasses import replace
from pathlib import Path

import pytest

from service.domain.identity import Identity, StaleReason
from service.passes.freshness import is_current, moved_on
from service.store.engine import Database
from service.store.summaries import SlotState
from tests.support.stored import open_slot, said, state_of


@pytest.fixture
async def current(db: Database) -> SlotState:
    """A session whose summary is of what is stored."""
    await open_slot(db, "codex:s1", said("Sort"))
    state = await state_of(db, "codex:s1")
    return replace(state, payload="{}", stored=state.identity)


@pytest.mark.parametrize(("size", "expected"), [(1, StaleReason.APPENDED), (2, None), (3, None)])
async def test_a_file_that_is_larger_has_been_appended_to(
    tmp_path: Path, current: SlotState, size: int, expected: StaleReason | None
) -> None:
    """Compared with how much of it was read; a smaller one is for the next look to judge."""
    (tmp_path / "s.jsonl").write_text("ab")
    state = replace(current, source_path=str(tmp_path / "s.jsonl"), source_size=size)
    assert moved_on(state) is expected
    assert is_current(state) is (expected is None)


async def test_one_of_several_sessions_in_a_file_is_not_judged_by_its_size(tmp_path: Path, current: SlotState) -> None:
    """What was added to the file may be any other session's."""
    (tmp_path / "opencode.db").write_text("ab")
    state = replace(current, source_path=f"{tmp_path / 'opencode.db'}#s1", source_size=1)
    assert moved_on(state) is None


async def test_what_was_rewritten_is_told_as_such(tmp_path: Path, current: SlotState) -> None:
    """A rewrite that is known outdoes a file that grew as well."""
    (tmp_path / "s.jsonl").write_text("ab")
    moved = Identity(current.identity.sig, current.identity.gen + 1)
    state = replace(current, identity=moved, source_path=str(tmp_path / "s.jsonl"), source_size=1)
    assert moved_on(state) is StaleReason.REWRITTEN
