"""Accounts have a language."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("language", sa.String(16), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("accounts", "language")
