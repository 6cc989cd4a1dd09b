"""Which engine is in force, why, and how the other one comes to be used."""

from collections.abc import Mapping

from service.config import Config, model_is_configured
from service.setting_keys import KEYS

_BASE_URL = "anthropic.base_url"


def engine_words(config: Config, environ: Mapping[str, str]) -> str:
    """The engine, what decided it, and what a model would need where none is configured."""
    if not _is_outline(config, environ):
        return f"anthropic ({_model_found(config, environ)}): {config.background_model}"
    why = "as set" if config.engine == "outline" else "no model is configured"
    needs = "" if model_is_configured(config, environ) else f"; a model needs ANTHROPIC_API_KEY or {_BASE_URL}"
    return f"outline ({why}): free, offline{needs}"


def other_engine(config: Config, environ: Mapping[str, str]) -> tuple[str, str]:
    """Words that lead to the other engine, and the setting that brings it, as `config set` takes it."""
    if not _is_outline(config, environ):
        return "free and offline with", "engine outline"
    if config.engine != "outline":
        return "one on this machine is used with", f"{_BASE_URL} {KEYS[_BASE_URL]}"
    lead = "a model is used with" if model_is_configured(config, environ) else "then it is used with"
    return lead, "engine auto"


def _is_outline(config: Config, environ: Mapping[str, str]) -> bool:
    from service.passes.engines import engine_in_force

    return engine_in_force(config, environ) == "outline"


def _model_found(config: Config, environ: Mapping[str, str]) -> str:
    if config.base_url:
        return f"{_BASE_URL} is {config.base_url}"
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        if environ.get(variable):
            return f"{variable} is set"
    return "as set, but no key or address of a model is configured"
