"""Whether the database can be written and has the tables this release expects."""

import asyncio
from collections.abc import Mapping
from enum import StrEnum

import sqlalchemy as sa
from alembic.script import ScriptDirectory

from service.store.engine import Database, Read, StoreBusyError, StoreFullError, Write
from service.store.schema import script_location

# A probe that waits longer tells a balancer nothing new, and it must not queue behind its own earlier ones.
_MOST_SECONDS = 2.0


class Check(StrEnum):
    """How one part stands."""

    OK = "ok"
    BUSY = "store_busy"
    FULL = "store_full"
    BEHIND = "not_at_head"


class Readiness:
    """Looks when asked; looks that come while one is under way share its result."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._head: str | None = None
        self._look: asyncio.Task[Mapping[str, Check]] | None = None

    async def checks(self) -> Mapping[str, Check]:
        """Each part by name, ready where it is `ok`."""
        if self._look is None or self._look.done():
            self._look = asyncio.create_task(self._checks())
        return await asyncio.shield(self._look)

    async def _checks(self) -> Mapping[str, Check]:
        return {"database": await self._database(), "migrations": await self._migrations()}

    async def _database(self) -> Check:
        try:
            async with asyncio.timeout(_MOST_SECONDS):
                await self._db.write(_touch)
        except (TimeoutError, StoreBusyError):
            return Check.BUSY
        except StoreFullError:
            return Check.FULL
        return Check.OK

    async def _migrations(self) -> Check:
        if self._head is None:
            self._head = await asyncio.to_thread(_newest_revision)
        try:
            async with asyncio.timeout(_MOST_SECONDS):
                revision = await self._db.read(_revision)
        except (TimeoutError, StoreBusyError):
            return Check.BUSY
        except StoreFullError:
            return Check.FULL
        return Check.OK if revision == self._head else Check.BEHIND


def _newest_revision() -> str:
    return ScriptDirectory(str(script_location())).get_current_head() or ""


async def _revision(read: Read) -> str | None:
    known = await read.scalar(sa.text("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"))
    return str(await read.scalar(sa.text("SELECT version_num FROM alembic_version"))) if known else None


async def _touch(write: Write) -> None:
    """Writes a page as it is: only a write that reaches the disk tells a full one."""
    version = int(await write.scalar(sa.text("PRAGMA user_version")) or 0)
    await write.execute(sa.text(f"PRAGMA user_version = {version}"))
