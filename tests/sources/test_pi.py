"""pi's files: the live branch of a tree of entries, ends of turns, names, and what the tools prove."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.messages import FactKind, FactResult, Origin
from service.sources.formats import find_files
from service.sources.pi import PLACE, SUMMARY_LABEL, PiReader, claims
from service.sources.pi_tree import EntryTree
from service.sources.session import LastTurn, Session

Row = dict[str, Any]
HEADER: Row = {"type": "session", "version": 3, "id": "p1", "timestamp": "2026-03-02T09:00:00Z", "cwd": "/shop"}
ROOT = object()


def entry(kind: str, entry_id: str, parent: object = None, at: str = "2026-03-02T09:01:00Z", **fields: object) -> Row:
    """An entry that follows the one before it unless a parent is given; ROOT stands for none."""
    row: Row = {"type": kind, "id": entry_id, "timestamp": at, **fields}
    return row if parent is None else {**row, "parentId": None if parent is ROOT else parent}


def user(words: object, entry_id: str = "", parent: object = None) -> Row:
    return entry("message", entry_id or str(words), parent, message={"role": "user", "content": words})


def reply(
    words: str, entry_id: str = "", parent: object = None, stop: str = "stop", calls: tuple[Row, ...] = ()
) -> Row:
    content = [{"type": "text", "text": words}, *calls]
    message = {"role": "assistant", "content": content, "stopReason": stop}
    return entry("message", entry_id or words, parent, message=message)


def call(name: str, **arguments: object) -> Row:
    return {"type": "toolCall", "id": "c1", "name": name, "arguments": arguments}


def result(text: str = "", *, failed: bool = False, **details: object) -> Row:
    content = [{"type": "text", "text": text}]
    message = {"role": "toolResult", "toolCallId": "c1", "content": content, "isError": failed, "details": details}
    return entry("message", "r1", message=message)


def session_of(*rows: Row, path: str = "2026-03-02_p9.jsonl") -> Session:
    reader = PiReader(Path(path))
    for one in rows:
        reader.add(one)
    return reader.session()


def words_of(session: Session) -> list[str]:
    return [message.content for message in session.messages]


def test_a_session_is_told_from_its_header() -> None:
    """Id and project come from the first row, the title from the first prompt."""
    session = session_of(HEADER, user("sort the cart"), reply("Sorted."))
    assert (session.key, session.project, session.title) == ("pi:p1", "/shop", "sort the cart")


def test_a_file_that_lost_its_head_goes_by_its_name() -> None:
    """A file whose header is missing has the id in its name."""
    assert session_of(user("a")).key == "pi:p9"


def test_only_the_branch_of_the_newest_entry_counts() -> None:
    """A prompt that was taken back, and the reply to it, are gone."""
    rows = [user("one", "1", ROOT), reply("1.", "2", "1"), user("wrong", "3", "2"), reply("no", "4", "3")]
    assert words_of(session_of(HEADER, *rows, user("right", "5", "2"))) == ["one", "1.", "right"]


def test_going_back_to_a_left_branch_brings_it_back() -> None:
    """A person who returns to an earlier attempt sees that attempt again, though it was read as left before."""
    reader = PiReader(Path("a.jsonl"))
    for row in (HEADER, user("one", "1", ROOT), user("left", "2", "1"), user("other", "3", "1")):
        reader.add(row)
    assert words_of(reader.session()) == ["one", "other"]
    reader.add(user("again", "4", "2"))
    assert words_of(reader.session()) == ["one", "left", "again"]


def test_a_second_start_leaves_the_first_behind() -> None:
    """A prompt at the root takes back everything before it."""
    assert words_of(session_of(HEADER, user("one", "1", ROOT), user("two", "2", ROOT))) == ["two"]


def test_a_missing_parent_breaks_no_chain() -> None:
    """A torn row in the middle does not take away what stands before it."""
    assert words_of(session_of(HEADER, user("one", "1", ROOT), reply("1.", "3", "torn"))) == ["one", "1."]


def test_an_entry_may_stand_before_its_parent() -> None:
    """Two programs that write one file swap rows; no prompt and no reply is lost by it, whenever one looks."""
    model = entry("model_change", "2", "1")
    rows = [HEADER, model, user("one", "1", ROOT), user("two", "4", "3"), reply("1.", "3", "2"), reply("2.", "5", "4")]
    at_once, step_by_step = session_of(*rows), PiReader(Path("2026-03-02_p9.jsonl"))
    for row in rows:
        step_by_step.add(row)
        step_by_step.session()
    assert words_of(at_once) == ["one", "two", "1.", "2."]
    assert at_once.last_turn is LastTurn.COMPLETED
    assert step_by_step.session() == at_once


def test_a_parent_that_stands_last_ends_nothing() -> None:
    """The last two rows may be swapped too: the reply is still the end of the talk."""
    rows = [user("one", "1", ROOT), reply("1.", "2", "1"), reply("2.", "4", "3"), user("two", "3", "2")]
    session = session_of(HEADER, *rows)
    assert (set(words_of(session)), session.last_turn) == ({"one", "1.", "two", "2."}, LastTurn.COMPLETED)
    mark = entry("label", "5", "4")
    assert session_of(HEADER, *rows, mark).last_turn is LastTurn.COMPLETED
    assert words_of(session_of(HEADER, *[rows[at] for at in (2, 3, 1, 0)])) == ["2.", "two", "1.", "one"]


def test_a_mark_before_its_parent_leaves_the_turn_as_that_did() -> None:
    """An entry that was read too early does not say how the turn stands."""
    rows = [user("one", "1", ROOT), entry("label", "3", "2"), reply("1.", "2", "1"), entry("label", "4", "3")]
    assert session_of(HEADER, *rows).last_turn is LastTurn.COMPLETED


def test_parents_in_a_circle_are_no_error() -> None:
    """Entries that descend from one another lose no prompt but are read in their order."""
    rows = [user("one", "1", ROOT), user("two", "2", "4"), user("three", "3", "2"), user("four", "4", "3")]
    assert words_of(session_of(HEADER, *rows)) == ["one", "two", "three", "four"]
    assert words_of(session_of(HEADER, user("one", "1", "1"), reply("1.", "2", "1"))) == ["one", "1."]


def test_an_entry_that_was_written_twice_counts_once() -> None:
    """A repeated row neither doubles a prompt nor goes back to it."""
    asked, said = user("one", "1", ROOT), reply("1.", "2", "1")
    assert session_of(HEADER, asked, asked, said, said, asked) == session_of(HEADER, asked, said)


def test_rows_without_ids_follow_one_another() -> None:
    """The first version of the format knows no tree."""
    rows = [{"type": "message", "message": {"role": "user", "content": words}} for words in ("one", "two")]
    assert words_of(session_of(HEADER, *rows)) == ["one", "two"]


def test_the_last_turn_is_that_of_the_live_branch() -> None:
    """After going back without a word, the turn that stands is the one that was finished."""
    rows = [user("one", "1", ROOT), reply("1.", "2", "1"), user("two", "3", "2")]
    mark = entry("branch_summary", "4", "2", summary="tried two")
    assert session_of(HEADER, *rows, mark).last_turn is LastTurn.COMPLETED


@pytest.mark.parametrize(
    ("stop", "expected"),
    [
        ("stop", LastTurn.COMPLETED),
        ("length", LastTurn.COMPLETED),
        ("aborted", LastTurn.INTERRUPTED),
        ("error", LastTurn.FAILED),
        ("toolUse", LastTurn.WORKING),
        ("", LastTurn.REPLIED),
    ],
)
def test_the_reason_a_reply_stopped_ends_the_turn(stop: str, expected: LastTurn) -> None:
    """The file's own word says how the last turn ended."""
    assert session_of(HEADER, user("a"), reply("b", stop=stop)).last_turn is expected


