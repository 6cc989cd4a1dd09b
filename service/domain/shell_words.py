"""A shell command line as tokens: words with their quotes taken off, and operators.

Redirections, comments and heredoc bodies are left out, since none of them is a command. What a substitution runs
(`$(…)`, backticks, `<(…)`) stays raw text inside its word. Any text is taken, in linear time: where a quote or a
bracket is never closed, the rest belongs to it and the line counts as torn.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

_BLANKS = re.compile(r"[ \t\r\f\v]+")
_PLAIN = re.compile(r"[^\s'\"\\$`|&;()<>]+")
_IN_DOUBLE_QUOTES = re.compile(r"[^\"\\$`]+")
_ANSI_QUOTED = re.compile(r"\$'(?:[^'\\]|\\.)*", re.DOTALL)
_BACKTICKS = re.compile(r"`(?:[^`\\]|\\.)*", re.DOTALL)
_OPERATOR = re.compile(r"&&|\|\||\|&|;;&|;;|;&|[|&;()]")
_REDIRECTION = re.compile(r"<<<|<<-|<<|<&|<>|>>|>&|>\||&>>|&>|<|>")
_NO_ARGUMENTS = re.compile(r"\([ \t]*\)")
# What matters while looking for the end of a substitution; all else is stepped over in one go.
_NESTED_PLAIN = re.compile(r"[^'\"\\$`(){}<\n#]+")
_HEREDOC_START = re.compile(r"<<(-?)[ \t]*(?:'([^'\n]*)'|\"([^\"\n]*)\"|\\?([^\s'\"<>|&;()]+))")


class Kind(StrEnum):
    """What a token is; a quoted word is never a reserved one."""

    WORD = "word"
    QUOTED = "quoted"
    OPERATOR = "operator"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Token:
    """One word or operator; a line break is the operator `;`."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """The tokens of a command line, and whether a quote or bracket in it was never closed."""

    tokens: tuple[Token, ...]
    torn: bool


def tokenize(text: str) -> Line:
    """Never raises; what it cannot read as shell it hands on as words."""
    lexer = _Lexer(text)
    lexer.run()
    return Line(tuple(lexer.tokens), lexer.torn)


class _Lexer:
    """Walks the text once, left to right; the position only ever grows."""

    __slots__ = ("at", "heredocs", "parts", "quoted", "target", "text", "tokens", "torn")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.tokens: list[Token] = []
        self.torn = False
        self.parts: list[str] | None = None
        self.quoted = False
        self.target = ""
        self.heredocs: list[tuple[str, bool]] = []

    def run(self) -> None:
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "\n":
                self._break_line()
            elif blanks := _BLANKS.match(self.text, self.at):
                self._end_word()
                self.at = blanks.end()
            elif char == "#" and self.parts is None:
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif char in "<>" or self.text.startswith("&>", self.at):
                self._redirect()
            elif char in "|&;()":
                self._operate()
            else:
                self._extend_word(char)
        self._end_word()
        self.torn = self.torn or bool(self.heredocs)

    def _add(self, part: str, end: int, *, quoted: bool = False) -> None:
        if self.parts is None:
            self.parts = []
        self.parts.append(part)
        self.quoted = self.quoted or quoted
        self.at = end

    def _end_word(self) -> None:
        if self.parts is None:
            return
        word, quoted = "".join(self.parts), self.quoted
        self.parts, self.quoted = None, False
        if self.target:
            if self.target.startswith("<<") and self.target != "<<<":
                self.heredocs.append((word, self.target == "<<-"))
            self.target = ""
            return
        self.tokens.append(Token(Kind.QUOTED if quoted else Kind.WORD, word))

    def _break_line(self) -> None:
        self._end_word()
        self.target = ""
        self.at += 1
        for delimiter, indented in self.heredocs:
            end = heredoc_end(self.text, self.at, delimiter, indented=indented)
            self.torn = self.torn or end is None
            self.at = len(self.text) if end is None else end
        self.heredocs = []
        self.tokens.append(Token(Kind.OPERATOR, ";"))

    def _redirect(self) -> None:
        if self.text.startswith(("<(", ">("), self.at):
            self._opaque(self.at + 1)
            return
        if self.parts is not None and not self.quoted and "".join(self.parts).isdigit():
            self.parts = None  # the descriptor in `2>&1` is no argument
        self._end_word()
        match = _REDIRECTION.match(self.text, self.at)
        self.target = match.group() if match else "<"
        self.at = match.end() if match else self.at + 1

    def _operate(self) -> None:
        if self.text[self.at] == "(" and self._opens_no_group():
            return
        self._end_word()
        self.target = ""
        match = _OPERATOR.match(self.text, self.at)
        operator = match.group() if match else ";"
        self.tokens.append(Token(Kind.OPERATOR, operator))
        self.at += len(operator)

    def _opens_no_group(self) -> bool:
        """`name()` begins a function, `((` is arithmetic, `a=(` and `!(` belong to their word."""
        after_word = self.parts is not None or bool(self.tokens and self.tokens[-1].kind is not Kind.OPERATOR)
        if after_word and (empty := _NO_ARGUMENTS.match(self.text, self.at)):
            self._end_word()
            self.tokens.append(Token(Kind.FUNCTION, "()"))
            self.at = empty.end()
            return True
        if self.parts is not None or self.text.startswith("((", self.at):
            self._opaque(self.at)
            return True
        return False

    def _opaque(self, bracket: int) -> None:
        end = nested_end(self.text, bracket)
        self.torn = self.torn or end is None
        stop = len(self.text) if end is None else end
        self._add(self.text[self.at : stop], stop, quoted=True)

    def _extend_word(self, char: str) -> None:
        if plain := _PLAIN.match(self.text, self.at):
            self._add(plain.group(), plain.end())
        elif char == "'":
            end = self.text.find("'", self.at + 1)
            self._quote(self.at + 1, end)
        elif char == '"':
            self._double_quotes()
        elif char == "\\":
            escaped = self.text[self.at + 1 : self.at + 2]
            if escaped == "\n":
                self.at += 2  # a line that goes on
            else:
                self._add(escaped, self.at + 2, quoted=True)
        elif self.text.startswith(("$(", "${"), self.at):
            self._opaque(self.at + 1)
        elif char in "$`" and (raw := _ANSI_QUOTED.match(self.text, self.at) or _BACKTICKS.match(self.text, self.at)):
            closed = raw.end() < len(self.text)
            self.torn = self.torn or not closed
            start = self.at + 2 if char == "$" else self.at
            self._add(self.text[start : raw.end()], raw.end() + 1, quoted=True)
        else:
            self._add(char, self.at + 1)

    def _quote(self, start: int, end: int) -> None:
        self.torn = self.torn or end < 0
        stop = len(self.text) if end < 0 else end
        self._add(self.text[start:stop], stop + 1, quoted=True)

    def _double_quotes(self) -> None:
        self._add("", self.at + 1, quoted=True)
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == '"':
                self.at += 1
                return
            if plain := _IN_DOUBLE_QUOTES.match(self.text, self.at):
                self._add(plain.group(), plain.end())
            elif char == "\\":
                self._escape_in_quotes()
            elif self.text.startswith(("$(", "${"), self.at):
                self._opaque(self.at + 1)
            elif char == "`" and (raw := _BACKTICKS.match(self.text, self.at)):
                self._add(raw.group(), raw.end() + 1)
            else:
                self._add(char, self.at + 1)
        self.torn = True

    def _escape_in_quotes(self) -> None:
        escaped = self.text[self.at + 1 : self.at + 2]
        kept = "" if escaped == "\n" else escaped if escaped in '"\\$`' else "\\" + escaped
        self._add(kept, self.at + 2)


def heredoc_end(text: str, start: int, delimiter: str, *, indented: bool) -> int | None:
    """Where the body that begins at `start` is over, behind its delimiter's line; None where that never comes."""
    at = start
    while at < len(text):
        end = text.find("\n", at)
        stop = len(text) if end < 0 else end
        # A line longer than the delimiter and some tabs cannot be it, and is not copied.
        line = text[at:stop] if stop - at <= len(delimiter) + 64 else ""
        if (line.lstrip("\t") if indented else line) == delimiter:
            return stop
        at = stop + 1
    return None


