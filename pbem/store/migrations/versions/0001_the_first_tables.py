"""The first tables."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("address", name="uq_accounts_address"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("map", sa.String(length=64), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("phase", sa.String(length=32), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("to_act", sa.String(length=16), nullable=False),
        sa.Column("turn_seconds", sa.Integer(), nullable=False),
        sa.Column("waiting_since", UtcTime(), nullable=True),
        sa.Column("deadline_at", UtcTime(), nullable=True),
        sa.Column("remind_at", UtcTime(), nullable=True),
        sa.Column("reminded_at", UtcTime(), nullable=True),
        sa.Column("opened_at", UtcTime(), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=True),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.Column("imported", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["accounts.id"], name="fk_games_host_id"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_host_id", "games", ["host_id"])
    op.create_index("ix_games_status_deadline_at", "games", ["status", "deadline_at"])
    op.create_index("ix_games_status_ended_at_id", "games", ["status", "ended_at", "id"])
    op.create_index("ix_games_status_remind_at", "games", ["status", "remind_at"])

    op.create_table(
        "logins",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=False),
        sa.Column("used_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_logins_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_logins"),
    )
    op.create_index("ix_logins_account_id", "logins", ["account_id"])

    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_sessions_account_id"),
        sa.PrimaryKeyConstraint("hash", name="pk_sessions"),
    )
    op.create_index("ix_sessions_account_id", "sessions", ["account_id"])

    op.create_table(
        "stops",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_stops_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_stops"),
        sa.UniqueConstraint("account_id", "game_id", "kind", name="uq_stops_account_id_game_id_kind"),
    )
    op.create_table(
        "letters",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=True),
        sa.Column("seat_number", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", UtcTime(), nullable=False),
        sa.Column("claimed_until", UtcTime(), nullable=True),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("sent_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_letters_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_letters_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_letters"),
        sa.UniqueConstraint("key", name="uq_letters_key"),
    )
    op.create_index("ix_letters_game_id", "letters", ["game_id"])
    op.create_index("ix_letters_status_next_try_at", "letters", ["status", "next_try_at"])

    op.create_table(
        "moves",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=32), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("cause", sa.String(length=12), nullable=False),
        sa.Column("chance", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("events", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_moves_game_id"),
        sa.PrimaryKeyConstraint("game_id", "number", name="pk_moves"),
    )
    op.create_table(
        "seats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("colour", sa.String(length=16), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("answered_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_seats_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_seats"),
        sa.UniqueConstraint("game_id", "account_id", name="uq_seats_game_id_account_id"),
        sa.UniqueConstraint("game_id", "number", name="uq_seats_game_id_number"),
    )
    op.create_index("ix_seats_account_id", "seats", ["account_id"])

    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("source", sa.String(length=200), nullable=False),
        sa.Column("via", sa.String(length=12), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("sentence", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("rule", sa.String(length=16), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("move_number", sa.Integer(), nullable=True),
        sa.Column("received_at", UtcTime(), nullable=False),
        sa.Column("done_at", UtcTime(), nullable=True),
        sa.Column("seen_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_submissions_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
        sa.UniqueConstraint("source", name="uq_submissions_source"),
    )
    op.create_index("ix_submissions_game_id", "submissions", ["game_id"])
    op.create_index("ix_submissions_status_game_id_id", "submissions", ["status", "game_id", "id"])


def downgrade() -> None:
    op.drop_index("ix_submissions_status_game_id_id", table_name="submissions")
    op.drop_index("ix_submissions_game_id", table_name="submissions")

    op.drop_table("submissions")
    op.drop_index("ix_seats_account_id", table_name="seats")

    op.drop_table("seats")
    op.drop_table("moves")
    op.drop_index("ix_letters_status_next_try_at", table_name="letters")
    op.drop_index("ix_letters_game_id", table_name="letters")

    op.drop_table("letters")
    op.drop_table("stops")
    op.drop_index("ix_sessions_account_id", table_name="sessions")

    op.drop_table("sessions")
    op.drop_index("ix_logins_account_id", table_name="logins")

    op.drop_table("logins")
    op.drop_index("ix_games_status_remind_at", table_name="games")
    op.drop_index("ix_games_status_ended_at_id", table_name="games")
    op.drop_index("ix_games_status_deadline_at", table_name="games")
    op.drop_index("ix_games_host_id", table_name="games")

    op.drop_table("games")
    op.drop_table("accounts")
