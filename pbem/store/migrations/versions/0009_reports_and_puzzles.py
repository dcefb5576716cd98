"""Balance reports of maps that people draw, who likes these maps, what is answered to a withdrawal, and to puzzles."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("own_maps", sa.Column("answer", sa.Text(), nullable=True))
    op.add_column("own_maps", sa.Column("answered_at", UtcTime(), nullable=True))
    op.create_table(
        "own_map_likes",
        sa.Column("map_key", sa.String(length=12), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("liked", sa.Boolean(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_own_map_likes_account_id"),
        sa.ForeignKeyConstraint(["map_key"], ["own_maps.key"], name="fk_own_map_likes_map_key"),
        sa.PrimaryKeyConstraint("map_key", "account_id", name="pk_own_map_likes"),
    )
    op.create_table(
        "own_map_reports",
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("seed", sa.String(length=16), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("figures", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.Column("claimed_until", UtcTime(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("email", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["own_map_versions.id"], name="fk_own_map_reports_version_id"),
        sa.PrimaryKeyConstraint("version_id", name="pk_own_map_reports"),
    )
    op.create_index("ix_own_map_reports_status_asked_at", "own_map_reports", ["status", "asked_at"])
    op.create_table(
        "puzzle_answers",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_puzzle_answers_account_id"),
        sa.PrimaryKeyConstraint("account_id", "day", name="pk_puzzle_answers"),
    )
    op.create_index("ix_puzzle_answers_day", "puzzle_answers", ["day"])


def downgrade() -> None:
    for table in ("puzzle_answers", "own_map_reports", "own_map_likes"):
        op.drop_table(table)
    for column in ("answered_at", "answer"):
        op.drop_column("own_maps", column)
