"""Nothing is ever lost: limits."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _limits()
    op.create_index("ix_games_status_map_ended_at_id", "games", ["status", "map", "ended_at", "id"])
    op.create_index("ix_orders_ahead_submission_id", "orders_ahead", ["submission_id"])
    op.add_column("games", sa.Column("ahead_at", UtcTime(), nullable=True))
    op.create_index("ix_games_status_ahead_at", "games", ["status", "ahead_at"])
    op.add_column("accounts", sa.Column("deleted_at", UtcTime(), nullable=True))


def downgrade() -> None:
    op.drop_index("ix_orders_ahead_submission_id", "orders_ahead")
    op.drop_index("ix_games_status_map_ended_at_id", "games")
    op.drop_index("ix_games_status_ahead_at", "games")
    op.drop_column("games", "ahead_at")
    op.drop_column("accounts", "deleted_at")
    op.drop_table("allowances")


def _limits() -> None:
    op.create_table(
        "allowances",
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("until", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_allowances"),
    )
    op.create_index("ix_allowances_until", "allowances", ["until"])
