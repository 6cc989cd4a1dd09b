"""Who is asking, and which slots they may see."""

from dataclasses import dataclass

import sqlalchemy as sa

from service.store.engine import Read
from service.store.tables import Slot


@dataclass(frozen=True, slots=True)
class Caller:
    """The dashboard (no app), which sees everything, or one app, which sees the slots it created."""

    app: str | None = None


DASHBOARD = Caller()


def visible_to(caller: Caller) -> sa.ColumnElement[bool]:
    """The condition on `slots` that every statement a caller causes carries, so that none can forget it."""
    return sa.true() if caller.app is None else Slot.app == caller.app


async def denial_reason(read: Read, slot: str) -> str:
    """Why a slot was not shown, for the audit log alone; the answer never tells these apart."""
    known = await read.scalar(sa.select(sa.exists().where(Slot.key == slot)))
    return "foreign_slot" if known else "unknown_slot"
