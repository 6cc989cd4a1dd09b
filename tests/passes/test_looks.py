"""Looks at files: one after another at each, and none that delays the others."""

import asyncio
from pathlib import Path

from service.passes.looks import LIVE, Look, Looks, Occasion
from service.sources.stamps import Stamp
from tests.support.wait import wait_until

ONE, OTHER = Path("one"), Path("other")
THERE = Stamp(inode=1)


class Desk:
    """Counts looks under way; a look at a file in `held` lasts until that is let go."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.began: list[Path] = []
        self.under_way: dict[Path, int] = {}
        self.most_at_once = 0
        self.held: dict[Path, asyncio.Event] = {}
        self.seconds = seconds

    async def look_at(self, path: Path, occasion: Occasion) -> Look:
        self.began.append(path)
        self.under_way[path] = self.under_way.get(path, 0) + 1
        self.most_at_once = max(self.most_at_once, self.under_way[path])
        if path in self.held:
            await self.held[path].wait()
        self.under_way[path] -= 1
        return Look(stamp=THERE, seconds=self.seconds)


async def test_a_slow_file_of_the_backlog_is_looked_at_at_once_when_it_changes() -> None:
    """Reading it at start took long; that is no reason to see its next turn late."""
    desk = Desk(seconds=10.0)
    looks = Looks(desk.look_at)
    await looks.of_backlog(ONE, Occasion(backlog=True))
    looks.soon(ONE)
    await wait_until(lambda: desk.began == [ONE, ONE])
    await looks.close()


async def test_a_file_that_changes_during_its_look_is_looked_at_once_more() -> None:
    """However often it changed meanwhile; and never twice at once."""
    desk = Desk()
    desk.held[ONE] = asyncio.Event()
    looks = Looks(desk.look_at)
    looks.soon(ONE)
    await wait_until(lambda: desk.began)
    for _ in range(5):
        looks.soon(ONE)
        await asyncio.sleep(0)
    desk.held[ONE].set()
    await wait_until(lambda: len(desk.began) == 2 and not any(desk.under_way.values()))
    await looks.close()
    assert (desk.began, desk.most_at_once) == ([ONE, ONE], 1)


async def test_a_long_look_delays_no_other_file() -> None:
    """While a huge file is read, others are looked at."""
    desk = Desk()
    desk.held[ONE] = asyncio.Event()
    looks = Looks(desk.look_at)
    looks.soon(ONE)
    await wait_until(lambda: desk.began)
    await looks.now(OTHER, LIVE)
    assert desk.began == [ONE, OTHER]
    await looks.close()


async def test_a_file_that_is_slow_to_read_rests() -> None:
    """A database of minutes' reading that changes all the time is not read all the time; whoever asks now is served."""
    desk = Desk(seconds=1.0)
    looks = Looks(desk.look_at)
    await looks.now(ONE)
    looks.soon(ONE)
    await asyncio.sleep(0)
    assert desk.began == [ONE]
    await looks.now(ONE)
    assert desk.began == [ONE, ONE]
    await looks.close()


async def test_a_reader_that_breaks_ends_nothing() -> None:
    """A defect in one format's reader costs that file, and the next look at it is tried."""

    async def broken(path: Path, _: Occasion) -> Look:
        raise ZeroDivisionError(path)

    looks = Looks(broken)
    await looks.now(ONE)
    await looks.now(ONE)
    await looks.close()


async def test_a_reader_that_breaks_is_told() -> None:
    """Whoever asked for the looks learns of the file and the error, once a look."""
    broken: list[tuple[Path, str]] = []

    async def look_at(path: Path, _: Occasion) -> Look:
        raise ZeroDivisionError(path)

    looks = Looks(look_at, lambda path, error: broken.append((path, type(error).__name__)))
    await looks.now(ONE)
    await looks.close()
    assert broken == [(ONE, "ZeroDivisionError")]
