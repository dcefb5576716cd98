"""How many people a league waits for, to begin before its date."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("leagues", sa.Column("full_at", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("leagues", "full_at")
