"""`list`, `show`, `open-items`, `usage`, `delete`: the same on the database and through a running service."""

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import get_args

import pytest

from service.cli.demo_data import fill
from service.cli.sessions import Source
from service.config import ConfigFile, set_value
from service.domain.messages import Message, Origin
from service.domain.source_filter import AGENTS
from service.store import slots, transcripts
from service.store.access import DASHBOARD
from service.store.engine import Write
from service.store.folder import DataFolder, FolderLock
from service.store.offline import opened_for_writing
from service.store.slots import SlotChange
from tests.cli.conftest import Command, at_terminal, run_program
from tests.support.live import LiveService

BACKUP = "ops/nightly-backup"
NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def filled(switched_on: DataFolder) -> DataFolder:
    """A folder that holds three summarized sessions."""
    switched_on.prepare()
    asyncio.run(fill(switched_on, ConfigFile(switched_on.config), NOW))
    return switched_on


@pytest.fixture(params=["database", "service"])
def data(request: pytest.FixtureRequest, filled: DataFolder) -> Iterator[DataFolder]:
    """The filled folder: at rest, and served."""
    with served(filled) if request.param == "service" else contextlib.nullcontext():
        yield filled


@contextlib.contextmanager
def served(folder: DataFolder) -> Iterator[None]:
    """A service holds the folder while the block runs."""
    lock = FolderLock.take(folder)
    with LiveService(folder.path) as live:
        lock.announce(live.url)
        yield
    lock.release()


def test_the_list(command: Command, data: DataFolder) -> None:
    """Two lines a session within 80 columns, newest first, with the whole key to copy."""
    ran = command("list")
    lines = ran.out.splitlines()
    assert (ran.code, ran.err, len(lines)) == (0, "", 6)
    assert max(map(len, lines)) <= 80
    assert lines[4].startswith("needs you    Back up the orders database")
    assert lines[5].strip() == f"{BACKUP} · 3 turns · 2 open"


def test_the_list_for_programs(command: Command, data: DataFolder) -> None:
    """--json has the shape of the list route."""
    listed = json.loads(command("list", "--json").out)
    assert [slot["key"] for slot in listed["slots"]] == ["docs-site/search", "shop-api/checkout-cents", BACKUP]
    assert listed["next"] is None


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        (("--state", "needs-you"), [BACKUP]),
        (("-q", "CHECKOUT"), ["shop-api/checkout-cents"]),
        (("--project", "~/code/ops"), [BACKUP]),
        (("--source", "codex"), []),
    ],
)
def test_the_list_is_filtered(command: Command, data: DataFolder, options: tuple[str, ...], keys: list[str]) -> None:
    """State, words, project and agent each narrow it."""
    listed = json.loads(command("list", "--json", *options).out)
    assert [slot["key"] for slot in listed["slots"]] == keys


def test_a_long_list_says_that_there_is_more(command: Command, data: DataFolder) -> None:
    """--limit ends it, and the way to all of it is said on stderr."""
    ran = command("list", "--limit", "2")
    assert len(ran.out.splitlines()) == 4
    assert ran.err == "There are more than these 2; --limit 0 shows all.\n"
    assert len(json.loads(command("list", "--json", "--limit", "0").out)["slots"]) == 3


def test_a_summary_is_shown(command: Command, data: DataFolder) -> None:
    """As text with the session's title, as Markdown, and as the JSON that the route gives."""
    text = command("show", BACKUP)
    assert text.out.startswith("Nightly database backup\n\n[needs you] ")
    assert "not verified" in text.out
    markdown = command("show", BACKUP, "--format", "markdown").out
    assert markdown.startswith("# Nightly database backup\n\n- Project: ")
    assert f"- Session: {BACKUP}\n- Made " in markdown
    shown = json.loads(command("show", BACKUP, "--json").out)
    assert (shown["enabled"], shown["stale"], shown["user_turns"]) == (True, False, 3)


