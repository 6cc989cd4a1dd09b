"""Telling whose file a file is, by what is in it."""

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from service.sources import formats
from service.sources.formats import Problem, find_files, identify, read_file
from service.sources.kinds import DocumentFormat, Format, PathFormat, TextFormat
from service.sources.session import LastTurn, Session

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PROMPT = {"type": "user", "uuid": "u1", "parentUuid": None, "message": {"role": "user", "content": "sort the cart"}}
CODEX_HEADER = {"type": "session_meta", "timestamp": "2026-03-02T09:00:00Z", "payload": {"id": "c1", "cwd": "/shop"}}


def lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def problem_of(path: Path) -> Problem | None:
    trouble = read_file(path).trouble
    return trouble.problem if trouble else None


def named(agent: str) -> Session:
    return Session(agent, "s", (), None, None, None, None, LastTurn.NONE)


def test_the_first_row_need_not_tell_the_format(tmp_path: Path) -> None:
    """A file that begins with rows of no known kind is read on until one places it."""
    path = written(tmp_path / "a.txt", lines(*[{"type": "novel", "n": n} for n in range(50)], PROMPT))
    result = read_file(path)
    assert result.format == "claude-code"
    assert (result.counts.rows, result.counts.unknown) == (51, 50)


def test_the_suffix_proves_nothing(tmp_path: Path) -> None:
    """A rollout that was saved under another name is still Codex's."""
    assert read_file(written(tmp_path / "notes.md", lines(CODEX_HEADER))).format == "codex"


def test_a_packed_file_reads_like_a_plain_one(tmp_path: Path) -> None:
    """A rollout that its agent packed after a week is the same session."""
    plain = written(tmp_path / "a.jsonl", lines(CODEX_HEADER))
    packed = written(tmp_path / "b.jsonl.zst", zstd.compress(plain.read_bytes()))
    assert read_file(packed).session == read_file(plain).session


