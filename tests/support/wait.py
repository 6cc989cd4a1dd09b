"""Waiting for something to come true, so that no test sleeps for a guessed time."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

_STEP = 0.005


async def wait_until(condition: Callable[[], T | Awaitable[T]], within: float = 2) -> T:
    """The first truthy value of `condition` (plain or async); an AssertionError once `within` seconds are over."""
    end = time.monotonic() + within
    while True:
        outcome = condition()
        value: T = await outcome if inspect.isawaitable(outcome) else outcome
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"still not true after {within} s: {_described(condition)}")
        await asyncio.sleep(_STEP)


def wait_until_sync(condition: Callable[[], T], within: float = 2) -> T:
    """The same for tests without an event loop."""
    end = time.monotonic() + within
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"still not true after {within} s: {_described(condition)}")
        time.sleep(_STEP)
    return value


def _described(condition: Callable[[], object]) -> str:
    try:
        return inspect.getsource(condition).strip()
    except (OSError, TypeError):
        return repr(condition)
