"""A seat can be a robot's, which answers at a time of its own and says why."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
DUE = "ix_games_status_robot_at"


def upgrade() -> None:
    op.add_column("seats", sa.Column("robot", sa.String(16), nullable=False, server_default=""))
    op.add_column("games", sa.Column("robot_seconds", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("games", sa.Column("robot_zone", sa.String(64), nullable=False, server_default="UTC"))
    op.add_column("games", sa.Column("robot_at", UtcTime(), nullable=True))
    op.create_index(DUE, "games", ["status", "robot_at"])
    op.add_column("submissions", sa.Column("why", JSON, nullable=True))
    op.add_column("moves", sa.Column("why", JSON, nullable=True))


def downgrade() -> None:
    op.drop_column("moves", "why")
    op.drop_column("submissions", "why")
    op.drop_index(DUE, "games")
    op.drop_column("games", "robot_at")
    op.drop_column("games", "robot_zone")
    op.drop_column("games", "robot_seconds")
    op.drop_column("seats", "robot")
