"""Finished games are found: by their titles in the archive, and by search engines where all who played allow it."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

TITLES = "ix_games_title_id"


def upgrade() -> None:
    op.create_index(TITLES, "games", ["title", "id"])
    op.add_column("accounts", sa.Column("findable", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("accounts", "findable")
    op.drop_index(TITLES, "games")
