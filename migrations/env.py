"""Runs migrations: on the connection that was handed in, else on one of its own for the command line (`-x url=…`)."""

import asyncio

import sqlalchemy as sa
from alembic import context
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from service.store.tables import Base


def run(connection: sa.Connection) -> None:
    """Runs inside the connection's transaction, so that a failing revision leaves nothing behind."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        transactional_ddl=True,
        render_as_batch=True,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


async def from_url(url: str) -> None:
    """The command line's own engine, without foreign keys: a batch migration would cascade through them."""
    engine = create_async_engine(url, poolclass=NullPool)
    async with engine.begin() as connection:
        await connection.run_sync(run)
    await engine.dispose()


if (shared := context.config.attributes.get("connection")) is not None:
    run(shared)
else:
    asyncio.run(
        from_url(context.get_x_argument(as_dictionary=True).get("url", "sqlite+aiosqlite:///session-summary.db"))
    )
