"""What a call cost."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.summarizers.prices import PRICES, Price, Rate, cost_usd, prices_with
from service.summarizers.protocol import Usage

MILLION = 1_000_000


def test_input_and_output_have_their_own_price() -> None:
    """A million tokens each way cost the two listed prices."""
    assert cost_usd("claude-sonnet-5-5", Usage(MILLION, MILLION)) == pytest.approx(12.0)


def test_the_cache_is_cheap_to_read_and_dear_to_write() -> None:
    """A cached token costs a tenth of the input price to read and twice as much to write for an hour."""
    usage = Usage(cache_read_tokens=MILLION, cache_write_tokens=MILLION)
    assert cost_usd("claude-haiku-4-5", usage) == pytest.approx(0.1 + 2.0)


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (Usage(input_tokens=100_000, output_tokens=1_000), 0.0105),
        (Usage(input_tokens=100_001, output_tokens=1_000), 0.0525005),
        (Usage(input_tokens=1, cache_read_tokens=60_000, cache_write_tokens=40_000), 0.0430005),
    ],
)
def test_a_long_prompt_puts_the_whole_request_on_the_high_price(usage: Usage, dollars: float) -> None:
    """Beyond 100,000 prompt tokens, cached ones included, every token of the request costs more."""
    assert cost_usd("claude-haiku-5-5", usage) == pytest.approx(dollars)


def test_an_unknown_model_has_no_price() -> None:
    """A local or new model shows no cost in place of a wrong one."""
    assert cost_usd("llama", Usage(5, 5)) is None


def test_a_dated_snapshot_costs_what_its_model_costs() -> None:
    """A model named with its date is not taken for an unknown one."""
    assert cost_usd("claude-haiku-4-5-20251001", Usage(MILLION)) == pytest.approx(1.0)


def test_settings_override_and_add_prices() -> None:
    """Prices from the settings win, and those not named stay."""
    prices = prices_with(
        {"as_of": "2027-01-01", "llama": {"input": 0, "output": 0}, "claude-haiku-4-5": {"input": 3, "output": 4}}
    )
    assert cost_usd("llama", Usage(5, 5), prices) == 0.0
    assert cost_usd("claude-haiku-4-5", Usage(MILLION, MILLION), prices) == pytest.approx(7.0)
    assert prices["claude-sonnet-5-5"] == PRICES["claude-sonnet-5-5"]


def test_settings_may_name_a_price_for_long_prompts() -> None:
    """The higher price beyond a prompt size can be written in the settings too."""
    entry = {"input": 1, "output": 2, "long_prompt": 10, "long_input": 3, "long_output": 4}
    assert prices_with({"m": entry})["m"] == Price(Rate(1, 2), long=Rate(3, 4), long_prompt=10)


@pytest.mark.parametrize(
    "entry", [5, {}, {"input": "1", "output": 2}, {"input": -1, "output": 2}, {"input": True, "output": 2}]
)
def test_a_price_that_is_none_is_named_and_left_out(entry: object, caplog: pytest.LogCaptureFixture) -> None:
    """A mistyped price is warned about and changes nothing."""
    assert "m" not in prices_with({"m": entry})
    assert "price_ignored model='m'" in caplog.text


@pytest.mark.parametrize("overrides", [None, [], "free", 5, math.nan])
def test_settings_that_hold_no_prices_change_nothing(overrides: object) -> None:
    """Whatever stands in the place of the prices, the table holds."""
    assert prices_with(overrides) == PRICES


@given(st.builds(Usage, *[st.integers(0, 10**9)] * 4))
def test_a_cost_is_never_negative(usage: Usage) -> None:
    """Every usage has a finite cost."""
    cost = cost_usd("claude-haiku-5-5", usage)
    assert cost is not None
    assert 0 <= cost < math.inf
