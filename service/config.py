"""config.json: read as far as it can be read, followed while it changes, written without losing what it holds."""

import json
import logging
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from service.domain.characters import encodable
from service.domain.settings import Section, read_section
from service.domain.source_filter import UNUSABLE, SourceFilter, read_source_filter
from service.setting_keys import DEFAULT_MODEL, ENGINES, KEYS, SECTION, Limits, takes, unknown_key, unknown_keys

log = logging.getLogger(__name__)

Engine = Literal["auto", "anthropic", "outline"]
_MOST_BYTES = 1 << 20


class ConfigError(Exception):
    """A setting could not be written; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, after clamping; `warnings` says what was not taken as written."""

    section: Section = field(default_factory=Section)
    engine: Engine = "auto"
    background_model: str = DEFAULT_MODEL
    base_url: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    max_body_bytes: int = 8 << 20
    max_passes: int = 2
    pass_deadline_seconds: int = 120
    daily_token_budget: int = 0
    sources: SourceFilter = field(default_factory=SourceFilter)
    prices: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def enabled(self) -> bool:
        """Whether the feature is on: off by default, since it spends tokens."""
        return self.section.enabled


def read_config(path: Path) -> Config:
    """The settings in the file; whatever is malformed is its default, with a warning. Never raises."""
    warnings: list[str] = []
    found = _read_values(path, warnings)
    values = found or {}
    warnings.extend(unknown_keys(values))
    config = _from_values(values, warnings)
    # Half a file must not be taken for the wish to exclude no project.
    return config if found is not None else replace(config, sources=UNUSABLE)


def _read_values(path: Path, warnings: list[str]) -> dict[str, Any] | None:
    """What the file holds, nothing where there is none; None where it is no JSON object."""
    try:
        values = _load(path)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        warnings.append(f"{path.name} could not be read ({type(error).__name__}); using the defaults")
        return None
    if isinstance(values, dict):
        return values
    warnings.append(f"{path.name}: expected an object, found {type(values).__name__}; using the defaults")
    return None


def _load(path: Path) -> object:
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError("too large")
    return json.loads(data.decode("utf-8-sig"))


def _from_values(values: dict[str, Any], warnings: list[str]) -> Config:
    section = read_section(values[SECTION], warnings) if SECTION in values else Section()
    limits = Limits.model_validate(values, context=warnings)
    engine = values.get("engine", "auto")
    if engine not in ENGINES:
        warnings.append(f"engine: {engine!r:.60} is none of {', '.join(ENGINES)}; using auto")
        engine = "auto"
    return Config(
        section=section,
        engine=engine,
        background_model=_text(values, "models", "background", warnings) or DEFAULT_MODEL,
        base_url=_base_url(values, warnings),
        allowed_hosts=_host_names(values, warnings),
        sources=read_source_filter(values.get("sources"), warnings),
        prices=_prices(values, warnings),
        warnings=tuple(warnings),
        **limits.model_dump(),
    )


def _mapping(values: Mapping[str, Any], key: str, warnings: list[str]) -> dict[str, Any]:
    value = values.get(key, {})
    if isinstance(value, dict):
        return value
    warnings.append(f"{key}: expected an object; ignored")
    return {}


def _text(values: Mapping[str, Any], group: str, key: str, warnings: list[str]) -> str | None:
    value = _mapping(values, group, warnings).get(key)
    if value is None or (isinstance(value, str) and value.strip()):
        return encodable(value.strip()) if value else None
    warnings.append(f"{group}.{key}: expected text; ignored")
    return None


def _base_url(values: Mapping[str, Any], warnings: list[str]) -> str | None:
    """Kept even where it is no address: another one in its place would get what was meant for this machine."""
    url = _text(values, "anthropic", "base_url", warnings)
    if url is not None and not _is_address(url):
        warnings.append(f"anthropic.base_url: {url!r:.60} is no http or https address; no model will be reached")
    return url


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _texts(values: Mapping[str, Any], key: str, warnings: list[str]) -> tuple[str, ...] | None:
    value = values.get(key)
    if value is None:
        return None
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    warnings.append(f"{key}: expected a list of texts; ignored")
    return None


