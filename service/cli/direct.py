"""The data straight from the database, while no service holds the folder."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import orjson

from service.cli.ending import CommandError
from service.cli.reach import Json, WantedSlots
from service.cli.remote import gathered, no_such_session
from service.cli.serving import held
from service.config import Config, read_config
from service.domain.times import parse_time
from service.store import deletion, listing, open_items, slots, summaries, tokens, usage
from service.store.access import DASHBOARD
from service.store.engine import Read, StoreBusyError, StoreFullError, Write
from service.store.folder import DataFolder
from service.store.offline import (
    DatabaseUnusableError,
    bring_up_to_date,
    opened_for_writing,
    read_once,
    read_revisions,
)

T = TypeVar("T")

_PURGE_SECONDS = 5.0


class Direct:
    """Reads change nothing but an older revision of the file; writes hold the folder's lock."""

    def __init__(self, folder: DataFolder, config: Path) -> None:
        self._folder = folder
        self._config = config
        self._current = False

    def enabled(self) -> bool:
        return self._settings().enabled

    def slots(self, wanted: WantedSlots) -> Json:
        if len(wanted.text or "") > listing.MOST_SEARCH_CHARS:
            raise CommandError(listing.SEARCH_WORDS)
        derived = self.enabled()

        def page(limit: int, after: str | None) -> Json:
            asked = listing.Wanted(
                limit=limit,
                derived=derived,
                after=after,
                text=wanted.text,
                source=wanted.source,
                project=wanted.project,
                state=wanted.state,
            )
            return self._read(lambda r: listing.list_slots(r, asked, DASHBOARD, time.time_ns())).as_dict()

        return gathered("slots", wanted.limit, page) | self._notices()

    def summary(self, slot: str) -> Json:
        from service.web.summary import summary_body

        now_ns = time.time_ns()
        state = self._read(lambda r: summaries.read_slot_state(r, slot, DASHBOARD, now_ns))
        if state is None:
            raise no_such_session()
        body: Json = orjson.loads(summary_body(state, self._settings(), now_ns))
        return body

    def make(self, slot: str) -> Json:
        from service.cli.making import make_summary

        # A database that cannot be read is said to be so: only a service that starts moves it aside.
        self.summary(slot)
        make_summary(self._folder, self._config, slot)
        return self.summary(slot)

    def open_items(self, limit: int | None) -> Json:
        self._check_exists()
        if not self.enabled():
            return {**open_items.NOTHING_WHILE_OFF, **self._notices()}

        def page(size: int, after: str | None) -> Json:
            return self._read(lambda r: open_items.list_open_items(r, DASHBOARD, size, after=after)).as_dict()

        return gathered("items", limit, page) | self._notices()

    def usage(self, limit: int | None, slot: str | None, since: str | None) -> Json:
        moment = parse_time(since)
        start = moment.timestamp() if moment else None

        def page(size: int, after: str | None) -> Json:
            wanted = usage.WantedPasses(limit=size, slot=slot, since=start, after=after)
            return asdict(self._read(lambda r: usage.read_usage(r, wanted, DASHBOARD)))

        tokens, now = self._settings().daily_token_budget, time.time()
        budget = self._read(lambda r: usage.read_budget(r, tokens, now))
        # A command runs with the environment and the settings that it finds.
        prospects = {"budget": budget and asdict(budget), "settings_since": now}
        return gathered("passes", limit, page) | prospects

    def delete(self, slot: str) -> Json:
        async def work(w: Write) -> deletion.Receipt | None:
            found = await slots.find_slot(w, slot, DASHBOARD)
            if found is None:
                return None
            return await deletion.delete_transcript(w, found.transcript_key, time.time_ns(), tombstone=True)

        receipt, purged = self._write(work)
        if receipt is None:
            raise no_such_session()
        return {"deleted": receipt.as_dict(), "purged": purged}

    def tokens(self) -> list[Json]:
        return [asdict(row) for row in self._read(tokens.list_tokens)]

    def create_token(self, app: str) -> str:
        from service.web.tokens import APP_NAME, APP_NAME_WORDS, new_token

        if not APP_NAME.fullmatch(app):
            raise CommandError(APP_NAME_WORDS)
        token, digest = new_token()
        self._folder.prepare()
        self._write(lambda w: tokens.add_token(w, digest, app, time.time_ns()), may_create=True)
        return token

    def revoke_tokens(self, app: str) -> int:
        count, _ = self._write(lambda w: tokens.revoke_tokens(w, app, time.time_ns()))
        if not count:
            raise CommandError("that app has no valid token; `session-summary token list` shows them")
        return count

    def _notices(self) -> Json:
        found = self._folder.notices()
        return {"notices": found} if found else {}

    def _settings(self) -> Config:
        return read_config(self._config)

    def _read(self, work: Callable[[Read], Awaitable[T]]) -> T:
        self._check_exists()
        return _run(self._read_current(work))

    async def _read_current(self, work: Callable[[Read], Awaitable[T]]) -> T:
        if not self._current and (await read_once(self._folder.database, read_revisions)).outdated:
            with held(self._folder):
                await bring_up_to_date(self._folder.database)
        self._current = True
        return await read_once(self._folder.database, work)

    def _write(self, work: Callable[[Write], Awaitable[T]], *, may_create: bool = False) -> tuple[T, bool]:
        """What `work` gives, and whether no removed text is left in the log."""
        if not may_create:
            self._check_exists()

        async def write() -> tuple[T, bool]:
            async with opened_for_writing(self._folder.database) as db:
                result = await db.write(work)
                return result, await db.purge(_PURGE_SECONDS)

        with held(self._folder):
            return _run(write())

    def _check_exists(self) -> None:
        if not self._folder.database.is_file():
            raise CommandError(
                f"there is no database in {self._folder.path} yet; `session-summary serve` makes one, "
                "or say where yours is with --data-dir"
            )


def _run(work: Awaitable[T]) -> T:
    async def main() -> T:
        return await work

    try:
        return asyncio.run(main())
    except DatabaseUnusableError as error:
        raise CommandError(f"{error}; `session-summary doctor` tells more") from error
    except StoreBusyError as error:
        raise CommandError("another process holds the database; nothing was changed, try again in a moment") from error
    except StoreFullError as error:
        raise CommandError("the database cannot be written (disk full or read-only); nothing was changed") from error
