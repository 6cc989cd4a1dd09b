"""Following one file: what was appended is read, and on any doubt the file is read anew."""

import json
import os
import sys
from pathlib import Path

import pytest

from service.sources import formats
from service.sources.follow import FollowedFile, Verdict
from service.sources.kinds import DocumentFormat, PathFormat
from service.sources.session import LastTurn, Session
from tests.support.agent_files import end_kiro_turn, kiro_file

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def named(session_id: str) -> Session:
    return Session("made-up", session_id, (), None, None, None, None, LastTurn.NONE)


def prompt(number: int, parent: int | None = None) -> bytes:
    row = {
        "type": "user",
        "uuid": f"u{number}",
        "parentUuid": None if parent is None else f"u{parent}",
        "message": {"role": "user", "content": f"prompt {number}"},
    }
    return json.dumps(row).encode() + b"\n"


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as stream:
        stream.write(data)


def overwrite_in_place(path: Path, data: bytes) -> None:
    """Other bytes in the same file, with the time of the old ones."""
    before = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def turns(followed: FollowedFile) -> tuple[Verdict, int]:
    advance = followed.advance()
    session = advance.result.session
    return advance.verdict, session.user_turns if session else 0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_bytes(prompt(1))
    return path


@pytest.fixture
def followed(path: Path) -> FollowedFile:
    """A file with one prompt that was read once."""
    followed = FollowedFile(path)
    assert turns(followed) == (Verdict.APPEND, 1)
    return followed


def test_appended_rows_are_added_to_the_session(path: Path, followed: FollowedFile) -> None:
    """A prompt written to a followed file appears in its session."""
    append(path, prompt(2, 1))
    assert turns(followed) == (Verdict.APPEND, 2)
    assert followed.advance().offset == path.stat().st_size


def test_an_untouched_file_is_the_same(followed: FollowedFile) -> None:
    """Looking again changes nothing."""
    assert turns(followed) == (Verdict.SAME, 1)


def test_a_touched_file_is_the_same(path: Path, followed: FollowedFile) -> None:
    """A new time on the same bytes is no change."""
    os.utime(path, (1, 1))
    assert turns(followed) == (Verdict.SAME, 1)


def test_other_bytes_of_the_same_size_and_time_are_a_rewrite(path: Path, followed: FollowedFile) -> None:
    """A replacement that hides behind the old size and time is found."""
    overwrite_in_place(path, prompt(2))
    assert turns(followed) == (Verdict.REWRITE, 1)
    session = followed.advance().result.session
    assert session is not None
    assert session.messages[0].content == "prompt 2"


def test_a_file_replaced_by_a_copy_is_the_same(path: Path, followed: FollowedFile) -> None:
    """The same bytes under a new inode are no rewrite, and following goes on."""
    copy = path.with_suffix(".new")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)
    assert turns(followed) == (Verdict.SAME, 1)
    append(path, prompt(2, 1))
    assert turns(followed) == (Verdict.APPEND, 2)


def test_a_file_replaced_by_a_longer_one_is_a_rewrite(path: Path, followed: FollowedFile) -> None:
    """Growth with another beginning is no append."""
    overwrite_in_place(path, prompt(7) + prompt(8, 7))
    assert turns(followed) == (Verdict.REWRITE, 2)


def test_a_truncated_file_is_a_rewrite(path: Path, followed: FollowedFile) -> None:
    """Rows that are gone from the file are gone from the session."""
    append(path, prompt(2, 1))
    followed.advance()
    os.truncate(path, len(prompt(1)))
    assert turns(followed) == (Verdict.REWRITE, 1)


def test_an_emptied_file_gives_no_session(path: Path, followed: FollowedFile) -> None:
    """A file cut to nothing is a rewrite without sessions, and can be filled again."""
    path.write_bytes(b"")
    assert turns(followed) == (Verdict.REWRITE, 0)
    path.write_bytes(prompt(3))
    assert turns(followed) == (Verdict.APPEND, 1)


def test_a_torn_row_waits_for_its_rest(path: Path, followed: FollowedFile) -> None:
    """Half a row changes nothing, its other half brings it in."""
    row = prompt(2, 1)
    append(path, row[:20])
    advance = followed.advance()
    assert advance.verdict is Verdict.SAME
    assert advance.offset == len(prompt(1))
    append(path, row[20:])
    assert turns(followed) == (Verdict.APPEND, 2)


def test_a_missing_file_is_gone_and_may_come_back(path: Path, followed: FollowedFile) -> None:
    """A deleted file is told as gone, and one that takes its place starts anew."""
    path.unlink()
    assert followed.advance().verdict is Verdict.GONE
    path.write_bytes(prompt(1))
    assert turns(followed) == (Verdict.APPEND, 1)


def test_verify_finds_a_change_between_head_and_tail(path: Path, followed: FollowedFile) -> None:
    """A change deep inside a file that also grew is found when every byte is compared."""
    append(path, b"".join(prompt(n, n - 1) for n in range(2, 200)))
    followed.advance()
    changed = path.read_bytes().replace(b"prompt 100", b"prompt XXX") + prompt(200, 199)
    path.write_bytes(changed)
    assert followed.advance(verify=True).verdict is Verdict.REWRITE


