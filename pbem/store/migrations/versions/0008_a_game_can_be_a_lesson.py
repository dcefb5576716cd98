"""A game can be a lesson: whoever learns takes over a seat near its end, and every email explains one decision."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("lesson", sa.String(16), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("games", "lesson")
