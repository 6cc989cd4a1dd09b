"""Which call for a one-line title may still store it.

Revision: 0002
Follows: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("titles", sa.Column("lease_owner", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("titles", "lease_owner")
