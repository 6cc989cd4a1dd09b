"""`config`: where the settings lie, what they are, and changing one."""

import json
from typing import Annotated

import typer

from service.cli.output import advise, json_line, say, say_json
from service.cli.place import AsJson, ConfigPath, DataDir, config_path, data_folder
from service.cli.plain_help import PlainCommand
from service.config import Config, ConfigError, read_config, set_value
from service.setting_keys import KEYS, SECTION, unknown_key

app = typer.Typer(
    help=(
        "The settings: where they lie, what they are, changing one.\n\n\b\nExamples:\n"
        "  session-summary config get\n  session-summary config set session_summary.enabled true\n"
    ),
    rich_markup_mode=None,
    no_args_is_help=True,
)
_KEY_HELP = f"One of: {', '.join(KEYS)}."


@app.command("path")
def path(data_dir: DataDir = None, config: ConfigPath = None) -> None:
    """Print where config.json lies, whether or not it exists yet.

    \b
    Examples:
      session-summary config path
      "$EDITOR" "$(session-summary config path)"
    """
    say(str(config_path(data_folder(data_dir), config)))


@app.command("get", cls=PlainCommand)
def get(
    key: Annotated[str | None, typer.Argument(metavar="KEY", help=_KEY_HELP)] = None,
    data_dir: DataDir = None,
    config: ConfigPath = None,
    as_json: AsJson = False,
) -> None:
    """Print a setting as it is in force, or all of them.

    \b
    Examples:
      session-summary config get
      session-summary config get session_summary.enabled
      session-summary config get --json | jq .
    """
    settings = read_config(config_path(data_folder(data_dir), config))
    values = in_force(settings)
    if key is not None and key not in values:
        raise ConfigError(unknown_key(key))
    for warning in settings.warnings:
        advise(f"warning: {warning}")
    if as_json:
        say_json(values if key is None else values[key])
    elif key is not None:
        say(_shown(values[key]))
    else:
        say("\n".join(f"{name} = {_shown(value)}" for name, value in values.items()))


@app.command("set", cls=PlainCommand)
def set_(
    key: Annotated[str, typer.Argument(metavar="KEY", help=_KEY_HELP)],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="JSON where it can be read as such, else text.")],
    data_dir: DataDir = None,
    config: ConfigPath = None,
) -> None:
    """Change a setting; a running service takes it up by itself.

    \b
    Examples:
      session-summary config set session_summary.enabled true
      session-summary config set models.background claude-haiku-5-5
      session-summary config set allowed_hosts '["summary.example.org"]'
    """
    folder = data_folder(data_dir)
    target = config_path(folder, config)
    if target == folder.config:
        # Made here it is its owner's alone, as the service would make it.
        folder.prepare()
    set_value(target, key, read_value_text(value))
    settings = read_config(target)
    advise(f"{key} is {_shown(in_force(settings)[key])} in {target}")
    for warning in settings.warnings:
        advise(f"warning: {warning}")


def read_value_text(text: str) -> object:
    """JSON where it can be read as such, else the text itself."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return text


def _no_number(name: str) -> object:
    raise ValueError(name)


def in_force(config: Config) -> dict[str, object]:
    """Every setting by its key, after clamping."""
    section = {f"{SECTION}.{name}": value for name, value in config.section.model_dump().items()}
    return section | {
        "engine": config.engine,
        "models.background": config.background_model,
        "anthropic.base_url": config.base_url,
        "allowed_hosts": list(config.allowed_hosts),
        "max_passes": config.max_passes,
        "pass_deadline_seconds": config.pass_deadline_seconds,
        "max_body_bytes": config.max_body_bytes,
        "daily_token_budget": config.daily_token_budget,
        "sources.agents": None if config.sources.agents is None else list(config.sources.agents),
        "sources.include": list(config.sources.include),
        "sources.exclude": list(config.sources.exclude),
        "prices": dict(config.prices),
    }


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json_line(value)
