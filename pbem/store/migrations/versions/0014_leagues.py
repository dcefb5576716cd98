"""Leagues and knock-outs."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "leagues",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("title", sa.String(120), nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("maps", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("tables_of", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("seasons", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("turn_seconds", sa.Integer(), nullable=False),
        sa.Column("pause_days", sa.Integer(), nullable=False),
        sa.Column("if_left", sa.String(12), nullable=False),
        sa.Column("opened_at", UtcTime(), nullable=False),
        sa.Column("step_at", UtcTime(), nullable=True),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["accounts.id"], name=op.f("fk_leagues_host_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leagues")),
    )
    op.create_index("ix_leagues_host_id", "leagues", ["host_id"])
    op.create_index("ix_leagues_step_at", "leagues", ["step_at"])
    op.create_table(
        "league_members",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.String(16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("robot", sa.String(16), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("stand_in", sa.Boolean(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["leagues.id"], name=op.f("fk_league_members_league_id")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_league_members_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_members")),
        sa.UniqueConstraint("league_id", "account_id", name=op.f("uq_league_members_league_id_account_id")),
    )
    op.create_index("ix_league_members_league_id", "league_members", ["league_id"])
    op.create_index("ix_league_members_account_id", "league_members", ["account_id"])
    op.create_table(
        "league_games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.String(16), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("map", sa.String(64), nullable=False),
        sa.Column("game_id", sa.String(16), nullable=True),
        sa.Column("open_at", UtcTime(), nullable=True),
        sa.Column("done_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["league_id"], ["leagues.id"], name=op.f("fk_league_games_league_id")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_league_games_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_games")),
        sa.UniqueConstraint("game_id", name=op.f("uq_league_games_game_id")),
    )
    op.create_index("ix_league_games_open_at", "league_games", ["open_at"])
    op.create_index("ix_league_games_done_at", "league_games", ["done_at"])
    op.create_index("ix_league_games_league_id_season", "league_games", ["league_id", "season"])
    op.create_table(
        "league_seats",
        sa.Column("league_game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("out", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["league_game_id"], ["league_games.id"], name=op.f("fk_league_seats_league_game_id")),
        sa.ForeignKeyConstraint(["member_id"], ["league_members.id"], name=op.f("fk_league_seats_member_id")),
        sa.PrimaryKeyConstraint("league_game_id", "number", name=op.f("pk_league_seats")),
    )
    op.create_index("ix_league_seats_member_id", "league_seats", ["member_id"])


def downgrade() -> None:
    for table in ("league_seats", "league_games", "league_members", "leagues"):
        op.drop_table(table)
