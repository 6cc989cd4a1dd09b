"""What a call cost, by a dated table that the settings may override."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from service.summarizers.protocol import Usage

logger = logging.getLogger(__name__)

PRICES_AS_OF = "2026-12-01"
"""The day the vendor's published prices were taken."""

# A one-hour cache entry costs twice the input price to write, a tenth to read.
_CACHE_WRITE = 2.0
_CACHE_READ = 0.1

_SNAPSHOT_DATE = re.compile(r"[-@]\d{8}$", re.ASCII)


@dataclass(frozen=True, slots=True)
class Rate:
    """US dollars per million tokens."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class Price:
    """A model's rate; a prompt over `long_prompt` tokens puts the whole request on the `long` rate."""

    rate: Rate
    long: Rate | None = None
    long_prompt: int = 0

    def rate_for(self, prompt_tokens: int) -> Rate:
        return self.long if self.long is not None and prompt_tokens > self.long_prompt else self.rate


PRICES: Mapping[str, Price] = {
    "claude-haiku-5-5": Price(Rate(0.10, 0.50), long=Rate(0.50, 2.50), long_prompt=100_000),
    "claude-sonnet-5-5": Price(Rate(2.0, 10.0)),
    "claude-haiku-4-5": Price(Rate(1.0, 5.0)),
    "outline": Price(Rate(0.0, 0.0)),
}


def cost_usd(model: str, usage: Usage, prices: Mapping[str, Price] = PRICES) -> float | None:
    """What one request cost, or None for a model without a price; a dated snapshot has its model's price."""
    price = prices.get(model) or prices.get(_SNAPSHOT_DATE.sub("", model))
    if price is None:
        return None
    prompt = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    rate = price.rate_for(prompt)
    weighted = usage.input_tokens + usage.cache_write_tokens * _CACHE_WRITE + usage.cache_read_tokens * _CACHE_READ
    return (weighted * rate.input + usage.output_tokens * rate.output) / 1_000_000


def prices_with(overrides: object) -> Mapping[str, Price]:
    """The table with the settings' `prices` laid over it: `{model: {"input": usd, "output": usd}}` per million tokens.

    What is no such entry is left out with a warning, except `as_of`, which dates the entries for people.
    """
    if not isinstance(overrides, Mapping):
        if overrides is not None:
            logger.warning("prices_ignored why=not_an_object")
        return PRICES
    read = {str(model): _price(entry) for model, entry in overrides.items() if model != "as_of"}
    for model in (model for model, price in read.items() if price is None):
        logger.warning("price_ignored model=%r", model[:100])
    return {**PRICES, **{model: price for model, price in read.items() if price is not None}}


def _price(entry: object) -> Price | None:
    if not isinstance(entry, Mapping):
        return None
    rate = _rate(entry.get("input"), entry.get("output"))
    if rate is None:
        return None
    threshold = entry.get("long_prompt")
    if isinstance(threshold, bool) or not isinstance(threshold, int):
        return Price(rate)
    return Price(rate, long=_rate(entry.get("long_input"), entry.get("long_output")), long_prompt=threshold)


def _rate(read: object, written: object) -> Rate | None:
    return Rate(float(read), float(written)) if _is_amount(read) and _is_amount(written) else None


def _is_amount(value: object) -> TypeGuard[int | float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value < 1e9
