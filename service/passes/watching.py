"""Names what changes in the agents' folders, whichever of them are there."""

import asyncio
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from watchfiles import awatch

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder as it is watched: what is put in its place, or at the end of a link, is another."""

    path: Path
    identity: tuple[int, int] | None


class Watching:
    """Calls `began` whenever it begins to watch, for what may have changed before, and `changed` with what does.

    Which folders there are to watch is for `folders` to say, off the event loop.
    """

    def __init__(
        self,
        folders: Callable[[], frozenset[Path]],
        began: Callable[[], None],
        changed: Callable[[set[Path]], None],
    ) -> None:
        self._folders = folders
        self._began = began
        self._changed = changed
        self._watched: frozenset[_Folder] = frozenset()
        self._folders_changed = asyncio.Event()

    def end(self) -> None:
        """Lets the watcher's thread come to its end."""
        self._folders_changed.set()

    async def look_for_folders(self) -> None:
        """Watches anew where there are other folders than before, or others under the same names."""
        if await asyncio.to_thread(self._there) != self._watched:
            self._folders_changed.set()

    async def run(self) -> None:
        """Watches until it is cancelled."""
        while True:
            self._watched = await asyncio.to_thread(self._there)
            self._folders_changed.clear()
            try:
                await self._follow()
            except OSError as error:
                # Without a watcher (its limit reached, say) a look every half minute takes its place.
                log.warning("watching_failed error=%s", type(error).__name__)
            await self._folders_changed.wait()

    def _there(self) -> frozenset[_Folder]:
        return frozenset(_Folder(path, _identity(path)) for path in self._folders())

    async def _follow(self) -> None:
        """Names changes until the set of folders is another one."""
        if not self._watched:
            self._began()
            return
        changes = awatch(
            *(folder.path for folder in self._watched),
            watch_filter=None,
            stop_event=self._folders_changed,
            step=50,
            debounce=200,
            ignore_permission_denied=True,
        )
        # The watcher begins before the first look, so that no change can fall between the two.
        next_changes = asyncio.ensure_future(anext(changes, None))
        await asyncio.sleep(0)
        self._began()
        try:
            while (changed := await next_changes) is not None:
                next_changes = asyncio.ensure_future(anext(changes, None))
                self._changed({Path(name) for _, name in changed})
        finally:
            next_changes.cancel()
            await asyncio.gather(next_changes, return_exceptions=True)
            await changes.aclose()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
