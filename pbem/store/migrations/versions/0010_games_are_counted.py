"""Finished games are counted for statistics and ratings; a game can be friendly, and an account shows its results."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

WAITS = "ix_games_count_at"


def upgrade() -> None:
    op.add_column("games", sa.Column("friendly", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("games", sa.Column("count_at", UtcTime(), nullable=True))
    op.execute("UPDATE games SET count_at = ended_at WHERE status = 'over'")
    op.create_index(WAITS, "games", ["count_at"])
    op.add_column("accounts", sa.Column("statistics", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "counted_games",
        sa.Column("game_id", sa.String(16), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("map", sa.String(64), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("ended_at", UtcTime(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("figures", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_counted_games_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_counted_games")),
    )
    op.create_index(
        "ix_counted_games_game_rated_ended_at_game_id", "counted_games", ["game", "rated", "ended_at", "game_id"]
    )
    op.create_index("ix_counted_games_game_map_game_id", "counted_games", ["game", "map", "game_id"])
    op.create_table(
        "results",
        sa.Column("game_id", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("ended_at", UtcTime(), nullable=False),
        sa.Column("who", sa.String(24), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("out", sa.Boolean(), nullable=False),
        sa.Column("nth", sa.Integer(), nullable=True),
        sa.Column("mu", sa.Integer(), nullable=True),
        sa.Column("sigma", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_results_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_results")),
    )
    op.create_index("ix_results_who_game_ended_at_game_id", "results", ["who", "game", "ended_at", "game_id"])
    op.create_table(
        "ratings",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("who", sa.String(24), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("mu", sa.Integer(), nullable=False),
        sa.Column("sigma", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("last_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_ratings_account_id")),
        sa.PrimaryKeyConstraint("game", "who", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_account_id", "ratings", ["account_id"])
    op.create_index("ix_ratings_game_shown", "ratings", ["game", "shown"])
    op.create_table(
        "tallies",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("map", sa.String(64), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("figure", sa.String(16), nullable=False),
        sa.Column("key", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game", "map", "players", "figure", "key", name=op.f("pk_tallies")),
    )


def downgrade() -> None:
    for table in ("tallies", "ratings", "results", "counted_games"):
        op.drop_table(table)
    op.drop_column("accounts", "statistics")
    op.drop_index(WAITS, "games")
    op.drop_column("games", "count_at")
    op.drop_column("games", "friendly")