def test_a_rewind_shows_in_the_sessions_of_an_append(path: Path, followed: FollowedFile) -> None:
    """A prompt that is taken back by appended rows is gone from the session."""
    append(path, prompt(2, 1) + prompt(3, 1))
    advance = followed.advance()
    session = advance.result.session
    assert session is not None
    assert [message.content for message in session.messages] == ["prompt 1", "prompt 3"]


def test_a_file_becomes_known_when_a_row_places_it(tmp_path: Path) -> None:
    """A file that says nothing yet is looked at again when it grows."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{"type":"novel"}\n')
    followed = FollowedFile(path)
    assert turns(followed) == (Verdict.APPEND, 0)
    append(path, prompt(1))
    assert turns(followed) == (Verdict.APPEND, 1)


def test_the_digest_stands_for_the_bytes_read(path: Path, followed: FollowedFile) -> None:
    """Two followers of the same bytes hold the same digest, however the bytes came."""
    append(path, prompt(2, 1))
    assert followed.advance().digest == FollowedFile(path).advance().digest


def test_a_path_that_cannot_be_read_keeps_what_was_read(path: Path, followed: FollowedFile) -> None:
    """A file whose place is taken by something unreadable is told as such, not as gone or empty."""
    path.unlink()
    os.mkfifo(path)
    advance = followed.advance()
    assert advance.verdict is Verdict.UNREADABLE
    assert advance.result.trouble is not None
    path.unlink()
    path.write_bytes(prompt(1))
    assert turns(followed) == (Verdict.SAME, 1)


def test_a_document_is_read_anew_when_its_bytes_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document rewritten whole is a rewrite, one that was only touched is the same."""
    document = DocumentFormat("doc", lambda value: isinstance(value, dict), lambda value, _path: (named(value["id"]),))
    monkeypatch.setattr(formats, "FORMATS", (document,))
    path = tmp_path / "s.json"
    path.write_bytes(b'{"id": "one"}')
    followed = FollowedFile(path)
    assert followed.advance().verdict is Verdict.APPEND
    os.utime(path, (1, 1))
    assert followed.advance().verdict is Verdict.SAME
    overwrite_in_place(path, b'{"id": "two"}')
    assert followed.advance().verdict is Verdict.REWRITE


def test_a_database_is_read_anew_when_its_log_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that shows in the file beside a database alone is seen, and told by the sessions it gives."""
    path, log = tmp_path / "s.db", tmp_path / "s.db-wal"
    database = PathFormat(
        "base",
        lambda _path, head: head.startswith(b"BASE"),
        lambda _path: (named(log.read_text()),),
        lambda path: (path, log),
    )
    monkeypatch.setattr(formats, "FORMATS", (database,))
    path.write_bytes(b"BASE\0")
    log.write_text("one")
    followed = FollowedFile(path)
    assert followed.advance().verdict is Verdict.APPEND
    os.utime(log, (1, 1))
    assert followed.advance().verdict is Verdict.SAME
    log.write_text("one more")
    assert followed.advance().verdict is Verdict.REWRITE


def test_a_packed_file_is_read_whole(tmp_path: Path) -> None:
    """A packed file gives its session, and packing it anew with more rows is a rewrite."""
    path = tmp_path / "s.jsonl.zst"
    path.write_bytes(zstd.compress(prompt(1)))
    followed = FollowedFile(path)
    assert turns(followed) == (Verdict.APPEND, 1)
    path.write_bytes(zstd.compress(prompt(1) + prompt(2, 1)))
    assert turns(followed) == (Verdict.REWRITE, 2)


def test_a_change_of_the_file_beside_the_rows_is_seen(tmp_path: Path) -> None:
    """The rows are as they were, and what the other file tells of them is news; neither is read again otherwise."""
    path = kiro_file(tmp_path)
    followed = FollowedFile(path)
    first = followed.advance().result.session
    end_kiro_turn(path, "k1", "k2")
    advance = followed.advance()
    second = advance.result.session
    assert first is not None
    assert second is not None
    assert (first.last_turn, second.last_turn) == (LastTurn.REPLIED, LastTurn.COMPLETED)
    assert (advance.verdict, advance.parts) == (Verdict.SAME, (path.with_suffix(".json"),))


def test_what_is_still_to_be_read_is_known_before(path: Path, followed: FollowedFile) -> None:
    """A look that would read much can wait for its turn."""
    assert followed.unread_bytes() == 0
    append(path, prompt(2, 1))
    assert followed.unread_bytes() == len(prompt(2, 1))
    path.unlink()
    assert followed.unread_bytes() == 0


def test_a_long_read_ends_with_the_service(path: Path) -> None:
    """A file of any size does not keep the process from ending, and what was read of it before still stands."""
    closing: list[bool] = []
    followed = FollowedFile(path, is_closing=lambda: bool(closing))
    assert turns(followed) == (Verdict.APPEND, 1)
    append(path, prompt(2, 1))
    closing.append(True)
    assert followed.advance().verdict is Verdict.UNREADABLE
