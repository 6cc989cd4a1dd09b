"""KiroCrew's chats: bare rows behind a header, and older rows in archives."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import Origin
from service.sources.follow import FollowedFile, Verdict
from service.sources.formats import find_files, read_file
from service.sources.kirocrew import PLACE, KiroCrewReader, claims
from service.sources.session import LastTurn, Session

Row = dict[str, Any]


def header(**fields: object) -> Row:
    return {"_type": "metadata", "title": "Cart", "created_at": "2026-01-15T09:00:00+00:00", "closed": False, **fields}


def said(role: str, words: str, minute: int = 1) -> Row:
    return {"role": role, "content": words, "ts": f"2026-01-15T10:{minute:02}:00+01:00", "source_user": "dashboard"}


def session_of(*rows: Mapping[str, Any], path: Path = Path("nowhere/sessions/tab_1.jsonl")) -> Session:
    reader = KiroCrewReader(path)
    for one in rows:
        reader.add(one)
    return reader.session()


def write(path: Path, *rows: Row) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


def words(session: Session | None) -> list[str]:
    assert session is not None
    return [message.content for message in session.messages]


def test_messages_title_and_last_activity_are_read() -> None:
    """The newest row tells the last activity, and the header the title."""
    session = session_of(header(), said("user", "sort", 5), said("assistant", "Sorted.", 4))
    assert words(session) == ["sort", "Sorted."]
    assert (session.key, session.title) == ("kirocrew:tab_1", "Cart")
    assert (session.last_activity, session.last_turn) == ("2026-01-15T09:05:00+00:00", LastTurn.REPLIED)


@pytest.mark.parametrize(
    "start",
    [
        "[cron notification",
        "[Subagent Completion Event]",
        "[subagent batch completion event]",
        "[AUTO-NUDGE cycle",
        "[monitor wake]",
        "[tool refusal",
        "[tool stall",
        "  === Restored context",
        "[system]",
    ],
)
def test_automation_is_no_prompt(start: str) -> None:
    """What the program sent under the person's role is shown as the program's."""
    session = session_of(header(), said("user", f"{start} x"))
    assert [one.origin for one in session.messages] == [Origin.AUTOMATION]
    assert session.unprompted == "only programs spoke"


def test_a_marker_inside_a_prompt_is_the_persons() -> None:
    """Whoever asks about a marker has asked."""
    assert session_of(header(), said("user", "what is [system]?")).user_turns == 1


def test_other_roles_are_left_out() -> None:
    """Tools and notes are not part of the talk; an error ends the turn."""
    session = session_of(header(), said("user", "go"), said("tool", "x"), said("error", "model is down"))
    assert words(session) == ["go"]
    assert session.last_turn is LastTurn.FAILED


def test_without_a_title_the_first_prompt_names_the_chat() -> None:
    """A header that is missing or has no title does not leave the chat without a name."""
    assert session_of(header(title=""), said("user", "sort the cart")).title == "sort the cart"
    assert session_of(said("user", "sort the cart")).title == "sort the cart"


def test_a_chat_that_was_opened_and_left_says_so() -> None:
    """A header alone is no conversation."""
    assert session_of(header()).unprompted == "opened, never used"


@pytest.fixture
def rotated(tmp_path: Path) -> Path:
    """A chat that rotated twice, beside archives of other chats."""
    folder = tmp_path / "sessions"
    archive = {"_type": "archive", "title": "Cart"}
    write(folder / "archive" / "tab_1__20260102.jsonl", archive, said("user", "two", 2))
    write(folder / "archive" / "tab_1__20260101.jsonl", archive, said("user", "one", 1))
    write(folder / "archive" / "tab_12__20260101.jsonl", archive, said("user", "another chat"))
    write(folder / "archive" / "tab_1__x__20260101.jsonl", archive, said("user", "a third chat"))
    return write(folder / "tab_1.jsonl", header(rotation_generation=2), said("user", "three", 3))


def test_archived_rows_are_history_of_the_same_session(rotated: Path) -> None:
    """A rotation loses no turn and renumbers none."""
    assert words(read_file(rotated).session) == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("generation", "left"), [(0, ["new"]), (None, ["new"]), (1, ["two", "new"]), (True, ["two", "new"])]
)
def test_archives_of_an_earlier_chat_of_the_same_name_are_not_taken(
    rotated: Path, generation: object, left: list[str]
) -> None:
    """The generation number tells how many of them belong to this chat."""
    write(rotated, header(rotation_generation=generation), said("user", "new"))
    assert words(read_file(rotated).session) == left


def test_an_archive_read_by_itself_bears_the_chats_id(rotated: Path) -> None:
    """It is the same session's earlier part, not another one."""
    session = read_file(rotated.parent / "archive" / "tab_1__20260101.jsonl").session
    assert session is not None
    assert (session.key, session.user_turns) == ("kirocrew:tab_1", 1)


def test_a_rotation_of_a_followed_chat_keeps_its_messages(tmp_path: Path) -> None:
    """Rows that move to an archive are still there for whoever follows the file."""
    rows = [said("user", "one", 1), said("assistant", "a", 2), said("user", "two", 3)]
    path = write(tmp_path / "sessions" / "tab_1.jsonl", header(), *rows)
    followed = FollowedFile(path)
    before = followed.advance().result.session
    write(path.parent / "archive" / "tab_1__20260101.jsonl", {"_type": "archive"}, *rows[:2])
    write(path, header(rotation_generation=1), rows[2])
    after = followed.advance(verify=True)
    assert after.verdict is Verdict.REWRITE
    assert words(after.result.session) == words(before)


def test_archives_are_no_sessions_of_their_own(rotated: Path) -> None:
    """Only live files are looked for."""
    assert list(find_files(PLACE, {"KIROCREW_HOME": str(rotated.parent.parent)}, Path("/nowhere"))) == [rotated]


def test_a_title_that_changes_later_holds() -> None:
    """A header rewritten in place, or written again, names the chat anew."""
    assert session_of(header(), said("user", "one"), header(title="Basket")).title == "Basket"


def test_rows_of_other_agents_are_not_claimed() -> None:
    """A typed row, or one whose time bears another name, is somebody else's."""
    assert claims(header())
    assert claims(said("user", "one"))
    assert not claims({"type": "user", "role": "user", "content": "", "ts": ""})
    assert not claims({"role": "user", "content": "x", "timestamp": "2026-01-15"})


keys = st.sampled_from(["_type", "role", "content", "ts", "title", "rotation_generation", "created_at"])
values = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["metadata", "archive", "user", "assistant", "error"])
    | st.lists(st.text())
)


@settings(max_examples=60)
@given(st.lists(st.dictionaries(keys, values), max_size=8))
def test_no_row_of_an_odd_shape_is_an_error(rows: list[Row]) -> None:
    """Whatever a row holds, the session can be told."""
    session_of(*rows)