def test_a_call_without_a_result_is_open() -> None:
    """A tool that has not answered keeps the turn open, its answer gives it back to the agent."""
    rows = [HEADER, user("a"), reply("b", stop="toolUse", calls=(call("bash", command="ls"),))]
    assert session_of(*rows).last_turn is LastTurn.TOOL_OPEN
    assert session_of(*rows, result()).last_turn is LastTurn.WORKING


def test_a_persons_words_stand_as_typed() -> None:
    """In pi nobody but a person writes user rows, whatever they begin with."""
    session = session_of(HEADER, user("[cron: why does it print this?"))
    assert [message.origin for message in session.messages] == [Origin.PERSON]


def test_a_picture_without_words_is_a_prompt() -> None:
    """A pasted picture counts as a turn."""
    assert session_of(HEADER, user([{"type": "image", "data": "eA=="}], "1")).user_turns == 1


def test_the_last_name_given_is_the_title() -> None:
    """A person's own name for the session goes before its first prompt, and an emptied one does not."""
    named = [HEADER, user("a", "1"), entry("session_info", "2", name="Cart"), entry("session_info", "3", name="Shop")]
    assert session_of(*named).title == "Shop"
    assert session_of(*named, entry("session_info", "4", name="")).title == "a"


def test_a_name_given_later_is_no_activity() -> None:
    """Renaming an old session does not make it a recent one."""
    late = entry("session_info", "2", name="Cart", at="2026-05-01T00:00:00Z")
    assert session_of(HEADER, user("a"), late).last_activity == "2026-03-02T09:01:00+00:00"


def test_a_summary_at_the_start_is_all_there_is() -> None:
    """Where the first half is known only by the agent's own summary, that is shown as such and is no turn."""
    session = session_of(HEADER, entry("compaction", "1", summary="The cart was sorted."), user("next"))
    assert words_of(session) == [f"{SUMMARY_LABEL}\nThe cart was sorted.", "next"]
    assert session.title == "next"


def test_a_later_summary_repeats_what_stands() -> None:
    """A compaction in the middle adds no message."""
    session = session_of(HEADER, user("a"), entry("compaction", "1", summary="again"), user("b"))
    assert words_of(session) == ["a", "b"]