def test_an_agent_that_nobody_knows(command: Command, data: DataFolder) -> None:
    """It is not said that no session matches: the sentence names the agents there are."""
    assert get_args(Source) == ("host", *AGENTS)
    ran = command("list", "--source", "claude")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("session-summary: --source takes host, claude-code, codex, ")
    assert "or aider, not 'claude'; see" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [("list", "-q"), ("list", "--project"), ("show",), ("usage", "--slot"), ("delete", "--yes"), ("token", "revoke")],
)
def test_a_word_that_is_no_text(command: Command, data: DataFolder, arguments: tuple[str, ...]) -> None:
    """A byte that is no UTF-8 ends in a sentence, and is found nowhere."""
    ran = command(*arguments, "\udcff")
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (1, "", 1)


@pytest.mark.parametrize("arguments", [("list", "-q", "nowhere"), ("list", "--source", "codex")])
def test_filters_that_leave_nothing(command: Command, data: DataFolder, arguments: tuple[str, ...]) -> None:
    """It is said that none matches, not that there are none."""
    assert command(*arguments).out == "No sessions match.\n"


def stored_session(folder: DataFolder, key: str, said: Sequence[str]) -> None:
    """A session at rest, without a summary."""
    messages = [
        message
        for words in said
        for message in (
            Message("user", words, Origin.PERSON),
            Message("assistant", f"{words}: done.", Origin.ASSISTANT),
        )
    ]

    async def write(w: Write) -> None:
        await slots.put_slot(w, key, SlotChange(title=key.title()), DASHBOARD, 1)
        await transcripts.append_messages(w, key, messages, 2)

    async def store() -> None:
        async with opened_for_writing(folder.database) as db:
            await db.write(write)

    asyncio.run(store())


@pytest.fixture
def unsummarized(switched_on: DataFolder) -> DataFolder:
    """A folder with an old session that has no summary yet, and one in which too little was said."""
    switched_on.prepare()
    stored_session(switched_on, "old work", ["Sort the imports of the shop", "Now sort its exports"])
    stored_session(switched_on, "short", ["Sort the imports"])
    return switched_on


def test_a_session_without_a_summary_says_how_to_make_one(command: Command, unsummarized: DataFolder) -> None:
    """The command in the sentence works as it stands; where nothing can be made, the reason is said instead."""
    ran = command("show", "old work")
    assert (ran.code, ran.out) == (1, "")
    assert "make one with: session-summary show 'old work' --make" in ran.err
    assert "too few turns of a person" in command("show", "short").err


def test_an_old_session_is_summarized_in_the_terminal(command: Command, unsummarized: DataFolder) -> None:
    """--make makes a summary without a service, prints it, and leaves it to be shown; a second one costs no pass."""
    made = command("show", "old work", "--make")
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith("Old Work\n\n[")
    assert command("show", "old work", "--make").out == command("show", "old work").out == made.out
    outcomes = [row["outcome"] for row in json.loads(command("usage", "--json").out)["passes"]]
    assert outcomes == ["skipped", "stored"]


def test_an_old_session_is_summarized_through_the_service(command: Command, unsummarized: DataFolder) -> None:
    """Where a service runs it is the one that makes it."""
    lock = FolderLock.take(unsummarized)
    with LiveService(unsummarized.path) as live:
        lock.announce(live.url)
        made = command("show", "old work", "--make")
        assert live.summary("old work")["stale"] is False
    lock.release()
    assert (made.code, made.err) == (0, "")


def test_what_cannot_be_made_says_why(command: Command, unsummarized: DataFolder) -> None:
    """Too little said, an unknown key, and the feature being off each have their sentence."""
    assert "no summary was made: the session has too few user turns" in command("show", "short", "--make").err
    assert "`session-summary list` shows the keys" in command("show", "nope", "--make").err
    set_value(unsummarized.config, "session_summary.enabled", False)
    assert "Summaries are off" in command("show", "old work", "--make").err


