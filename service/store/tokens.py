"""Apps' tokens: only their digests are stored."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from service.store.engine import Read, Write
from service.store.tables import Token


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One app's token; times are integer ns."""

    app: str
    created: int
    revoked: int | None


async def find_app(read: Read, digest: str) -> str | None:
    """The app whose token has this digest, unless it was revoked."""
    app: str | None = await read.scalar(sa.select(Token.app).where(Token.digest == digest, Token.revoked.is_(None)))
    return app


async def add_token(write: Write, digest: str, app: str, now_ns: int) -> None:
    """Another token for the app; earlier ones stay valid until they are revoked."""
    await write.execute(sa.insert(Token).values(digest=digest, app=app, created=now_ns))


async def revoke_tokens(write: Write, app: str, now_ns: int) -> int:
    """Revokes every token of the app; how many that were."""
    statement = sa.update(Token).where(Token.app == app, Token.revoked.is_(None)).values(revoked=now_ns)
    return (await write.execute(statement)).rowcount


async def list_tokens(read: Read) -> Sequence[TokenRow]:
    """Every token ever made, oldest first."""
    rows = await read.execute(sa.select(Token.app, Token.created, Token.revoked).order_by(Token.created, Token.app))
    return [TokenRow(*row) for row in rows]
