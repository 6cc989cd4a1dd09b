"""The shape a model is asked to answer in; what it answers all the same is read leniently.

The docstrings are part of the schema that goes out.
"""

from typing import Literal

from pydantic import BaseModel


class DraftStep(BaseModel):
    """One thing to do next, as the summarizer infers it."""

    what: str
    why: str
    expect: str


class DraftIntent(BaseModel):
    """One goal the person pursued; each of its `ranges` is a first and a last user turn."""

    title: str
    initial_intent: str
    # Not tuples: the SDK's way into the schema loses their item types.
    ranges: list[list[int]]
    status: Literal["active", "completed", "abandoned"]
    verified: bool | None
    origin_turn: int | None
    progress: list[str]
    next_steps: list[DraftStep]


class Draft(BaseModel):
    """A whole draft summary."""

    intents: list[DraftIntent]
    constraints: list[str]
