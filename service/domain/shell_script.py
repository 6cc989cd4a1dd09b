"""A shell script as a tree, and what its one exit code proves about the commands in it.

A script is a tuple of chains in order, a chain is pipelines joined by `&&` and `||`. Of `if` only the condition is
kept, of a loop condition and body, both as loose groups, whose commands ran with results nobody knows; branches, `case`
and function bodies are left out, since nothing says that they ran.
"""

from dataclasses import dataclass
from enum import StrEnum

from service.domain.shell_words import Kind, Token, tokenize

MAX_DEPTH = 24
_SEPARATORS = frozenset({";", "&", ";;", ";&", ";;&"})
_CONDITIONS = {"if": "fi", "while": "done", "until": "done"}
_LOOPS = frozenset({"for", "select"})
_CLOSING = frozenset({"fi", "done", "esac", "}", ")", "then", "else", "elif", "do"})
_BODIES = frozenset({"then", "else", "elif"})
_EXITS = (("exit",), ("return",))
_PASSING = ((), ("0",), ("00",))


class Joint(StrEnum):
    """How a pipeline hangs on the one before it."""

    FIRST = ""
    AND = "&&"
    OR = "||"


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command: its words without quotes and redirections."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Commands in brackets; a loose one has no result that its exit code would prove."""

    chains: "tuple[Chain, ...]"
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Stages joined by `|`; a negated one says nothing reliable about them."""

    stages: tuple[Command | Group, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """Pipelines joined by `&&` and `||`; nobody waits for one in the background."""

    links: tuple[tuple[Joint, Pipeline], ...]
    background: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """The chains of a script; of a torn one no result is proven.

    It `may_pass_early` where an `exit` may end it with 0, and `may_fail_early` where any may end it with another code
    before what stands last. The plain `… || exit 1` is not counted: whoever reads the chain sees it.
    """

    chains: tuple[Chain, ...]
    torn: bool = False
    may_pass_early: bool = False
    may_fail_early: bool = False


def fails_by_word(words: tuple[str, ...]) -> bool:
    """`false`, `exit 1` and their like: a command that never passes."""
    return words == ("false",) or (words[:1] in _EXITS and words[1:2] not in _PASSING and words[1].isdigit())


def parse(text: str) -> Script:
    """Never raises; brackets nested beyond the limit, or closed without being opened, make a torn script."""
    line = tokenize(text)
    parser = _Parser(line.tokens, torn=line.torn)
    chains = parser.chains(frozenset(), 0)
    return Script(chains, parser.torn, parser.may_pass_early, parser.may_fail_early)


class _Parser:
    __slots__ = ("at", "excused", "may_fail_early", "may_pass_early", "tokens", "torn")

    def __init__(self, tokens: tuple[Token, ...], *, torn: bool) -> None:
        self.tokens = tokens
        self.at = 0
        self.torn = torn
        self.excused = False
        self.may_pass_early = False
        self.may_fail_early = False

    def chains(self, ends: frozenset[str], depth: int) -> tuple[Chain, ...]:
        """The chains up to one of `ends`, which is left standing; whatever closes nothing is stepped over."""
        found: list[Chain] = []
        while self.at < len(self.tokens):
            text = self._mark()
            if text in ends:
                return tuple(found)
            if text in _SEPARATORS:
                self.at += 1
            elif text in _CLOSING:
                self.torn = True
                self.at += 1
            else:
                found.append(self._chain(depth))
        self.torn = self.torn or bool(ends)
        return tuple(found)

    def _mark(self) -> str:
        """The operator or unquoted word at hand; empty where there is neither."""
        if self.at >= len(self.tokens):
            return ""
        token = self.tokens[self.at]
        return "" if token.kind is Kind.QUOTED else token.text

    def _operator(self) -> str:
        is_operator = self.at < len(self.tokens) and self.tokens[self.at].kind is Kind.OPERATOR
        return self.tokens[self.at].text if is_operator else ""

    def _chain(self, depth: int) -> Chain:
        links = [(Joint.FIRST, self._pipeline(depth))]
        while (operator := self._operator()) in ("&&", "||"):
            self._pass_operator()
            self.excused = self.excused or (operator == "||" and depth == 0)
            links.append((Joint(operator), self._pipeline(depth)))
            self.excused = self.excused and depth > 0
        return Chain(tuple(links), background=self._operator() == "&")

    def _pass_operator(self) -> None:
        self.at += 1
        while self._operator() == ";":  # a line may break behind `&&`, `||` and `|`
            self.at += 1

    def _pipeline(self, depth: int) -> Pipeline:
        negated = False
        while self._mark() == "!":
            negated = True
            self.at += 1
        stages = [self._stage(depth)]
        while self._operator() in ("|", "|&"):
            self._pass_operator()
            stages.append(self._stage(depth))
        return Pipeline(tuple(stages), negated)

    def _stage(self, depth: int) -> Command | Group:
        mark = self._mark()
        if mark in ("(", "{") or mark in _CONDITIONS or mark in _LOOPS or mark in ("case", "function"):
            if depth >= MAX_DEPTH:
                self.torn = True
                self.at = len(self.tokens)
                return Command(())
            return self._compound(mark, depth + 1)
        return self._command(depth)

    def _compound(self, mark: str, depth: int) -> Command | Group:
        self.at += 1
        match mark:
            case "(" | "{":
                group = Group(self.chains(frozenset({")" if mark == "(" else "}"}), depth))
                self._close()
                return group
            case "case":
                self._skip_to("esac")
                return Command(())
            case "function":
                self.at += 1
                return self._function(depth)
            case _ if mark in _LOOPS:
                self._skip_to("do", leave=True)
                return self._loop((), depth)
            case "if":
                return self._condition(depth)
            case _:
                return self._loop(self.chains(frozenset({"do"}), depth), depth)

    def _close(self) -> None:
        """Steps over the closing mark and anything but an operator behind it."""
        self.at += 1
        while self.at < len(self.tokens) and not self._operator() and self._mark() not in _CLOSING:
            self.at += 1

    def _loop(self, condition: tuple[Chain, ...], depth: int) -> Group:
        self.at += 1
        body = self.chains(frozenset({"done"}), depth)
        self._close()
        return Group(condition + body, loose=True)

    def _condition(self, depth: int) -> Group:
        condition = self.chains(frozenset({"then", "fi"}), depth)
        while self._mark() in _BODIES:
            self.at += 1
            self.chains(_BODIES | {"fi"}, depth)
        self._close()
        return Group(condition, loose=True)

    def _skip_to(self, word: str, *, leave: bool = False) -> None:
        """Steps over what is no command: a loop's head, the whole of a `case`."""
        open_cases = 1
        while self.at < len(self.tokens) and open_cases:
            mark = self._mark()
            open_cases += (mark == "case") - (mark == word)
            if mark in ("exit", "return"):
                self.may_pass_early = self.may_fail_early = True
            self.at += not (leave and not open_cases)
        self.torn = self.torn or open_cases > 0

    def _function(self, depth: int) -> Command:
        """A definition runs nothing: its body is read and dropped."""
        if self.at < len(self.tokens) and self.tokens[self.at].kind is Kind.FUNCTION:
            self.at += 1
        while self._operator() == ";":
            self.at += 1
        self._stage(depth)
        return Command(())

    def _command(self, depth: int) -> Command:
        start = self.at
        if self._mark() == "[[":
            self._skip_to("]]")
            return Command(("[[",))
        while self.at < len(self.tokens) and not self._operator():
            if self.tokens[self.at].kind is Kind.FUNCTION:
                return self._function(depth + 1) if depth < MAX_DEPTH else self._give_up()
            self.at += 1
        if self._operator() == "(":  # a bracket behind a word is no shell
            return self._give_up()
        words = tuple(token.text for token in self.tokens[start : self.at])
        self._note_exit(words)
        return Command(words)

    def _note_exit(self, words: tuple[str, ...]) -> None:
        if words[:1] in _EXITS and fails_by_word(words):
            self.may_fail_early |= not self.excused
        elif words[:1] in _EXITS or (words[:1] == ("trap",) and any("exit" in word for word in words)):
            self.may_pass_early = self.may_fail_early = True

    def _give_up(self) -> Command:
        self.torn = True
        self.at = len(self.tokens)
        return Command(())
