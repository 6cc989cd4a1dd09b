"""Which part of an agent's file is a copy of another session, and when its state last changed.

Revision: 0003
Follows: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sources", sa.Column("ctime_ns", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("sources", sa.Column("first_row", sa.Text(), nullable=False, server_default=""))
    op.add_column("sources", sa.Column("copied", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("sources", sa.Column("copied_digest", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("sources", "copied_digest")
    op.drop_column("sources", "copied")
    op.drop_column("sources", "first_row")
    op.drop_column("sources", "ctime_ns")
