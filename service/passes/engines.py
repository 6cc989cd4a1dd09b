"""Which summarizer the settings name."""

from collections.abc import Mapping

from service.config import Config, model_is_configured
from service.summarizers.anthropic_api import AnthropicSummarizer
from service.summarizers.outline import Outline
from service.summarizers.protocol import Summarizer


def engine_in_force(config: Config, environ: Mapping[str, str]) -> str:
    """`auto` resolved: a configured model, else the outline that needs none."""
    if config.engine != "auto":
        return config.engine
    return "anthropic" if model_is_configured(config, environ) else "outline"


class Engines:
    """Chooses for each pass, so that a changed setting counts from the next one on."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def choose(self, config: Config) -> Summarizer:
        """The summarizer in force."""
        if engine_in_force(config, self._environ) == "outline":
            return Outline()
        return AnthropicSummarizer(
            model=config.background_model,
            api_key=self._environ.get("ANTHROPIC_API_KEY") or None,
            base_url=config.base_url or self._environ.get("ANTHROPIC_BASE_URL") or None,
        )
