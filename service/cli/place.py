"""Where the data lie: the options every command shares, and the platform's folder behind them."""

import os
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from service.cli.ending import CommandError
from service.store.folder import DataFolder

HOME_VARIABLE = "SESSION_SUMMARY_HOME"
_NAME = "session-summary"

DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        metavar="FOLDER",
        help=f"Where the data lie. [default: ${HOME_VARIABLE}, else the platform's data folder]",
        show_default=False,
    ),
]
ConfigPath = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The settings. [default: config.json in the data folder]"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable, on one line.")]


def data_folder(given: Path | None) -> DataFolder:
    """The folder asked for, else the one of the environment, else the platform's."""
    if given is not None:
        return DataFolder(given.expanduser().absolute())
    try:
        return DataFolder(default_folder(os.environ, sys.platform, Path.home))
    except RuntimeError:
        raise CommandError("this system names no home folder; say where the data lie with --data-dir") from None


def default_folder(environ: Mapping[str, str], platform: str, home: Callable[[], Path]) -> Path:
    """$SESSION_SUMMARY_HOME, else where the platform keeps data; a relative XDG_DATA_HOME does not count."""
    if own := environ.get(HOME_VARIABLE):
        return Path(own).expanduser().absolute()
    if platform == "darwin":
        return home() / "Library" / "Application Support" / _NAME
    shared = Path(environ.get("XDG_DATA_HOME") or "")
    return (shared if shared.is_absolute() else home() / ".local" / "share") / _NAME


def config_path(folder: DataFolder, given: Path | None) -> Path:
    """The settings file asked for, else the data folder's own."""
    return folder.config if given is None else given.expanduser().absolute()


def repeated_options(data_dir: Path | None, config: Path | None = None) -> str:
    """The place options as they were given, so that advice can be copied and run."""
    options = (("--data-dir", data_dir), ("--config", config))
    return "".join(f" {name} {shlex.quote(str(path))}" for name, path in options if path is not None)
