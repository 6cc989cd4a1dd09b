"""Every setting a person may change: what it takes, an example of it, and what was meant by a key nobody knows."""

import difflib
import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from service.domain.characters import encodable
from service.domain.settings import Clamp, Section
from service.domain.source_filter import AGENTS

SECTION = "session_summary"
DEFAULT_MODEL = "claude-haiku-5-5"
ENGINES = ("auto", "anthropic", "outline")
# A file full of keys from elsewhere is told apart from a slip by a few of them.
_MOST_NAMED = 10
_LONGEST_KEY = 80


class Limits(BaseModel):
    """The whole numbers that stand beside the section."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    max_passes: Annotated[int, Clamp(1, 64, default=2)] = 2
    pass_deadline_seconds: Annotated[int, Clamp(1, 900, default=120)] = 120
    max_body_bytes: Annotated[int, Clamp(1_024, 1 << 30, default=8 << 20)] = 8 << 20
    daily_token_budget: Annotated[int, Clamp(0, None, default=0)] = 0


_FIELDS: Mapping[str, FieldInfo] = {
    **{f"{SECTION}.{name}": info for name, info in Section.model_fields.items()},
    **Limits.model_fields,
}

# Each key with an example for error messages and the command's help.
KEYS: Mapping[str, str] = {
    **{f"{SECTION}.{name}": json.dumps(info.default) for name, info in Section.model_fields.items()},
    "engine": "auto",
    "models.background": DEFAULT_MODEL,
    "anthropic.base_url": "http://127.0.0.1:11434",
    "allowed_hosts": '["summary.example.org"]',
    **{name: json.dumps(info.default) for name, info in Limits.model_fields.items()},
    "sources.agents": '["claude-code", "codex"]',
    "sources.include": '["/home/me/code/*"]',
    "sources.exclude": '["*/private/*"]',
    "prices": '{"as_of": "2026-12-01", "my-model": {"input": 1.0, "output": 5.0}}',
}

_TAKES: Mapping[str, str] = {
    f"{SECTION}.enabled": "true or false",
    "engine": f"{', '.join(ENGINES[:-1])} or {ENGINES[-1]}",
    "models.background": "the name of a model",
    "anthropic.base_url": "an http or https address",
    "allowed_hosts": "a list of host names",
    "sources.agents": f"a list of agents ({', '.join(AGENTS)})",
    "sources.include": "a list of patterns for project paths",
    "sources.exclude": "a list of patterns for project paths",
    "prices": "dollars per million tokens, by model",
}


def takes(key: str) -> str:
    """What the setting can be set to, with a command that sets it."""
    what = _TAKES.get(key) or _whole_number(_FIELDS[key])
    return f"{key} takes {what}, for example: session-summary config set {key} {shlex.quote(KEYS[key])}"


def _whole_number(field: FieldInfo) -> str:
    clamp = next(rule for rule in field.metadata if isinstance(rule, Clamp))
    bounds = f"of at least {clamp.low}" if clamp.high is None else f"from {clamp.low} to {clamp.high}"
    return f"a whole number {bounds}"


def unknown_key(key: str) -> str:
    """The sentence for a key nobody knows, with the one that was probably meant."""
    near = nearest(key)
    meant = f"; did you mean {near}?" if near else ";"
    return f"there is no setting {key[:_LONGEST_KEY]!r}{meant} `session-summary config get` lists all"


def nearest(key: str) -> str | None:
    """The known key most like this one, by its whole name or by its last part."""
    by_name = {known.rpartition(".")[2]: known for known in KEYS}
    key = key[:_LONGEST_KEY]
    whole = difflib.get_close_matches(key, KEYS, 1, cutoff=0.8)
    parts = difflib.get_close_matches(key.rpartition(".")[2], by_name, 1, cutoff=0.7)
    return whole[0] if whole else by_name[parts[0]] if parts else None


def unknown_keys(values: Mapping[str, Any]) -> Iterator[str]:
    """A warning for each key of the file that no setting has, the first few of them."""
    strangers = list(_strangers(values))
    for key in strangers[:_MOST_NAMED]:
        near = nearest(key)
        yield f"{encodable(key[:_LONGEST_KEY])}: no such setting; " + (f"did you mean {near}?" if near else "ignored")
    if len(strangers) > _MOST_NAMED:
        yield f"{len(strangers) - _MOST_NAMED} more keys that are no settings; ignored"


def _strangers(values: Mapping[str, Any]) -> Iterator[str]:
    groups = {known.partition(".")[0] for known in KEYS if "." in known}
    for name, value in values.items():
        if name in KEYS:
            continue
        if name not in groups:
            yield name
        elif isinstance(value, dict):
            yield from (f"{name}.{inner}" for inner in value if f"{name}.{inner}" not in KEYS)
