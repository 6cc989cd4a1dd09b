"""One pass per transcript, over processes: the lease lies in the database, not in memory."""

import uuid
from dataclasses import dataclass

from service.store import summaries
from service.store.engine import Database

# The lease outlives the pass's own deadline by this much, for its last write.
_GRACE_NS = 10 * 1_000_000_000


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to be the one pass that summarises a transcript."""

    transcript_key: str
    owner: str


def lease_end(now_ns: int, deadline_seconds: int) -> int:
    """When a lease runs out that counts from `now_ns`."""
    return now_ns + deadline_seconds * 1_000_000_000 + _GRACE_NS


async def take(db: Database, transcript_key: str, now_ns: int, deadline_seconds: int) -> Lease | None:
    """The lease, or None where another pass holds it."""
    lease = Lease(transcript_key, uuid.uuid4().hex)
    until = lease_end(now_ns, deadline_seconds)
    taken = await db.write(lambda w: summaries.take_lease(w, transcript_key, lease.owner, now_ns, until))
    return lease if taken else None


async def start(db: Database, lease: Lease, now_ns: int, deadline_seconds: int) -> bool:
    """Counts the lease from the moment a worker starts the pass; False where it ran out in the queue and was taken."""
    until = lease_end(now_ns, deadline_seconds)
    return await db.write(lambda w: summaries.extend_lease(w, lease.transcript_key, lease.owner, until))


async def release(db: Database, lease: Lease) -> None:
    """Gives the lease back where it is still ours."""
    await db.write(lambda w: summaries.release_lease(w, lease.transcript_key, lease.owner))
