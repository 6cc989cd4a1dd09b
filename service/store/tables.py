"""The tables, as DESIGN section 3 fixes them; names are part of the contract, since people and checks read the file."""

import sqlalchemy as sa
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

STRICT = {"sqlite_strict": True}


def _cascade(column: str) -> sa.ForeignKey:
    return sa.ForeignKey(column, ondelete="CASCADE")


class Base(DeclarativeBase):
    """STRICT tables know few type names, and batch migrations need every constraint named."""

    metadata = sa.MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        }
    )
    type_annotation_map = {str: sa.Text, int: sa.Integer, float: sa.REAL}  # noqa: RUF012 - read by SQLAlchemy as given


class Transcript(Base):
    """The ordered messages of one session, and the identity that everything made from them is held against.

    `known_since_ns` tells a transcript from one made again under its key; it is 0 in rows older than the column.
    """

    __tablename__ = "transcripts"
    __table_args__ = (sa.Index(None, "sort_ns", "key"), STRICT)

    key: Mapped[str] = mapped_column(primary_key=True)
    sig: Mapped[int]
    gen: Mapped[int]
    source: Mapped[str]
    title: Mapped[str | None]
    project: Mapped[str | None]
    memory_mode: Mapped[str]
    user_turns: Mapped[int]
    last_activity: Mapped[str | None]
    sort_ns: Mapped[int]
    unprompted: Mapped[str | None]
    known_since_ns: Mapped[int] = mapped_column(server_default="0")


class Message(Base):
    """`turn` is the number of user turns up to and with this message, so that one exchange is one index range."""

    __tablename__ = "messages"
    __table_args__ = (sa.Index(None, "transcript_key", "turn"), STRICT)

    transcript_key: Mapped[str] = mapped_column(_cascade("transcripts.key"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    role: Mapped[str]
    content: Mapped[str]
    ts: Mapped[str | None]
    origin: Mapped[str]
    turn: Mapped[int] = mapped_column(server_default="0")


class Fact(Base):
    """What happened after message `seq` and before the next one, in the order of `n`."""

    __tablename__ = "facts"
    __table_args__ = (
        sa.ForeignKeyConstraint(
            ["transcript_key", "seq"], ["messages.transcript_key", "messages.seq"], ondelete="CASCADE"
        ),
        STRICT,
    )

    transcript_key: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    text: Mapped[str]
    result: Mapped[str | None]


class Summary(Base):
    """Created empty with its transcript: a write is only ever an UPDATE and cannot bring a deleted session back.

    `headline`, `state` and `open_items` repeat what the payload says, for the list's filters; all are written at once.
    """

    __tablename__ = "summaries"
    __table_args__ = (sa.Index(None, "state"), STRICT)

    transcript_key: Mapped[str] = mapped_column(_cascade("transcripts.key"), primary_key=True)
    sig: Mapped[int]
    gen: Mapped[int]
    payload: Mapped[str | None]
    generated_at: Mapped[float | None]
    user_turns: Mapped[int]
    lease_owner: Mapped[str | None]
    lease_until: Mapped[int | None]
    headline: Mapped[str | None]
    state: Mapped[str | None]
    open_items: Mapped[int] = mapped_column(server_default="0")


class Title(Base):
    """One-line titles; `generated_at` set and `title` empty means that there was nothing to say.

    `lease_owner` is the call under way, if any: a transcript made again under a deleted one's key has none.
    """

    __tablename__ = "titles"
    __table_args__ = (STRICT,)

    transcript_key: Mapped[str] = mapped_column(_cascade("transcripts.key"), primary_key=True)
    sig: Mapped[int]
    gen: Mapped[int]
    title: Mapped[str | None]
    generated_at: Mapped[float | None]
    lease_owner: Mapped[str | None]


class Slot(Base):
    """Where a transcript is open; `app` is NULL for a slot that no app made.

    `running` is when the running turn began or last gave a row (ns), 0 while none runs.
    """

    __tablename__ = "slots"
    __table_args__ = (sa.Index(None, "transcript_key"), STRICT)

    key: Mapped[str] = mapped_column(primary_key=True)
    transcript_key: Mapped[str] = mapped_column(_cascade("transcripts.key"))
    app: Mapped[str | None]
    running: Mapped[int]
    last_stop_reason: Mapped[str | None]
    turn_mark: Mapped[int]


class Pass(Base):
    """The ledger: rows outlive the session they belong to, without naming it."""

    __tablename__ = "passes"
    __table_args__ = (
        sa.Index(None, "transcript_key"),
        sa.Index(None, "started_at"),
        {"sqlite_autoincrement": True, **STRICT},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    transcript_key: Mapped[str | None] = mapped_column(sa.ForeignKey("transcripts.key", ondelete="SET NULL"))
    slot: Mapped[str | None]
    trigger: Mapped[str]
    outcome: Mapped[str]
    reason: Mapped[str | None]
    model: Mapped[str | None]
    input_tokens: Mapped[int]
    output_tokens: Mapped[int]
    cache_read_tokens: Mapped[int]
    cache_write_tokens: Mapped[int]
    cost_usd: Mapped[float | None]
    started_at: Mapped[float]
    seconds: Mapped[float]


class Event(Base):
    """The outbox: each row is written in the transaction of what it announces, and holds keys only."""

    __tablename__ = "events"
    __table_args__ = ({"sqlite_autoincrement": True, **STRICT},)

    id: Mapped[int] = mapped_column(primary_key=True)
    type: Mapped[str]
    slot: Mapped[str]
    app: Mapped[str | None]
    at_ns: Mapped[int]
    running: Mapped[int | None]


class Source(Base):
    """How far an agent's file has been read, and what proves that the part already read is unchanged.

    The first `copied` messages of the file belong to another session, which its file was copied from.
    """

    __tablename__ = "sources"
    __table_args__ = (sa.Index(None, "transcript_key"), STRICT)

    path: Mapped[str] = mapped_column(primary_key=True)
    transcript_key: Mapped[str]
    format: Mapped[str]
    inode: Mapped[int]
    size: Mapped[int]
    mtime_ns: Mapped[int]
    offset: Mapped[int]
    digest: Mapped[str]
    ctime_ns: Mapped[int] = mapped_column(server_default="0")
    first_row: Mapped[str] = mapped_column(server_default="")
    copied: Mapped[int] = mapped_column(server_default="0")
    copied_digest: Mapped[str] = mapped_column(server_default="")


class Tombstone(Base):
    """Keeps a mirrored session that was deleted here from being imported again, without naming it."""

    __tablename__ = "tombstones"
    __table_args__ = (STRICT,)

    key_digest: Mapped[str] = mapped_column(primary_key=True)
    deleted_at_ns: Mapped[int]


class Token(Base):
    """Apps' tokens, by digest only."""

    __tablename__ = "tokens"
    __table_args__ = (STRICT,)

    digest: Mapped[str] = mapped_column(primary_key=True)
    app: Mapped[str]
    created: Mapped[int]
    revoked: Mapped[int | None]
