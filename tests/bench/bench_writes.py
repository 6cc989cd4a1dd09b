"""What sharing commits brings: the same writes one commit each and many to a commit, side by side in one run.

Run: python -m tests.bench.bench_writes [folder on the disk to measure]
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from service.store import transcripts
from service.store.engine import Database
from service.store.schema import migrate
from tests.support.stored import NOW_NS, open_slot, said

_WRITES = 400
_ROUNDS = 5
_WAITING = (1, 4, 16, 64)


async def _measure(db: Database, waiting: int) -> float:
    """Writes a second while so many callers each wait for their own write before the next."""

    async def caller(n: int) -> None:
        for _ in range(_WRITES // waiting):
            await db.write(lambda w: transcripts.append_messages(w, f"s{n}", [said("Sort the imports")], NOW_NS))

    began = time.perf_counter()
    await asyncio.gather(*(caller(n) for n in range(waiting)))
    return _WRITES / (time.perf_counter() - began)


async def _run(folder: Path) -> None:
    await migrate(folder / "bench.db")
    db = Database(folder / "bench.db")
    for n in range(max(_WAITING)):
        await open_slot(db, f"s{n}")
    rates: dict[int, list[float]] = {waiting: [] for waiting in _WAITING}
    for _ in range(_ROUNDS):
        for waiting in _WAITING:
            rates[waiting].append(await _measure(db, waiting))
    await db.close()
    alone = statistics.median(rates[1])
    for waiting in _WAITING:
        rate = statistics.median(rates[waiting])
        sys.stdout.write(f"{waiting:3} callers: {rate:6.0f} writes/s, {rate / alone:4.1f} times one at a time\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        asyncio.run(_run(Path(name)))
