"""What reaches the terminal or the pipe: no colour and no control characters where they do not belong."""

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import IO

import typer

from service.domain.lines import Line, Tone, plain, visible

_NARROWEST = 40
_WIDEST = 100
_PIPE_WIDTH = 80
# Characters beyond JSON's own escapes that some terminals obey, or that some programs take for the end of a line.
_OBEYED = {
    code: f"\\u{code:04x}" for code in (0x7F, *range(0x80, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A))
}
_COLOURS: dict[Tone, tuple[str | None, bool, bool]] = {
    Tone.PLAIN: (None, False, False),
    Tone.STRONG: (None, True, False),
    Tone.QUIET: (None, False, True),
    Tone.GOOD: ("green", False, False),
    Tone.ATTENTION: ("yellow", True, False),
    Tone.ACTIVE: ("cyan", False, False),
}


def is_terminal(stream: IO[str]) -> bool:
    """Whether a person looks at the stream."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """How many columns text may take: 80 in a pipe, the terminal's own up to where lines get hard to read."""
    if not is_terminal(sys.stdout):
        return _PIPE_WIDTH
    return max(_NARROWEST, min(shutil.get_terminal_size((_PIPE_WIDTH, 24)).columns, _WIDEST))


def say(text: str = "") -> None:
    """Lines of plain words on stdout."""
    typer.echo("\n".join(map(visible, text.split("\n"))))


def advise(text: str) -> None:
    """A line for the person, on stderr, so that stdout holds the answer alone."""
    typer.echo(visible(text), err=True)


def say_error(sentence: str) -> None:
    """The one sentence an unsuccessful command ends with."""
    advise(f"session-summary: {sentence}")


def say_json(value: object) -> None:
    """One line of JSON."""
    typer.echo(json_line(value))


def json_line(value: object) -> str:
    """JSON on one line by anybody's count; it may hold any text and still does nothing to a terminal."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).translate(_OBEYED)


@contextlib.contextmanager
def busy(words: str) -> Iterator[None]:
    """A turning wheel beside the words while the block runs, on a terminal alone."""
    if not is_terminal(sys.stderr):
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(visible(words))):
        yield


def say_lines(lines: Iterable[Line]) -> None:
    """Lines of spans: with colour on a terminal, plain elsewhere."""
    coloured = is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")
    for line in lines:
        shown = "".join(_painted(visible(span.text), span.tone) for span in line) if coloured else visible(plain(line))
        typer.echo(shown)


def _painted(text: str, tone: Tone) -> str:
    colour, bold, dim = _COLOURS[tone]
    if tone is Tone.PLAIN or not text:
        return text
    return typer.style(text, fg=colour, bold=bold or None, dim=dim or None)
