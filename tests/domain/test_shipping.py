"""Commits, pushes and pull requests, as the tools' own output proves them."""

import pytest

from service.domain.facts import command_facts
from service.domain.messages import FactResult

PASSED, FAILED, UNKNOWN = FactResult.PASSED, FactResult.FAILED, FactResult.UNKNOWN
PUSH = "To git.example:shop.git\n   1a2b3c4..5d6e7f8  main -> main\n"
URL = "https://git.example/shop/pull/12"


def shipped(command: str, output: str, result: FactResult = PASSED) -> list[str]:
    return [f"{fact.kind} {fact.text}" for fact in command_facts(command, output, result)]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("[main 1a2b3c4] fix tax", "1a2b3c4 fix tax"),
        ("[main (root-commit) 1a2b3c4] first", "1a2b3c4 first"),
        ("[detached HEAD 1a2b3c4] try", "1a2b3c4 try"),
        ("\x1b[32m[feat/x 1a2b3c4] [shop] round\x1b[0m\r", "1a2b3c4 [shop] round"),
    ],
)
def test_a_commit_shows_with_hash_and_subject(line: str, text: str) -> None:
    """Both come from the line that git prints."""
    assert shipped("git -C shop commit -am 'other words'", f"hook ran\n{line}\n 1 file changed") == [
        f"committed {text}"
    ]


@pytest.mark.parametrize(
    ("command", "subject"),
    [
        ("git commit -qm 'fix tax'", "fix tax"),
        ("git commit -q --message='fix tax'", "fix tax"),
        ("git commit -q -m 'fix tax' -m body", "fix tax"),
        ("git commit -qm \"$(cat <<'EOF'\nfix tax; don't (round)\n\nbody\nEOF\n)\"", "fix tax; don't (round)"),
    ],
)
def test_a_quiet_commit_shows_with_its_subject(command: str, subject: str) -> None:
    """The message stands for the line git did not print."""
    assert shipped(command, "") == [f"committed {subject}"]


@pytest.mark.parametrize(
    ("command", "output", "result"),
    [
        ("git commit -m x", "[main 1a2b3c4] x", FAILED),
        ("git commit -m x", "nothing to commit", FAILED),
        ("git commit -m x; true", "", PASSED),
        ("git commit --dry-run -m x", "", PASSED),
        ("echo git commit -m x", "[main 1a2b3c4] x", PASSED),
        ('git commit -m "$subject"', "", PASSED),
        ("git log", "[main 1a2b3c4] x", PASSED),
    ],
)
def test_an_unproven_commit_does_not_show(command: str, output: str, result: FactResult) -> None:
    """A failed, rehearsed or merely named commit is none."""
    assert shipped(command, output, result) == []


def test_a_commit_shows_although_the_push_behind_it_failed() -> None:
    """Its own line proves it."""
    output = "[main 1a2b3c4] x\nTo git.example\n ! [rejected]        main -> main (fetch first)\n"
    assert shipped("git commit -m x && git push", output, FAILED) == ["committed 1a2b3c4 x"]


def test_every_commit_of_a_line_shows_once() -> None:
    """Two commits are two facts."""
    output = "[main 1a2b3c4] one\n[main 2b3c4d5] two\n"
    assert shipped("git commit -m one && git commit -m two", output) == [
        "committed 1a2b3c4 one",
        "committed 2b3c4d5 two",
    ]


@pytest.mark.parametrize(
    ("command", "output", "refs"),
    [
        ("git push", PUSH, ["main"]),
        ("git push 2>&1 | tail -1", "   1a2b3c4..5d6e7f8  main -> main", ["main"]),
        ("git push", "To x\n * [new branch]      feat/a -> feat/a\n", ["feat/a"]),
        ("git push -f", "To x\n + 1a2b3c4...5d6e7f8 main -> main (forced update)\n", ["main"]),
        ("git pull && git push", f"From x\n   1a2b3c4..5d6e7f8  dev -> origin/dev\n{PUSH}", ["main"]),
        ("git push -q origin main HEAD:refs/heads/release", "", ["main", "release"]),
        ("git push", "Everything up-to-date", []),
        ("git push origin main", "Everything up-to-date", []),
        ("git push origin :gone", "To x\n - [deleted]         gone", []),
        ("git push -q", "", []),
        ("git push --dry-run", PUSH, []),
        ("git fetch", "From x\n   1a2b3c4..5d6e7f8  main -> origin/main", []),
    ],
)
def test_a_push_shows_with_the_refs_that_went_out(command: str, output: str, refs: list[str]) -> None:
    """What was fetched, deleted, rejected or already there is no push."""
    assert shipped(command, output) == [f"pushed {ref}" for ref in refs]


@pytest.mark.parametrize(
    ("command", "output", "result", "expected"),
    [
        ("gh pr create --fill", f"Creating\n\n{URL}\n", PASSED, [f"opened_pr {URL}"]),
        ("gh pr create --fill 2>&1 | tail -1", URL, PASSED, [f"opened_pr {URL}"]),
        ("glab mr create", "https://lab.example/a/b/-/merge_requests/3", PASSED, ["opened_pr https://lab.example/a/b/-/merge_requests/3"]),
        ("gh pr create", f"a pull request already exists:\n{URL}", FAILED, []),
        ("gh pr create | cat", f"a pull request already exists:\n{URL}", PASSED, []),
        ("gh pr create --dry-run", URL, PASSED, []),
        ("gh pr view", URL, PASSED, []),
        ("git push", f"remote: https://git.example/shop/pull/new/x\n{PUSH}", PASSED, ["pushed main"]),
    ],
)  # fmt: skip
def test_a_pull_request_shows_with_its_address(
    command: str, output: str, result: FactResult, expected: list[str]
) -> None:
    """Only one that was opened here, not one that was there or was looked at."""
    assert shipped(command, output, result) == expected


def test_a_long_output_is_read_at_both_ends() -> None:
    """A commit's line is found behind megabytes of hook output."""
    assert shipped("git commit -m x", "noise\n" * 500_000 + "[main 1a2b3c4] x") == ["committed 1a2b3c4 x"]
