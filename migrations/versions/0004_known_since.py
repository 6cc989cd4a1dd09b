"""Since when a transcript is known: one that is made again under a deleted one's key is told from it.

Revision: 0004
Follows: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("transcripts", sa.Column("known_since_ns", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("transcripts", "known_since_ns")