def test_a_session_in_which_nobody_spoke_says_so(command: Command, unsummarized: DataFolder) -> None:
    """The reason is the one of the list, not a number of turns to be lowered."""
    with sqlite3.connect(unsummarized.database) as connection:
        connection.execute("UPDATE transcripts SET unprompted = 'only programs spoke' WHERE key = 'short'")
    connection.close()
    assert "there is no summary of this session: only programs spoke" in command("show", "short").err
    assert "no summary was made: only programs spoke" in command("show", "short", "--make").err


def test_sessions_that_need_somebody_without_next_steps(command: Command, data: DataFolder) -> None:
    """Nobody reads that nothing waits while the list says "needs you"."""
    with sqlite3.connect(data.database) as connection:
        connection.execute(
            "UPDATE summaries SET payload = json_set(payload, '$.intents[0].next_steps', json('[]')) "
            "WHERE transcript_key = ?",
            (BACKUP,),
        )
    connection.close()
    ran = command("open-items")
    assert ran.out.splitlines()[0] == "1 session needs you, and its summary does not say for what:"
    assert "Back up the orders database every night" in ran.out
    assert BACKUP in ran.out
    assert "Nothing waits" not in ran.out


def test_a_goal_without_a_step_stands_beside_those_with_one(command: Command, data: DataFolder) -> None:
    """What needs the person is never hidden by what needs them elsewhere; for programs it has its own list."""
    with sqlite3.connect(data.database) as connection:
        connection.execute(
            "UPDATE summaries SET payload = json_insert(payload, '$.intents[#]', "
            "json_set(json_extract(payload, '$.intents[0]'), '$.title', 'Rename the job', '$.next_steps', json('[]'))) "
            "WHERE transcript_key = ?",
            (BACKUP,),
        )
    connection.close()
    ran = command("open-items")
    assert ran.out.count("  - ") == 2
    assert ran.out.index("  - ") < ran.out.index("does not say for what") < ran.out.index("Rename the job")
    (unnamed,) = json.loads(command("open-items", "--json").out)["unnamed"]
    assert (unnamed["slot"], unnamed["intent"], unnamed["what"]) == (BACKUP, "Rename the job", "")


@pytest.mark.parametrize("arguments", [("list",), ("list", "--limit", "1"), ("open-items",), ("usage",)])
@pytest.mark.parametrize("enabled", [True, False])
def test_programs_read_the_same_either_way(
    command: Command, filled: DataFolder, arguments: tuple[str, ...], enabled: bool
) -> None:
    """On the database alone every key is there that the service gives, with the same in it."""
    (filled.path / "session-summary.unreadable-20260810T100000000000.db").touch()
    set_value(filled.config, "daily_token_budget", 1_000)
    set_value(filled.config, "session_summary.enabled", enabled)
    with sqlite3.connect(filled.database) as connection:
        connection.execute(
            "UPDATE summaries SET payload = json_set(payload, '$.intents[0].next_steps', json('[]')) "
            "WHERE transcript_key = ?",
            (BACKUP,),
        )
    connection.close()
    alone = json.loads(command(*arguments, "--json").out)
    with served(filled):
        through = json.loads(command(*arguments, "--json").out)
    assert alone.keys() == through.keys()
    # Since when the environment and the settings stand is each process's own to say.
    assert [alone | {"settings_since": 0}] == [through | {"settings_since": 0}]


def test_a_search_that_is_an_essay(command: Command, data: DataFolder) -> None:
    """It is refused in the same words either way."""
    ran = command("list", "-q", "x" * 501)
    assert (ran.code, ran.out, ran.err) == (1, "", "session-summary: q: at most 500 characters\n")
    assert command("list", "-q", "x" * 500).code == 0


def test_an_unknown_session(command: Command, data: DataFolder) -> None:
    """The sentence says where the keys stand."""
    ran = command("show", "nope")
    assert (ran.code, ran.out) == (1, "")
    assert "`session-summary list` shows the keys" in ran.err


def test_open_items_over_all_sessions(command: Command, data: DataFolder) -> None:
    """Each waiting goal once, with its steps below; for programs the items of the route."""
    ran = command("open-items")
    assert ran.out.count("Back up the orders database every night") == 1
    assert ran.out.count("  - ") == 2
    items = json.loads(command("open-items", "--json").out)["items"]
    assert {item["slot"] for item in items} == {BACKUP}


