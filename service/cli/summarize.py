"""`summarize`: the summary of a transcript file, made at once and stored nowhere."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from service.cli.output import advise, busy, is_terminal, say, say_error, say_json, say_lines, width
from service.cli.place import ConfigPath, DataDir, config_path, data_folder
from service.config import Config, read_config
from service.domain.lines import Span, Tone

if TYPE_CHECKING:
    from service.cli.transcript_files import Made, NotMade

T = TypeVar("T")
Engine = Literal["auto", "anthropic", "outline"]
Format = Literal["text", "json", "markdown"]


def summarize(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Transcript files of any known agent.")],
    engine: Annotated[
        Engine | None, typer.Option(help="outline needs no model, no key and no network. [default: the setting]")
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="How the summary is printed.")] = "text",
    data_dir: DataDir = None,
    config: ConfigPath = None,
) -> int:
    """Summarize transcript files; nothing is stored, nothing is written beside them.

    Exit code 0: done. 2: unreadable, unknown or empty file. 3: no person ever spoke. 4: the model failed.

    \b
    Examples:
      session-summary summarize ~/.claude/projects/shop/1f2e.jsonl
      session-summary summarize --format markdown session.jsonl > brief.md
      session-summary summarize --engine outline *.jsonl
      session-summary summarize --format json *.jsonl | jq -r '.intents[].title'
    """
    settings = read_config(config_path(data_folder(data_dir), config))
    if engine is not None:
        settings = replace(settings, engine=engine)
    return max(_one(path, settings, format_, place, len(paths)) for place, path in enumerate(paths, 1))


def _one(path: Path, settings: Config, format_: Format, place: int, count: int) -> int:
    """Prints what one file comes to; its exit code."""
    from service.cli.transcript_files import NotMade, summaries_of

    with _progress(path, place, count):
        outcomes = _run(summaries_of(path, settings, os.environ))
    for number, outcome in enumerate(outcomes):
        if isinstance(outcome, NotMade):
            _tell_failure(outcome, format_)
        else:
            _print(outcome, format_, separated=place > 1 or number > 0, named=count > 1)
    return max(outcome.code for outcome in outcomes)


def _run(work: Coroutine[Any, Any, T]) -> T:
    """What the work gives; Ctrl-C does not wait for its threads, which leave nothing half done."""
    runner, interrupted = asyncio.Runner(), False
    try:
        return runner.run(work)
    except KeyboardInterrupt:
        interrupted = True
        raise
    finally:
        # To close it is to wait.
        if not interrupted:
            runner.close()


def _print(made: "Made", format_: Format, *, separated: bool, named: bool) -> None:
    """One summary; of several each has its file above it on a terminal, where no other word tells them apart."""
    from service.domain.markdown import About, as_markdown
    from service.domain.plain_text import as_lines

    if format_ == "json":
        say_json(made.as_json())
        return
    if separated:
        say()
    if format_ == "markdown":
        about = About(made.heading, made.session["key"] or "", made.session["project"] or "")
        say(as_markdown(made.payload, about).rstrip("\n"))
        return
    if named and is_terminal(sys.stdout):
        say_lines([(Span(str(made.path), Tone.QUIET),)])
    say_lines(as_lines(made.payload, heading=made.heading, width=width()))


def _tell_failure(failure: "NotMade", format_: Format) -> None:
    if format_ == "json":
        say_json(failure.as_json())
    say_error(failure.sentence)


@contextlib.contextmanager
def _progress(path: Path, place: int, count: int) -> Iterator[None]:
    """A turning wheel on a terminal; elsewhere a plain line per file where there are several."""
    words = f"summarizing {path.name}" + (f" ({place} of {count})" if count > 1 else "")
    if count > 1 and not is_terminal(sys.stderr):
        advise(words)
    with busy(words):
        yield
