"""Reviews of finished games, and who wants own orders in none."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("reviewed", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.create_table(
        "reviews",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.Column("claimed_until", UtcTime(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("found", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_reviews_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_reviews"),
    )
    op.create_index("ix_reviews_status_rank_since", "reviews", ["status", "rank", "since"])
    op.execute(
        "INSERT INTO reviews (game_id, status, rank, since, tries, part, spent)"
        " SELECT id, 'waiting', 2, ended_at, 0, 0, 0 FROM games"
        " WHERE status = 'over' AND game = 'age-of-steam' AND ended_at IS NOT NULL"
    )


def downgrade() -> None:
    op.drop_table("reviews")
    op.drop_column("accounts", "reviewed")
