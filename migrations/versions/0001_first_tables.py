"""The first tables.

Revision: 0001
Follows: nothing
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("slot", sa.Text(), nullable=False),
        sa.Column("app", sa.Text(), nullable=True),
        sa.Column("at_ns", sa.Integer(), nullable=False),
        sa.Column("running", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_table(
        "sources",
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("transcript_key", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("inode", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("mtime_ns", sa.Integer(), nullable=False),
        sa.Column("offset", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("path", name=op.f("pk_sources")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_sources_transcript_key"), "sources", ["transcript_key"])

    op.create_table(
        "tokens",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("app", sa.Text(), nullable=False),
        sa.Column("created", sa.Integer(), nullable=False),
        sa.Column("revoked", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_tokens")),
        sqlite_strict=True,
    )
    op.create_table(
        "tombstones",
        sa.Column("key_digest", sa.Text(), nullable=False),
        sa.Column("deleted_at_ns", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key_digest", name=op.f("pk_tombstones")),
        sqlite_strict=True,
    )
    op.create_table(
        "transcripts",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("sig", sa.Integer(), nullable=False),
        sa.Column("gen", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("memory_mode", sa.Text(), nullable=False),
        sa.Column("user_turns", sa.Integer(), nullable=False),
        sa.Column("last_activity", sa.Text(), nullable=True),
        sa.Column("sort_ns", sa.Integer(), nullable=False),
        sa.Column("unprompted", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_transcripts")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_transcripts_sort_ns_key"), "transcripts", ["sort_ns", "key"])

    op.create_table(
        "messages",
        sa.Column("transcript_key", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("ts", sa.Text(), nullable=True),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["transcript_key"],
            ["transcripts.key"],
            name=op.f("fk_messages_transcript_key_transcripts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("transcript_key", "seq", name=op.f("pk_messages")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_messages_transcript_key_turn"), "messages", ["transcript_key", "turn"])

    op.create_table(
        "passes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("transcript_key", sa.Text(), nullable=True),
        sa.Column("slot", sa.Text(), nullable=True),
        sa.Column("trigger", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("cache_read_tokens", sa.Integer(), nullable=False),
        sa.Column("cache_write_tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.REAL(), nullable=True),
        sa.Column("started_at", sa.REAL(), nullable=False),
        sa.Column("seconds", sa.REAL(), nullable=False),
        sa.ForeignKeyConstraint(
            ["transcript_key"],
            ["transcripts.key"],
            name=op.f("fk_passes_transcript_key_transcripts"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passes")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_passes_started_at"), "passes", ["started_at"])
    op.create_index(op.f("ix_passes_transcript_key"), "passes", ["transcript_key"])

    op.create_table(
        "slots",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("transcript_key", sa.Text(), nullable=False),
        sa.Column("app", sa.Text(), nullable=True),
        sa.Column("running", sa.Integer(), nullable=False),
        sa.Column("last_stop_reason", sa.Text(), nullable=True),
        sa.Column("turn_mark", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["transcript_key"],
            ["transcripts.key"],
            name=op.f("fk_slots_transcript_key_transcripts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_slots")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_slots_transcript_key"), "slots", ["transcript_key"])

    op.create_table(
        "summaries",
        sa.Column("transcript_key", sa.Text(), nullable=False),
        sa.Column("sig", sa.Integer(), nullable=False),
        sa.Column("gen", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=True),
        sa.Column("generated_at", sa.REAL(), nullable=True),
        sa.Column("user_turns", sa.Integer(), nullable=False),
        sa.Column("lease_owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.Integer(), nullable=True),
        sa.Column("headline", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("open_items", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["transcript_key"],
            ["transcripts.key"],
            name=op.f("fk_summaries_transcript_key_transcripts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("transcript_key", name=op.f("pk_summaries")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_summaries_state"), "summaries", ["state"])

    op.create_table(
        "titles",
        sa.Column("transcript_key", sa.Text(), nullable=False),
        sa.Column("sig", sa.Integer(), nullable=False),
        sa.Column("gen", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("generated_at", sa.REAL(), nullable=True),
        sa.ForeignKeyConstraint(
            ["transcript_key"],
            ["transcripts.key"],
            name=op.f("fk_titles_transcript_key_transcripts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("transcript_key", name=op.f("pk_titles")),
        sqlite_strict=True,
    )
    op.create_table(
        "facts",
        sa.Column("transcript_key", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["transcript_key", "seq"],
            ["messages.transcript_key", "messages.seq"],
            name=op.f("fk_facts_transcript_key_messages"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("transcript_key", "seq", "n", name=op.f("pk_facts")),
        sqlite_strict=True,
    )


def downgrade() -> None:
    op.drop_table("facts")
    op.drop_table("titles")
    op.drop_index(op.f("ix_summaries_state"), table_name="summaries")

    op.drop_table("summaries")
    op.drop_index(op.f("ix_slots_transcript_key"), table_name="slots")

    op.drop_table("slots")
    op.drop_index(op.f("ix_passes_transcript_key"), table_name="passes")
    op.drop_index(op.f("ix_passes_started_at"), table_name="passes")

    op.drop_table("passes")
    op.drop_index(op.f("ix_messages_transcript_key_turn"), table_name="messages")

    op.drop_table("messages")
    op.drop_index(op.f("ix_transcripts_sort_ns_key"), table_name="transcripts")

    op.drop_table("transcripts")
    op.drop_table("tombstones")
    op.drop_table("tokens")
    op.drop_index(op.f("ix_sources_transcript_key"), table_name="sources")

    op.drop_table("sources")
    op.drop_table("events")
