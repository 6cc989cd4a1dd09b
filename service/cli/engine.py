"""Which engine is in force, and why, in words."""

from collections.abc import Mapping

from service.config import Config


def engine_words(config: Config, environ: Mapping[str, str]) -> str:
    """The engine, what decided it, and what to do for the other one."""
    from service.passes.engines import engine_in_force

    engine = engine_in_force(config, environ)
    if engine == "outline":
        if config.engine == "outline":
            return "outline (as set): free, offline; a model is used with `config set engine auto`"
        return "outline (no model is configured): free, offline; a model needs ANTHROPIC_API_KEY or anthropic.base_url"
    return f"anthropic ({_model_found(config, environ)}): {config.background_model}"


def _model_found(config: Config, environ: Mapping[str, str]) -> str:
    if config.base_url:
        return "anthropic.base_url is set"
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        if environ.get(variable):
            return f"{variable} is set"
    return "as set, but no key or address of a model is configured"
