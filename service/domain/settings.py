"""The settings of section `session_summary`: out of bounds is clamped, what is no number falls to its default."""

import math
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


class Clamp:
    """An integer setting: numeric strings and integral floats are taken, the rest is the default.

    What it changes is said in the validation context's `warnings` list, naming key, value and bound.
    """

    def __init__(self, low: int, high: int | None, default: int) -> None:
        self.low = low
        self.high = high
        self.default = default

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._fix)

    def _fix(self, value: object, info: core_schema.ValidationInfo) -> int:
        name = str(info.field_name)
        number = as_integer(value)
        if number is None:
            _warn(info, f"{name}: {_shown(value)} is no whole number; using the default {self.default}")
            return self.default
        if number < self.low:
            _warn(info, f"{name}: {_shown(value)} is below {self.low}; using {self.low}")
            return self.low
        if self.high is not None and number > self.high:
            _warn(info, f"{name}: {_shown(value)} is above {self.high}; using {self.high}")
            return self.high
        return number


class Switch:
    """A setting that only a real boolean can turn on; anything else is off, with a warning."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._fix)

    def _fix(self, value: object, info: core_schema.ValidationInfo) -> bool:
        if isinstance(value, bool):
            return value
        _warn(info, f"{info.field_name}: {_shown(value)} is neither true nor false; the feature stays off")
        return False


def as_integer(value: object) -> int | None:
    """The whole number behind an integer, an integral float or a numeric string; None for all else, booleans too."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    try:
        number = float(value) if isinstance(value, (float, str)) else math.nan
        return int(value) if isinstance(value, str) and value.strip().lstrip("+-").isdecimal() else _integral(number)
    except ValueError:
        return None


def _integral(number: float) -> int | None:
    return int(number) if math.isfinite(number) and number.is_integer() else None


def _shown(value: object) -> str:
    return repr(value)[:60]


def _warn(info: core_schema.ValidationInfo, text: str) -> None:
    if isinstance(info.context, list):
        info.context.append(text)


class Section(BaseModel):
    """Section `session_summary` of config.json, after clamping."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    enabled: Annotated[bool, Switch()] = False
    min_user_turns: Annotated[int, Clamp(1, None, default=2)] = 2
    regenerate_after_turns: Annotated[int, Clamp(1, None, default=1)] = 1
    max_intents: Annotated[int, Clamp(1, None, default=50)] = 50
    max_constraints: Annotated[int, Clamp(0, None, default=50)] = 50
    assistant_excerpt_chars: Annotated[int, Clamp(80, 20_000, default=400)] = 400
    max_input_chars: Annotated[int, Clamp(4_000, 2_000_000, default=40_000)] = 40_000


def read_section(value: object, warnings: list[str]) -> Section:
    """The section as far as it can be read; a malformed one is the defaults, with a warning."""
    if not isinstance(value, dict):
        warnings.append(f"session_summary: expected an object, found {type(value).__name__}; using the defaults")
        return Section()
    return Section.model_validate(value, context=warnings)
