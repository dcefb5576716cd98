"""People choose how boards look, and mark the talk of a game as read."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("clear_colours", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("accounts", sa.Column("hex_labels", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("seats", sa.Column("talk_read", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("seats", "talk_read")
    op.drop_column("accounts", "hex_labels")
    op.drop_column("accounts", "clear_colours")
