"""Moments that few games have are indexed only where there are any: every turn writes the other indexes alone."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_games_status_paused_until": ["status", "paused_until"],
    "ix_games_status_stops_at": ["status", "stops_at"],
    "ix_games_status_standing_order_at": ["status", "standing_order_at"],
    "ix_games_status_robot_at": ["status", "robot_at"],
    "ix_games_count_at": ["count_at"],
}


def upgrade() -> None:
    where = f"{op.get_bind().dialect.name}_where"  # both would load what SQLAlchemy has for the other database
    for name, columns in INDEXES.items():
        op.drop_index(name, "games")
        only: Any = {where: sa.text(f"{columns[-1]} IS NOT NULL")}
        op.create_index(name, "games", columns, **only)


def downgrade() -> None:
    for name, columns in INDEXES.items():
        op.drop_index(name, "games")
        op.create_index(name, "games", columns)