def _host_names(values: Mapping[str, Any], warnings: list[str]) -> tuple[str, ...]:
    names = _texts(values, "allowed_hosts", warnings) or ()
    if any(not name.strip() for name in names):
        warnings.append("allowed_hosts: a blank name; ignored")
    return tuple(name.strip() for name in names if name.strip())


def _prices(values: Mapping[str, Any], warnings: list[str]) -> dict[str, Any]:
    """Entries by model, and `as_of`, the day they were looked up."""
    prices = _mapping(values, "prices", warnings)
    wrong = [model for model, entry in prices.items() if model != "as_of" and not _is_price(entry)]
    warnings.extend(f"prices: {model!r:.60} needs input and output, in dollars per million tokens" for model in wrong)
    return {model: entry for model, entry in prices.items() if model not in wrong}


def _is_price(entry: object) -> bool:
    amounts = [entry.get("input"), entry.get("output")] if isinstance(entry, dict) else [None]
    return all(isinstance(a, int | float) and not isinstance(a, bool) and 0 <= a < 1e9 for a in amounts)


class ConfigFile:
    """The settings as they stand: each look costs one `stat`, and the file is read again when that differs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, ...] | None = None
        self._config = Config()
        self._looked = False
        self._changed = 0

    def current(self) -> Config:
        """The settings in force at this moment; logs the warnings of each version of the file once."""
        seen = self._stat()
        if not self._looked or seen != self._seen:
            before, looked = self._config, self._looked
            self._looked, self._seen = True, seen
            self._config = read_config(self.path)
            self._changed += looked and self._config != before
            for warning in self._config.warnings:
                log.warning("config_warning detail=%r", warning)
        return self._config

    def times_changed(self) -> int:
        """How often a setting was seen to change: there and back is none, but somebody may have read in between."""
        self.current()
        return self._changed

    def changed_at(self) -> float:
        """When the file was last changed, in epoch seconds; 0 where there is none."""
        seen = self._stat()
        return 0.0 if seen is None else seen[1] / 1_000_000_000

    def _stat(self) -> tuple[int, ...] | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def read_value(path: Path, key: str) -> object:
    """What the file holds under a dotted key; None where it says nothing. Raises ConfigError for an unknown key."""
    _check_key(key)
    value: object = _read_values(path, [])
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def set_value(path: Path, key: str, value: object) -> None:
    """Writes one setting and keeps all others, unknown ones too; the file is replaced whole or not at all.

    Raises ConfigError for an unknown key, a value the setting cannot take, or a file that holds no JSON object.
    """
    _check_key(key)
    values = _load_for_change(path)
    target = values
    *groups, last = key.split(".")
    for group in groups:
        if not isinstance(target.setdefault(group, {}), dict):
            raise ConfigError(f"{path}: {group!r} is no object; mend the file first")
        target = target[group]
    target[last] = value
    warnings: list[str] = []
    _from_values(values, warnings)
    named = [warning for warning in warnings if warning.startswith((f"{last}:", f"{key}:"))]
    if named:
        raise ConfigError(f"nothing was written: {takes(key)}")
    _replace(path, values)


def _check_key(key: str) -> None:
    if key not in KEYS:
        raise ConfigError(unknown_key(key))


def _load_for_change(path: Path) -> dict[str, Any]:
    try:
        values = _load(path)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path} cannot be read as JSON ({type(error).__name__}); mend or remove it first") from error
    if not isinstance(values, dict):
        raise ConfigError(f"{path} holds no JSON object; mend or remove it first")
    return values


def _replace(path: Path, values: dict[str, Any]) -> None:
    text = json.dumps(values, indent=2, ensure_ascii=False) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".config-")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error}") from error


def model_is_configured(config: Config, environ: Mapping[str, str]) -> bool:
    """Whether a model can be asked: by key or base URL in the environment, or a base URL in the file."""
    return bool(environ.get("ANTHROPIC_API_KEY") or environ.get("ANTHROPIC_BASE_URL") or config.base_url)