@pytest.mark.parametrize(
    ("made", "answer", "expected"),
    [
        (call("edit", path="a.py"), result(), (FactKind.EDITED, "a.py", None)),
        (call("bash", command="pytest"), result("1 passed"), (FactKind.RAN, "pytest", FactResult.PASSED)),
        (
            call("bash", command="pytest"),
            result("1 failed\n\nCommand exited with code 1", failed=True),
            (FactKind.RAN, "pytest", FactResult.FAILED),
        ),
        (
            call("exec", command="pytest"),
            result("ok", status="completed", exitCode=2),
            (FactKind.RAN, "pytest", FactResult.FAILED),
        ),
        (
            call("exec", command="pytest"),
            result("still running", status="running"),
            (FactKind.RAN, "pytest", FactResult.UNKNOWN),
        ),
    ],
)
def test_a_tool_call_proves_a_fact(made: Row, answer: Row, expected: tuple[FactKind, str, FactResult | None]) -> None:
    """What tools did is tied to the message it followed."""
    session = session_of(HEADER, user("go"), reply("", "x", stop="toolUse", calls=(made,)), answer)
    assert [(fact.kind, fact.text, fact.result) for fact in session.messages[0].facts] == [expected]


def test_an_edit_that_failed_by_its_details_proves_nothing() -> None:
    """A tool that reports its error beside a clear flag did not edit the file."""
    rows = [user("go"), reply("", "x", stop="toolUse", calls=(call("edit", path="a.py"),)), result(status="error")]
    assert session_of(HEADER, *rows).messages[0].facts == ()


def test_a_command_typed_by_the_person_is_a_fact_and_no_turn() -> None:
    """A shell command run with an exclamation mark is an action, not a prompt."""
    ran = {"role": "bashExecution", "command": "pytest", "output": "1 passed", "exitCode": 0}
    session = session_of(HEADER, user("go"), reply("Done."), entry("message", "b", message=ran))
    assert (session.user_turns, session.last_turn) == (1, LastTurn.COMPLETED)
    assert [fact.result for fact in session.messages[-1].facts] == [FactResult.PASSED]


def test_an_opened_file_says_that_nobody_spoke() -> None:
    """A session without a word is listed with the reason."""
    assert session_of(HEADER).unprompted == "opened, never used"


def test_files_are_found_where_the_environment_says(tmp_path: Path) -> None:
    """Sessions are looked for in the folder that the environment names."""
    folder = tmp_path / "moved" / "sessions" / "--shop--"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").touch()
    found = find_files(PLACE, {"PI_CODING_AGENT_DIR": str(tmp_path / "moved")}, tmp_path)
    assert [path.name for path in found] == ["a.jsonl"]


def test_rows_of_others_are_not_claimed() -> None:
    """A row that any agent could have written places no file."""
    others: list[Row] = [{"type": "session"}, {"type": "message", "message": {"role": "system"}}, {"type": "user"}, {}]
    assert not any(claims(row) for row in others)


_ENTRIES = st.lists(st.tuples(st.integers(0, 12), st.integers(-1, 12)), max_size=30)


@settings(max_examples=80)
@given(_ENTRIES, st.sets(st.integers(0, 30)))
def test_the_live_branch_is_the_chain_of_parents(entries: list[tuple[int, int]], looks: set[int]) -> None:
    """However often one looks in between, what is live is what the newest entry descends from."""
    tree, at_once = EntryTree(), EntryTree()
    for at, (entry_id, parent) in enumerate(entries):
        tree.add(str(entry_id), str(parent), at_root=parent < 0)
        at_once.add(str(entry_id), str(parent), at_root=parent < 0)
        if at in looks:
            tree.settle()
    tree.settle()
    at_once.settle()
    chain, node = set(), tree.tip
    while node >= 0:
        chain.add(node)
        node = tree.parent(node)
    assert [node for node in range(len(entries)) if tree.is_live(node)] == sorted(chain)
    assert [node for node in range(len(entries)) if at_once.is_live(node)] == sorted(chain)


_SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
_KEY = st.sampled_from(["type", "text", "name", "id", "status", "output"])
_JSON = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEY, inner, max_size=3), max_leaves=6
)
_KEYS = st.sampled_from(["id", "parentId", "timestamp", "message", "summary", "name", "cwd", "customType"])
_ROLES = st.sampled_from(["user", "assistant", "toolResult", "bashExecution", "compactionSummary"])
_MESSAGES = st.builds(lambda role, rest: {**rest, "role": role}, _ROLES, st.dictionaries(st.just("content"), _JSON))


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(st.sampled_from(["session", "message", "x"]), st.dictionaries(_KEYS, _JSON | _MESSAGES, max_size=4)),
        max_size=6,
    )
)
def test_odd_rows_are_stepped_over(rows: list[tuple[str, Row]]) -> None:
    """A file whose rows have any shape at all still gives a session."""
    assert session_of(HEADER, *({**row, "type": kind} for kind, row in rows)).session_id == "p1"
