"""`usage`: what passes came to, and what they cost."""

from typing import Annotated

import typer

from service.cli.ending import CommandError
from service.cli.output import advise, say_json, say_lines, width
from service.cli.place import AsJson, DataDir, data_folder
from service.cli.reach import reach
from service.cli.sessions import Limit
from service.domain.times import parse_time


def usage(
    slot: Annotated[str | None, typer.Option(metavar="SLOT", help="One session's passes.")] = None,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="From this time on, e.g. 2026-08-10.")] = None,
    limit: Limit = 20,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Show the passes, newest first, with tokens and cost.

    \b
    Examples:
      session-summary usage
      session-summary usage --since 2026-08-01 --limit 0
      session-summary usage --json | jq .totals.cost_usd
    """
    from service.cli.tables import usage_lines

    if since is not None and parse_time(since) is None:
        raise CommandError("--since takes a time such as 2026-08-10, 2026-08-10T10:00:00Z or epoch seconds")
    with reach(data_folder(data_dir)) as data:
        found = data.usage(limit or None, slot, since)
    if as_json:
        say_json(found)
    else:
        say_lines(usage_lines(found, width()))
    if found["next"] is not None:
        advise(f"The latest {len(found['passes'])} are shown; --limit 0 shows all.")