def nested_end(text: str, bracket: int) -> int | None:
    """Behind the bracket that closes the one at `bracket`, over quotes, heredocs and brackets inside; None if never."""
    open_marks: list[str] = []
    heredocs: list[tuple[str, bool]] = []
    at = bracket
    while at < len(text):
        char = text[at]
        if open_marks and open_marks[-1] == '"':
            at = _step_in_quotes(text, at, open_marks)
        elif plain := _NESTED_PLAIN.match(text, at):
            at = plain.end()
        elif char == "\n":
            at += 1
            for delimiter, indented in heredocs:
                end = heredoc_end(text, at, delimiter, indented=indented)
                if end is None:
                    return None
                at = end
            heredocs = []
        elif char == "<" and (start := _HEREDOC_START.match(text, at)) and not text.startswith("<<<", at):
            heredocs.append((start[2] or start[3] or start[4] or "", bool(start[1])))
            at = start.end()
        else:
            at = _step(text, at, open_marks)
        if not open_marks:
            return at
    return None


def _step_in_quotes(text: str, at: int, open_marks: list[str]) -> int:
    if plain := _IN_DOUBLE_QUOTES.match(text, at):
        return plain.end()
    if text.startswith(("$(", "${"), at):
        open_marks.append(")" if text[at + 1] == "(" else "}")
        return at + 2
    if text[at] == '"':
        open_marks.pop()
    return at + (2 if text[at] == "\\" else 1)


def _step(text: str, at: int, open_marks: list[str]) -> int:
    char = text[at]
    if char == "\\":
        return at + 2
    if char == "'":
        end = text.find("'", at + 1)
        return len(text) if end < 0 else end + 1
    if char == "`" and (raw := _BACKTICKS.match(text, at)):
        return raw.end() + 1
    if char == "#" and text[at - 1].isspace():
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if char in '"({':
        open_marks.append({'"': '"', "(": ")", "{": "}"}[char])
    elif open_marks and char == open_marks[-1]:
        open_marks.pop()
    return at + 1