def test_usage(command: Command, data: DataFolder) -> None:
    """A line per pass and the totals."""
    ran = command("usage")
    assert "3 passes, 3 stored, 0 tokens, $0.0000" in ran.out
    found = json.loads(command("usage", "--json", "--slot", BACKUP).out)
    assert [row["slot"] for row in found["passes"]] == [BACKUP]
    assert "1 pass, 1 stored" in command("usage", "--slot", BACKUP).out
    assert json.loads(command("usage", "--json", "--since", "2999-01-01").out)["totals"]["passes"] == 0


@pytest.mark.parametrize("columns", [40, 80])
def test_a_key_is_whole_wherever_it_stands(data: DataFolder, columns: int) -> None:
    """However narrow the terminal, what `show` and --slot take can be copied, and no other line is too long."""
    key = "claude-code:0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
    with sqlite3.connect(data.database) as connection:
        connection.execute("UPDATE slots SET key = ? WHERE key = ?", (key, BACKUP))
        connection.execute(
            "UPDATE passes SET slot = ?, input_tokens = 1234, cost_usd = 0.5 WHERE slot = ?", (key, BACKUP)
        )
    connection.close()
    for name in ("list", "usage", "open-items"):
        lines = at_terminal(name, columns=columns, NO_COLOR="1").out.splitlines()
        assert [line for line in lines if key in line.split()], name
        assert [line for line in lines if len(line) > columns and line.split() != [key]] == []


def test_colour_is_for_terminals_alone(data: DataFolder) -> None:
    """Nor is there any where the person wants none."""
    assert "\x1b[" in at_terminal("list").out
    assert "\x1b" not in at_terminal("list", NO_COLOR="1").out + at_terminal("list", TERM="dumb").out
    assert "\x1b" not in run_program("list", FORCE_COLOR="1").out


def test_a_line_for_programs_is_one_line(command: Command, filled: DataFolder) -> None:
    """No character in it is the end of a line by anybody's count, and it still says exactly what is stored."""
    title = "a\u2028b\u2029c\x85d\x0be"
    with sqlite3.connect(filled.database) as connection:
        connection.execute("UPDATE transcripts SET title = ?", (title,))
    connection.close()
    (line,) = command("list", "--json").out.splitlines()
    assert {slot["title"] for slot in json.loads(line)["slots"]} == {title}


def test_usage_since_no_time(command: Command, data: DataFolder) -> None:
    """What is no time is said to be none."""
    ran = command("usage", "--since", "yesterdayish")
    assert ran.code == 1
    assert ran.err.startswith("session-summary: --since takes a time such as 2026-08-10")


def test_a_session_is_deleted_for_good(command: Command, data: DataFolder) -> None:
    """The receipt counts what went; the session is gone from the list, and its text from the files."""
    ran = command("delete", BACKUP, "--yes")
    assert ran.out.startswith(f"Deleted {BACKUP}: 6 messages, 6 facts, 1 summary, 0 titles, 1 slot.")
    assert command("delete", BACKUP, "--yes").code == 1
    assert BACKUP not in command("list").out
    left = b"".join(path.read_bytes() for path in data.path.glob("session-summary.db*"))
    assert b"shellcheck backup/nightly.sh" not in left


def test_deleting_asks_somebody(command: Command, data: DataFolder) -> None:
    """Where nobody can be asked it refuses, and nothing goes."""
    ran = command("delete", BACKUP)
    assert (ran.code, ran.out) == (1, "")
    assert "add --yes" in ran.err
    assert BACKUP in command("list").out


@pytest.mark.parametrize(("typed", "code"), [("n\n", 1), ("\n", 1), ("y\n", 0)])
def test_deleting_does_what_was_answered(command: Command, data: DataFolder, typed: str, code: int) -> None:
    """A no is no error of anybody's, and no interruption: it is said that nothing was deleted."""
    ran = at_terminal("delete", BACKUP, typed=typed)
    assert ran.code == code
    assert ("Nothing was deleted.\n" in ran.out) == (BACKUP in command("list").out) == bool(code)


