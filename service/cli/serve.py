"""`serve`: the service, and the block that says where to click, what is on and how to change it."""

import ipaddress
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from service.cli.ending import CommandError
from service.cli.engine import engine_words, other_engine
from service.cli.output import say, width
from service.cli.place import ConfigPath, DataDir, config_path, data_folder, repeated_options
from service.cli.serving import held, listening, run_until_ended
from service.cli.signals import ending_on_signals
from service.config import Config, ConfigFile
from service.domain.lines import wrapped
from service.store.folder import DataFolder

DEFAULT_PORT = 8765
_INDENT = 13
LogLevel = Literal["debug", "info", "warning", "error"]


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Allow an address that other machines reach; needs allowed_hosts.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="PORT", help="0 picks a free one.")] = DEFAULT_PORT,
    data_dir: DataDir = None,
    config: ConfigPath = None,
    no_sources: Annotated[
        bool, typer.Option("--no-sources", help="Leave the transcripts of this machine's agents alone.")
    ] = False,
    log_level: Annotated[LogLevel, typer.Option(help="How much the log on stderr says.")] = "info",
) -> None:
    """Run the service and its page; prints the address to open.

    \b
    Examples:
      session-summary serve
      session-summary serve --port 0 --no-sources
      session-summary config set allowed_hosts '["summary.example.org"]'
      session-summary serve --host 0.0.0.0 --allow-remote
    """
    folder, advice = data_folder(data_dir), repeated_options(data_dir, config)
    settings = ConfigFile(config_path(folder, config))
    _check_address(host, settings.current(), allow_remote=allow_remote, advice=advice)
    with ending_on_signals(), held(folder) as lock, listening(host, port) as listener:
        from service import log
        from service.web.server import Options

        log.set_up(log_level)
        options = Options(folder, settings, host, port, not no_sources, os.environ, Path.home())

        def tell(address: str) -> None:
            say("\n".join(_standing(address, options.folder, settings.current(), advice, sources=not no_sources)))

        run_until_ended(options, listener, lock, tell)


def _check_address(host: str, config: Config, *, allow_remote: bool, advice: str) -> None:
    """Only this machine reaches the service, unless the person says twice that others may: by option and by name."""
    if is_loopback(host):
        return
    if not allow_remote:
        raise CommandError(f"other machines reach {host}; add --allow-remote if that is meant")
    if not config.allowed_hosts:
        raise CommandError(
            "--allow-remote needs the host names people will open; set them with: "
            f"session-summary config set{advice} allowed_hosts '[\"summary.example.org\"]'"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _standing(address: str, folder: DataFolder, config: Config, advice: str, *, sources: bool) -> Iterator[str]:
    """What is on, what is off and how to change it; what is to be copied stands on a line of its own, unbroken."""
    yield "Session Summary is running. Open this address; Ctrl-C ends it."
    yield f"\n  {address}\n"
    change = f"    session-summary config set{advice}"
    if config.enabled:
        yield from _row("summaries", "on: made when a turn ends; off with")
        yield f"{change} session_summary.enabled false"
    else:
        yield from _row("summaries", "off: sessions are stored here, no summary is made or shown; on with")
        yield f"{change} session_summary.enabled true"
    lead, setting = other_engine(config, os.environ)
    yield from _row("engine", f"{engine_words(config, os.environ)}; {lead}")
    yield f"{change} {setting}"
    on = "on: sessions of agents on this machine are read and stored in the data folder"
    yield from _row("sources", on if sources else "off (--no-sources)")
    yield f"  {'data':{_INDENT - 2}}{folder.path}"
    for warning in config.warnings:
        yield from _row("setting", warning)
    if config.allowed_hosts:
        yield from _row("hosts", ", ".join(config.allowed_hosts))


def _row(label: str, words: str) -> Iterator[str]:
    for place, line in enumerate(wrapped(words, width() - _INDENT)):
        yield f"  {'' if place else label:{_INDENT - 2}}{line}"
