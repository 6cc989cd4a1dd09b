"""What SQL cannot say by itself and the lists need: letters of any script without case, times of any spelling."""

from collections.abc import Callable, Mapping

from service.domain.times import parse_time

Function = Callable[[str | None], str | int | None]


def casefold(text: str | None) -> str | None:
    """The text without regard to case, in every script that has one."""
    return None if text is None else text.casefold()


def instant_ms(ts: str | None) -> int | None:
    """The moment behind a time as its caller wrote it, in milliseconds since the epoch; NULL where it is none."""
    moment = parse_time(ts)
    return None if moment is None else round(moment.timestamp() * 1000)


FUNCTIONS: Mapping[str, Function] = {"casefold": casefold, "instant_ms": instant_ms}
