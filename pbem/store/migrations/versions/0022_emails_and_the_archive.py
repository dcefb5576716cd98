"""A reader says how the board and talk come in emails; finished games are found by players, orders and points."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_counted_games_players_ended_at_game_id": ["players", "ended_at", "game_id"],
    "ix_counted_games_orders_game_id": ["orders", "game_id"],
    "ix_counted_games_best_game_id": ["best", "game_id"],
    "ix_counted_games_margin_game_id": ["margin", "game_id"],
}
NAMES = ("game_id", "points")


def upgrade() -> None:
    op.add_column("accounts", sa.Column("pictures", sa.String(8), nullable=False, server_default="inside"))
    op.add_column("game_notifications", sa.Column("talk", sa.String(8), nullable=False, server_default=""))
    op.add_column("counted_games", sa.Column("orders", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("counted_games", sa.Column("best", sa.Integer(), nullable=True))
    op.add_column("counted_games", sa.Column("margin", sa.Integer(), nullable=True))
    games, results = (
        sa.table("games", sa.column("id"), sa.column("version")),
        sa.table("results", *map(sa.column, NAMES)),
    )
    counted = sa.table("counted_games", *map(sa.column, ("game_id", "orders", "best", "margin")))
    points = (
        sa.select(results.c.points)
        .where(results.c.game_id == counted.c.game_id, results.c.points.is_not(None))
        .order_by(results.c.points.desc())
        .limit(1)
    )
    version = sa.select(games.c.version).where(games.c.id == counted.c.game_id).scalar_subquery()
    op.execute(counted.update().values(orders=sa.func.coalesce(version, 0), best=points.scalar_subquery()))
    op.execute(counted.update().values(margin=counted.c.best - points.offset(1).scalar_subquery()))
    for name, columns in INDEXES.items():
        op.create_index(name, "counted_games", columns)


def downgrade() -> None:
    for name in INDEXES:
        op.drop_index(name, "counted_games")
    for column in ("margin", "best", "orders"):
        op.drop_column("counted_games", column)
    op.drop_column("game_notifications", "talk")
    op.drop_column("accounts", "pictures")