def test_a_damaged_pack_gives_what_can_be_unpacked(tmp_path: Path) -> None:
    """A pack that was cut short does not stop the reader."""
    noise = [
        {"type": "response_item", "payload": {"type": "reasoning", "n": os.urandom(90).hex()}} for _ in range(9000)
    ]
    whole = zstd.compress(lines(CODEX_HEADER, *noise))
    result = read_file(written(tmp_path / "a.zst", whole[: len(whole) // 2]))
    assert result.format == "codex"
    assert result.counts.rows > 100


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", Problem.EMPTY),
        (b" \n\r\n", Problem.EMPTY),
        (b"\xef\xbb\xbf\n", Problem.EMPTY),
        (b"\x7fELF\x00\x00\x01", Problem.BINARY),
        (b'{"a":1}\n' + bytes(100), Problem.UNKNOWN),
        (b"just words\n", Problem.UNKNOWN),
        (b'{"a":1}\n{"b":2}\n', Problem.UNKNOWN),
        (b"[1, 2]", Problem.UNKNOWN),
        (b'{"type":"user","mess', Problem.UNKNOWN),
    ],
)
def test_a_file_that_is_no_transcript_says_why(tmp_path: Path, data: bytes, problem: Problem) -> None:
    """Nothing to read is told apart from nothing known."""
    assert problem_of(written(tmp_path / "x", data)) is problem


def test_a_folder_and_a_missing_path_are_problems_not_errors(tmp_path: Path) -> None:
    """A wrong path is answered, with the system's own words where it had any."""
    assert problem_of(tmp_path) is Problem.FOLDER
    missing = read_file(tmp_path / "none").trouble
    assert missing is not None
    assert missing.problem is Problem.UNREADABLE
    assert missing.detail
    assert problem_of(Path("nul\0character")) is Problem.UNREADABLE


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A path that is no regular file is refused before it is opened."""
    os.mkfifo(tmp_path / "pipe")
    assert problem_of(tmp_path / "pipe") is Problem.UNREADABLE


def test_output_of_a_print_mode_is_not_a_session_file(tmp_path: Path) -> None:
    """A stream of events that looks alike but is another format is not mistaken for a session."""
    row = {"type": "assistant", "session_id": "s", "message": {"role": "assistant", "content": []}}
    assert problem_of(written(tmp_path / "x.jsonl", lines(row))) is Problem.UNKNOWN


@pytest.fixture
def more_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    """One made-up format of each other shape beside the known ones."""
    more: tuple[Format, ...] = (
        DocumentFormat(
            "doc", lambda value: isinstance(value, dict) and "chat" in value, lambda _v, _p: (named("doc"),)
        ),
        TextFormat("text", lambda head: head.startswith("# log"), lambda _t, _p: (named("text"), named("text"))),
        PathFormat("base", lambda path, head: path.is_dir() or head[:4] == b"BASE", lambda _p: (named("base"),)),
    )
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, *more))


@pytest.mark.usefixtures("more_formats")
def test_a_document_is_not_taken_for_its_inner_lines(tmp_path: Path) -> None:
    """A JSON document whose messages stand on lines of their own is one document."""
    data = b'{"chat": [\n' + lines(PROMPT) + b"]}\n"
    assert read_file(written(tmp_path / "x.json", data)).format == "doc"


@pytest.mark.usefixtures("more_formats")
def test_a_document_on_one_line_is_recognised(tmp_path: Path) -> None:
    """A document without line breaks is found after no row claimed it."""
    assert read_file(written(tmp_path / "x.json", b'{"chat": []}')).format == "doc"


@pytest.mark.usefixtures("more_formats")
def test_a_text_that_quotes_rows_stays_a_text(tmp_path: Path) -> None:
    """A log into which somebody pasted a transcript is not that transcript, and may hold several sessions."""
    result = read_file(written(tmp_path / "x.md", b"# log\n" + lines(PROMPT)))
    assert (result.format, len(result.sessions)) == ("text", 2)


@pytest.mark.usefixtures("more_formats")
def test_databases_and_folders_are_read_by_their_path(tmp_path: Path) -> None:
    """A binary database or a folder of small files is no problem where a format claims it."""
    assert read_file(written(tmp_path / "x.db", b"BASE\0\0")).format == "base"
    assert read_file(tmp_path).format == "base"


def test_files_are_found_below_every_root_of_an_agent(tmp_path: Path) -> None:
    """Both usual homes of an agent are looked into, and a name in the environment takes their place."""
    for root in (".claude", ".config/claude", "elsewhere"):
        (tmp_path / root / "projects" / "-shop").mkdir(parents=True)
        (tmp_path / root / "projects" / "-shop" / "a.jsonl").touch()
        (tmp_path / root / "projects" / "-shop" / "notes.txt").touch()
    place = next(one for one in formats.PLACES if one.agent == "claude-code")
    assert len(list(find_files(place, {}, tmp_path))) == 2
    [other] = find_files(place, {"CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}, tmp_path)
    assert other == tmp_path / "elsewhere" / "projects" / "-shop" / "a.jsonl"


def test_packed_and_archived_rollouts_are_found(tmp_path: Path) -> None:
    """A rollout is found in its day's folder and in the archive, packed or not."""
    day = tmp_path / ".codex" / "sessions" / "2026" / "03" / "02"
    archive = tmp_path / ".codex" / "archived_sessions"
    for folder, name in ((day, "rollout-a.jsonl"), (day, "rollout-b.jsonl.zst"), (archive, "rollout-c.jsonl")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    place = next(one for one in formats.PLACES if one.agent == "codex")
    assert len(list(find_files(place, {}, tmp_path))) == 3
    assert list(find_files(place, {"CODEX_HOME": str(tmp_path / "none")}, tmp_path)) == []


def test_identify_names_the_format_without_reading_the_file_whole(tmp_path: Path) -> None:
    """The first row that places the format ends the search."""
    found = identify(written(tmp_path / "a", lines(PROMPT) + b"garbage\n" * 100))
    assert isinstance(found, Format)
    assert found.name == "claude-code"


def test_zero_bytes_behind_the_rows_make_no_binary_file(tmp_path: Path) -> None:
    """What a crash left at the end of a small file costs one row, and not the session."""
    row = {"type": "user", "uuid": "n0", "message": {"role": "user", "content": "go"}}
    result = read_file(written(tmp_path / "s.jsonl", lines(row) + bytes(4096)))
    assert [session.user_turns for session in result.sessions] == [1]


@pytest.mark.parametrize(
    "hole", [bytes(64) + b"\n", bytes(64), b"\n" + bytes(64) + b"\n"], ids=["line", "row", "blank"]
)
def test_zero_bytes_before_the_rows_make_no_binary_file(tmp_path: Path, hole: bytes) -> None:
    """What a crash left at the start of a file costs no session, on a line of its own or not."""
    result = read_file(written(tmp_path / "s.jsonl", hole + lines(PROMPT)))
    assert [session.user_turns for session in result.sessions] == [1]


def test_zero_bytes_before_a_document_or_a_text_are_stepped_over(tmp_path: Path) -> None:
    """Files that are no rows are read behind them too."""
    export = {"info": {"id": "ses_1"}, "messages": []}
    assert read_file(written(tmp_path / "a", bytes(9) + lines(export))).format == "opencode"
    history = b"# aider chat started at 2026-03-02 09:00:00\n\n#### sort  \n"
    assert [one.user_turns for one in read_file(written(tmp_path / "b", bytes(9) + history)).sessions] == [1]


@pytest.mark.parametrize(
    "data", [bytes(512), bytes(9) + b"ftypmp42", bytes(9) + b"{\0}\0\n"], ids=["0", "film", "wide"]
)
def test_zero_bytes_alone_or_before_other_bytes_are_a_binary_file(tmp_path: Path, data: bytes) -> None:
    """Nothing is taken for rows because it begins with zero bytes."""
    assert problem_of(written(tmp_path / "a", data)) is Problem.BINARY


def test_a_database_that_is_not_read_is_told_from_other_bytes(tmp_path: Path) -> None:
    """An editor's or another agent's database is named as what it is."""
    with closing(sqlite3.connect(tmp_path / "state.vscdb")) as database:
        database.execute("CREATE TABLE ItemTable (key TEXT, value BLOB)")
        database.commit()
    assert problem_of(tmp_path / "state.vscdb") is Problem.DATABASE
