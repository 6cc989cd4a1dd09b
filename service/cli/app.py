"""The program `session-summary`: its commands in their order, and what becomes of everything that goes wrong."""

import logging
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Annotated

import typer

from service.cli import demo, doctor, serve, sessions, settings, summarize, tokens, usage
from service.cli.ending import FOLDER_IN_USE, INTERRUPTED, PIPE_CLOSED, CommandError
from service.cli.misuse import plain_words
from service.cli.output import say_error
from service.cli.plain_help import PlainCommand
from service.config import ConfigError
from service.store.folder import FolderError, FolderInUseError

PROGRAM = "session-summary"

app = typer.Typer(
    help=(
        "Keeps an intent-level summary for every chat session with an AI agent: why it began, what is true now, "
        "what to do next.\n\n"
        "\b\n"
        "Examples:\n"
        "  session-summary demo                       see it with made-up sessions\n"
        "  session-summary summarize session.jsonl    read a transcript, store nothing\n"
        "  session-summary serve                      the service and its page\n"
    ),
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"{PROGRAM} {version('session-summary')}")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


app.command("serve")(serve.serve)
app.command("demo", short_help="See what it does, with made-up sessions; nothing stays.")(demo.demo)
app.command("summarize", cls=PlainCommand, short_help="Summarize transcript files; nothing is stored.")(
    summarize.summarize
)
app.command("list")(sessions.list_sessions)
app.command("show", cls=PlainCommand, short_help="Show a session's summary, or make one with --make.")(sessions.show)
app.command("open-items")(sessions.open_items)
app.command("usage")(usage.usage)
app.command("delete", cls=PlainCommand, short_help="Delete a session for good.")(sessions.delete)
app.add_typer(tokens.app, name="token")
app.add_typer(settings.app, name="config")
app.command("doctor", short_help="Tell what is found, what is in force, what is wrong.")(doctor.doctor)


def run(arguments: Sequence[str]) -> int:
    """The exit code of one command; what went wrong is one sentence on stderr."""
    try:
        # Called by itself the program would put its own hook for defects in the place of ours.
        code = typer.main.get_command(app)(args=list(arguments), prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except BrokenPipeError:
        return _pipe_closed()
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except typer.TyperException as wrong:
        return _misused(wrong)
    except CommandError as error:
        return _failed(str(error), error.code)
    except FolderInUseError as error:
        return _failed(str(error), FOLDER_IN_USE)
    except (FolderError, ConfigError) as error:
        return _failed(str(error), 1)
    except UnicodeEncodeError:
        return _failed("a word of the command is no UTF-8 text, as only paths may be")
    except OSError as error:
        return _failed(_system_words(error))


def _failed(sentence: str, code: int = 1) -> int:
    say_error(sentence)
    return code


def _system_words(error: OSError) -> str:
    said = error.strerror or str(error)
    named = error.filename is not None
    return f"{error.filename}: {said}; check the path and its permissions" if named else f"the system said: {said}"


def _misused(wrong: typer.TyperException) -> int:
    """Called without a command it shows the help; a wrong option names the help that knows the right ones."""
    context = getattr(wrong, "ctx", None)
    command = context.command_path if context else PROGRAM
    message = wrong.format_message()
    if message.startswith("Usage:"):
        typer.echo(message, err=True)
    else:
        say_error(f"{plain_words(message)}; see `{command} --help`")
    return wrong.exit_code


def _pipe_closed() -> int:
    """Whoever read our output has gone; nothing may be flushed into the closed pipe at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED


def _tell_defect(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A defect of ours still ends in one sentence; its message is left out, since it may hold a conversation's text."""
    frames = traceback.extract_tb(trace)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"
    say_error(f"something went wrong inside the program ({kind.__name__} at {place}); please report it")


def main() -> int:
    """The exit code of the command that the process was called with."""
    sys.excepthook = _tell_defect
    # Only `serve` has a log; elsewhere the command itself says what matters.
    logging.getLogger().addHandler(logging.NullHandler())
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    return run(sys.argv[1:])
