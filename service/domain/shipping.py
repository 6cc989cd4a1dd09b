"""What `git commit`, `git push`, `gh pr create` and `glab mr create` did, proven by the lines they print."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.domain.commands import Ran
from service.domain.messages import FactKind, FactResult
from service.domain.programs import program_name

# The lines that prove something stand at the beginning or the end of what a command prints.
_OUTPUT_ENDS = 16_000
_MAX_LINES = 20
_COLOR = re.compile(r"\x1b\[[0-9;]{0,20}m")
_COMMITTED = re.compile(r"\[(?:[^\]\n]{1,250} )?([0-9a-f]{4,64})\] (.+)")
_PUSHED = re.compile(
    r"[+*]? ?(?:[0-9a-f]{4,64}\.{2,3}[0-9a-f]{4,64}|\[new (?:branch|tag|reference)\])\s{1,80}\S{1,250} -> (\S{1,250})"
)
_OPENED = re.compile(r"https?://[^\s\"'<>]{1,300}/(?:pull|pulls|pull-requests|merge_requests)/\d{1,12}")
_GIT_VALUES = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"})
_PUSH_VALUES = frozenset({"-o", "--push-option", "--repo", "--receive-pack", "--exec"})
_REHEARSALS = frozenset({"--dry-run", "--help", "-h"})
_MESSAGE = re.compile(r"(?:--message=|-[a-ln-zA-Z]*m)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Shipped:
    """One commit, push or pull request, as the text behind its kind."""

    kind: FactKind
    text: str


class Shipping:
    """Takes the commands of one line in turn; each line of output proves one thing only."""

    def __init__(self, output: str) -> None:
        self._lines = _ends(output)
        self._commits = list(_commit_lines(self._lines))
        self._pushes = list(_push_lines(self._lines))
        self._prints_commits = bool(self._commits)
        self._prints_pushes = bool(self._pushes)

    def by(self, ran: Ran) -> Iterator[Shipped]:
        """What this command shipped; the lines of several commits go to the first of them."""
        words = ran.commands[0]
        name, result = program_name(words[0]), ran.result
        if name == "git":
            subcommand, rest = _git_subcommand(words[1:])
            if _REHEARSALS.intersection(rest):
                return
            if subcommand == "commit" and result is not FactResult.FAILED:
                yield from self._committed(rest, result)
            elif subcommand == "push" and not {"-n", "-d", "--delete"}.intersection(rest):
                yield from self._pushed(rest, result)
        elif _opens_request(name, words[1:]) and result is not FactResult.FAILED:
            yield from self._opened()

    def _committed(self, rest: Sequence[str], result: FactResult) -> Iterator[Shipped]:
        lines, self._commits = self._commits, []
        yield from (Shipped(FactKind.COMMITTED, line) for line in lines)
        if not self._prints_commits and result is FactResult.PASSED and (subject := _subject(rest)):
            yield Shipped(FactKind.COMMITTED, subject)

    def _pushed(self, rest: Sequence[str], result: FactResult) -> Iterator[Shipped]:
        lines, self._pushes = self._pushes, []
        yield from (Shipped(FactKind.PUSHED, ref) for ref in lines)
        nothing_new = any("Everything up-to-date" in line or "[rejected]" in line for line in self._lines)
        if not self._prints_pushes and result is FactResult.PASSED and not nothing_new:
            yield from (Shipped(FactKind.PUSHED, ref) for ref in _named_refs(rest))

    def _opened(self) -> Iterator[Shipped]:
        if any("already exists" in line for line in self._lines):
            return
        found = [match.group() for line in self._lines for match in [_OPENED.search(line)] if match]
        if found:
            yield Shipped(FactKind.OPENED_PR, found[-1])


def _ends(output: str) -> list[str]:
    kept = output if len(output) <= 2 * _OUTPUT_ENDS else f"{output[:_OUTPUT_ENDS]}\n{output[-_OUTPUT_ENDS:]}"
    return _COLOR.sub("", kept).split("\n")


def _commit_lines(lines: Sequence[str]) -> Iterator[str]:
    """`[main 1a2b3c4] subject`, `[main (root-commit) 1a2b3c4] subject`, `[detached HEAD 1a2b3c4] subject`."""
    found = (_COMMITTED.fullmatch(line.rstrip("\r")) for line in lines if line.startswith("["))
    for match in [match for match in found if match][:_MAX_LINES]:
        yield f"{match[1]} {match[2]}"


def _push_lines(lines: Sequence[str]) -> Iterator[str]:
    """The refs that went out; a block that begins with `From` was fetched."""
    fetched = False
    refs: dict[str, None] = {}
    for line in lines:
        if line.startswith(("From ", "To ")):
            fetched = line.startswith("From ")
        elif not fetched and " -> " in line and (match := _PUSHED.match(line.strip())):
            refs[match[1]] = None
    yield from list(refs)[:_MAX_LINES]


def _git_subcommand(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _GIT_VALUES else 1
    return (words[at], words[at + 1 :]) if at < len(words) else ("", ())


def _subject(rest: Sequence[str]) -> str:
    """The first line of the first `-m`; also of the `"$(cat <<'EOF' …)"` that many write it with."""
    for at, word in enumerate(rest):
        match = None if word == "--message" else _MESSAGE.fullmatch(word)
        if word == "--message" or (match and not match[1]):
            return _first_line(rest[at + 1]) if at + 1 < len(rest) else ""
        if match:
            return _first_line(match[1])
    return ""


def _first_line(message: str) -> str:
    lines = [line.strip() for line in message.strip().split("\n", 20) if line.strip()]
    if lines and lines[0].startswith("$(cat <<"):
        lines = lines[1:]
    return lines[0] if lines and not lines[0].startswith("$") else ""


def _named_refs(rest: Sequence[str]) -> Iterator[str]:
    """The destinations of `git push origin main`, `… HEAD:release`; `:gone` deletes and is none."""
    names = []
    at = 0
    while at < len(rest):
        if not rest[at].startswith("-"):
            names.append(rest[at])
        at += 2 if rest[at] in _PUSH_VALUES else 1
    for name in names[1:_MAX_LINES]:
        source, _, target = name.removeprefix("+").partition(":")
        if source and "$" not in name and "`" not in name:
            yield (target or source).removeprefix("refs/heads/")


def _opens_request(name: str, words: Sequence[str]) -> bool:
    """Whether a pull request is made; `--web` and `--dry-run` leave that to the person."""
    if {"--dry-run", "--web", "-w", "--help"}.intersection(words):
        return False
    verbs = tuple(word for word in words if not word.startswith("-"))[:2]
    return (name, verbs) in {("gh", ("pr", "create")), ("gh", ("pr", "new")), ("glab", ("mr", "create"))}
