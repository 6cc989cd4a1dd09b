"""Applies changed redaction rules to what is stored, in the background, without a model call."""

import asyncio
import hashlib
import logging
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable

import orjson

from service.domain.redact import redact, redact_nested
from service.store import scrub
from service.store.engine import Database, StoreBusyError, StoreFullError, Write
from service.store.purge import owe_purge
from service.store.scrub import Column, StoredText

log = logging.getLogger(__name__)

_RETRY_SECONDS = 30.0


def rules_version(domain: Traversable) -> int:
    """A number for the redaction rules as their sources say them, code and all; never 0.

    SQLite keeps 31 bits for its file's owner: enough to tell one set of rules from another.
    """
    digest = hashlib.sha256()
    for name, source in sorted(_rule_sources(domain).items()):
        digest.update(name.encode() + hashlib.sha256(source.read_bytes()).digest())
    return int.from_bytes(digest.digest()[:4]) >> 1 or 1


def _rule_sources(domain: Traversable) -> dict[str, Traversable]:
    modules = [domain / "redact.py", *(domain / "redact_rules").iterdir()]
    return {module.name: module for module in modules if module.name.endswith(".py")}


class Scrub:
    """One task that ends when all stored text has been through the rules in force."""

    def __init__(self, db: Database, purge_soon: Callable[[], None], now: Callable[[], float]) -> None:
        self._db = db
        self._purge_soon = purge_soon
        self._now = now
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins, where the rules are other ones than last time."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stops between two batches; the next start begins anew."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        rules = await asyncio.to_thread(rules_version, files("service.domain"))
        while True:
            try:
                if await self._db.read(scrub.scrubbed_with) != rules:
                    await self._scrub_all(rules)
                return
            except (StoreBusyError, StoreFullError) as error:
                log.warning("scrub_delayed error=%s", type(error).__name__)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _scrub_all(self, rules: int) -> None:
        changed = 0
        for column in scrub.COLUMNS:
            changed += await self._scrub_column(column)
        await self._db.write(lambda w: scrub.mark_scrubbed(w, rules))
        if changed:
            self._purge_soon()
        log.info("scrubbed changed=%d", changed)

    async def _scrub_column(self, column: Column) -> int:
        clean = _clean_payload if column is scrub.PAYLOAD else redact
        rowid, changed = 0, 0
        while texts := await self._next(column, rowid):
            cleaned = await asyncio.to_thread(_all, clean, texts)
            pairs = [(old, new) for old, new in zip(texts, cleaned, strict=True) if old.text != new]
            if pairs:
                await self._replace(column, pairs)
            rowid, changed = texts[-1].rowid, changed + len(pairs)
        return changed

    async def _next(self, column: Column, rowid: int) -> list[StoredText]:
        return list(await self._db.read(lambda r: scrub.texts_after(r, column, rowid)))

    async def _replace(self, column: Column, pairs: list[tuple[StoredText, str]]) -> None:
        async def write(w: Write) -> None:
            await owe_purge(w)
            await scrub.replace_texts(w, column, pairs, int(self._now() * 1_000_000_000))

        await self._db.write(write)


def _all(clean: Callable[[str], str], texts: list[StoredText]) -> list[str]:
    return [clean(stored.text) for stored in texts]


def _clean_payload(payload: str) -> str:
    """The JSON text with every text in it redacted; the very same text where nothing was found."""
    value = orjson.loads(payload)
    cleaned = redact_nested(value)
    return payload if cleaned == value else orjson.dumps(cleaned).decode()
