"""`token`: the dashboard's token, and the tokens of apps."""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from service.cli.output import advise, say, say_json
from service.cli.place import AsJson, DataDir, data_folder
from service.cli.plain_help import PlainCommand
from service.cli.reach import reach

app = typer.Typer(
    help=(
        "Tokens: the dashboard's, and those of apps.\n\n\b\nExamples:\n"
        "  session-summary token show\n  session-summary token create --app my-chat\n"
    ),
    rich_markup_mode=None,
    no_args_is_help=True,
)


@app.command("show", short_help="Print the dashboard token; made on first use.")
def show(data_dir: DataDir = None) -> None:
    """Print the dashboard token, which may see and do everything; made on first use.

    \b
    Examples:
      session-summary token show
      curl -H "Authorization: Bearer $(session-summary token show)" \\
        http://127.0.0.1:8765/api/chat/slots
    """
    folder = data_folder(data_dir)
    folder.prepare()
    say(folder.dashboard_token())
    advise("This token sees every session; apps get their own with `session-summary token create --app NAME`.")


@app.command("create", short_help="Make a token for an app; shown once.")
def create(
    name: Annotated[str, typer.Option("--app", metavar="NAME", help="The app's name: letters, digits, '.', '_', '-'.")],
    data_dir: DataDir = None,
) -> None:
    """Make a token for an app, which then sees only the sessions it creates; shown once, stored as a digest.

    \b
    Examples:
      session-summary token create --app my-chat
      TOKEN=$(session-summary token create --app my-chat)
    """
    with reach(data_folder(data_dir)) as data:
        token = data.create_token(name)
    say(token)
    advise(f"Keep it now: it is not shown again. It ends with `session-summary token revoke {name}`.")


@app.command("list")
def list_(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the apps' tokens, oldest first.

    \b
    Examples:
      session-summary token list
      session-summary token list --json
    """
    with reach(data_folder(data_dir)) as data:
        tokens = data.tokens()
    if as_json:
        say_json({"tokens": tokens})
    elif tokens:
        say("\n".join(_row(token) for token in tokens))
    else:
        advise("No app has a token yet; make one with `session-summary token create --app NAME`.")


@app.command("revoke", cls=PlainCommand)
def revoke(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The app whose tokens end.")], data_dir: DataDir = None
) -> None:
    """Revoke every token of an app, at once and for good.

    \b
    Examples:
      session-summary token revoke my-chat
    """
    with reach(data_folder(data_dir)) as data:
        count = data.revoke_tokens(name)
    advise(f"{count} token{'' if count == 1 else 's'} of {name} revoked.")


def _row(token: dict[str, Any]) -> str:
    revoked = token["revoked"]
    standing = "valid" if revoked is None else f"revoked {_day(revoked)}"
    return f"{token['app']:<32}  made {_day(token['created'])}  {standing}"


def _day(ns: int) -> str:
    return f"{datetime.fromtimestamp(ns / 1_000_000_000, UTC):%Y-%m-%d}"