def test_nobody_is_asked_about_a_session_that_there_is_not(data: DataFolder) -> None:
    """The question would be in vain."""
    ran = at_terminal("delete", "nope", typed="y\n")
    assert ran.code == 1
    assert "There is no undo" not in ran.out
    assert "no session has that key" in ran.out


def test_while_off_nothing_derived_is_shown(command: Command, data: DataFolder) -> None:
    """Every command says that summaries are off and how to switch them on."""
    set_value(data.config, "session_summary.enabled", False)
    listed, shown, waiting = command("list"), command("show", BACKUP), command("open-items")
    for ran in (listed, shown, waiting):
        assert "Summaries are off" in ran.err
        assert "session-summary config set session_summary.enabled true" in ran.err
        assert "Back up the orders database every night" not in ran.out
    assert max(map(len, listed.err.splitlines())) <= 80
    assert (listed.code, shown.code, waiting.code) == (0, 1, 0)
    assert json.loads(command("show", BACKUP, "--json").out)["intents"] == []
    assert json.loads(command("list", "--json", "--state", "needs-you").out)["slots"] == []


def test_tokens_through_either_door(command: Command, data: DataFolder) -> None:
    """Apps' tokens are made, listed and revoked whether or not a service runs."""
    token = command("token", "create", "--app", "my-chat").out.strip()
    assert len(token) >= 43
    assert json.loads(command("token", "list", "--json").out)["tokens"][0]["app"] == "my-chat"
    assert command("token", "revoke", "my-chat").code == 0
    assert "no valid token" in command("token", "revoke", "my-chat").err
    assert "an app's name is" in command("token", "create", "--app", "a/b").err


@pytest.mark.parametrize("arguments", [("list",), ("show", "a"), ("open-items",), ("usage",), ("delete", "a", "--yes")])
def test_without_a_database(command: Command, switched_on: DataFolder, arguments: tuple[str, ...]) -> None:
    """The sentence says how one comes about; none is made."""
    ran = command(*arguments)
    assert (ran.code, ran.out) == (1, "")
    assert "there is no database in" in ran.err
    assert not switched_on.database.exists()


def test_open_items_without_a_database_while_off(command: Command, folder: DataFolder) -> None:
    """It ends like the other commands, whether or not summaries are on."""
    ran = command("open-items")
    assert (ran.code, ran.out) == (1, "")
    assert "there is no database in" in ran.err


def test_a_file_that_is_no_database(command: Command, switched_on: DataFolder) -> None:
    """It is said in one sentence, and the file is left as it is."""
    switched_on.database.write_bytes(b"no database, but long enough to look at" * 50)
    ran = command("list")
    assert ran.code == 1
    assert "file is not a database" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_an_older_database_is_migrated_first(command: Command, switched_on: DataFolder) -> None:
    """A file at no revision yet is brought up to date by a command that reads."""
    sqlite3.connect(switched_on.database).close()
    switched_on.database.touch()
    assert command("list").out == "No sessions.\n"


def test_reading_waits_for_no_starting_service(command: Command, filled: DataFolder) -> None:
    """While a service starts, a command says so instead of reading past it."""
    lock = FolderLock.take(filled)
    ran = command("list")
    lock.release()
    assert ran.code == 1
    assert "is starting or stopping" in ran.err


def test_reading_leaves_every_row_as_it_is(command: Command, filled: DataFolder) -> None:
    """No command that reads changes the database."""
    before = _dump(filled)
    for arguments in (("list",), ("show", BACKUP), ("open-items",), ("usage",), ("doctor",)):
        assert command(*arguments).code == 0
    assert _dump(filled) == before


def _dump(folder: DataFolder) -> list[str]:
    with sqlite3.connect(folder.database) as connection:
        lines = list(connection.iterdump())
    connection.close()
    return lines
