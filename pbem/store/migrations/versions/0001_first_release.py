"""The tables of the first release."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NEXT_MOMENTS = ("paused_until", "stops_at", "standing_order_at", "robot_at")
"""Moments that few running games have."""


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("mails", sa.String(length=8), nullable=False),
        sa.Column("mail_hours", sa.Integer(), nullable=False),
        sa.Column("digest_at", sa.Integer(), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_to", sa.Integer(), nullable=True),
        sa.Column("reminders", sa.String(length=40), nullable=False),
        sa.Column("substitute", sa.Boolean(), nullable=False),
        sa.Column("statistics", sa.Boolean(), nullable=False),
        sa.Column("findable", sa.Boolean(), nullable=False),
        sa.Column("pictures", sa.String(length=8), nullable=False),
        sa.Column("clear_colours", sa.Boolean(), nullable=False),
        sa.Column("hex_labels", sa.Boolean(), nullable=False),
        sa.Column("own_mail", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("barred_at", UtcTime(), nullable=True),
        sa.Column("deleted_at", UtcTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("address", name="uq_accounts_address"),
    )

    op.create_table(
        "allowances",
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("until", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_allowances"),
    )
    op.create_index("ix_allowances_until", "allowances", ["until"])

    op.create_table(
        "heartbeats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_heartbeats"),
    )

    op.create_table(
        "server_notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_server_notices"),
    )

    op.create_table(
        "tallies",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("map", sa.String(length=64), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("figure", sa.String(length=16), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game", "map", "players", "figure", "key", name="pk_tallies"),
    )

    op.create_table(
        "absences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_absences_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_absences"),
    )
    op.create_index("ix_absences_account_id", "absences", ["account_id"])

    op.create_table(
        "blocks",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("blocked_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_blocks_account_id"),
        sa.ForeignKeyConstraint(["blocked_id"], ["accounts.id"], name="fk_blocks_blocked_id"),
        sa.PrimaryKeyConstraint("account_id", "blocked_id", name="pk_blocks"),
    )
    op.create_index("ix_blocks_blocked_id", "blocks", ["blocked_id"])

    op.create_table(
        "feeds",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=24), nullable=False),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_feeds_account_id"),
        sa.PrimaryKeyConstraint("account_id", name="pk_feeds"),
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
        sa.Column("bank_seconds", sa.Integer(), nullable=False),
        sa.Column("cap_seconds", sa.Integer(), nullable=False),
        sa.Column("weekends", sa.Boolean(), nullable=False),
        sa.Column("holidays", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at_zero", sa.String(length=12), nullable=False),
        sa.Column("waiting_since", UtcTime(), nullable=True),
        sa.Column("counted_from", UtcTime(), nullable=True),
        sa.Column("spent_seconds", sa.Integer(), nullable=False),
        sa.Column("paused_at", UtcTime(), nullable=True),
        sa.Column("paused_until", UtcTime(), nullable=True),
        sa.Column("deadline_at", UtcTime(), nullable=True),
        sa.Column("remind_at", UtcTime(), nullable=True),
        sa.Column("reminded_at", UtcTime(), nullable=True),
        sa.Column("opened_at", UtcTime(), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=True),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.Column("imported", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("grace_seconds", sa.Integer(), nullable=False),
        sa.Column("grace_until", UtcTime(), nullable=True),
        sa.Column("standing_order_at", UtcTime(), nullable=True),
        sa.Column("unlisted", sa.Boolean(), nullable=False),
        sa.Column("watch_key", sa.String(length=16), nullable=False),
        sa.Column("stops_at", UtcTime(), nullable=True),
        sa.Column("ended_early", sa.Boolean(), nullable=False),
        sa.Column("rematch_of", sa.String(length=16), nullable=False),
        sa.Column("planning", sa.Boolean(), nullable=False),
        sa.Column("robot_seconds", sa.Integer(), nullable=False),
        sa.Column("robot_zone", sa.String(length=64), nullable=False),
        sa.Column("robot_at", UtcTime(), nullable=True),
        sa.Column("lesson", sa.String(length=16), nullable=False),
        sa.Column("friendly", sa.Boolean(), nullable=False),
        sa.Column("count_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["accounts.id"], name="fk_games_host_id"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_host_id", "games", ["host_id"])
    op.create_index("ix_games_status_deadline_at", "games", ["status", "deadline_at"])
    op.create_index("ix_games_status_remind_at", "games", ["status", "remind_at"])
    op.create_index("ix_games_title_id", "games", ["title", "id"])

    op.create_table(
        "leagues",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("maps", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("tables_of", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("seasons", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("turn_seconds", sa.Integer(), nullable=False),
        sa.Column("pause_days", sa.Integer(), nullable=False),
        sa.Column("if_left", sa.String(length=12), nullable=False),
        sa.Column("opened_at", UtcTime(), nullable=False),
        sa.Column("step_at", UtcTime(), nullable=True),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["accounts.id"], name="fk_leagues_host_id"),
        sa.PrimaryKeyConstraint("id", name="pk_leagues"),
    )
    op.create_index("ix_leagues_host_id", "leagues", ["host_id"])
    op.create_index("ix_leagues_step_at", "leagues", ["step_at"])

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
        "merged_accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_merged_accounts_account_id"),
        sa.ForeignKeyConstraint(["id"], ["accounts.id"], name="fk_merged_accounts_id"),
        sa.PrimaryKeyConstraint("id", name="pk_merged_accounts"),
        sa.UniqueConstraint("address", name="uq_merged_accounts_address"),
    )
    op.create_index("ix_merged_accounts_account_id", "merged_accounts", ["account_id"])

    op.create_table(
        "operator_actions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(length=24), nullable=False),
        sa.Column("about", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["operator_id"], ["accounts.id"], name="fk_operator_actions_operator_id"),
        sa.PrimaryKeyConstraint("id", name="pk_operator_actions"),
    )

    op.create_table(
        "ratings",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("who", sa.String(length=24), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("mu", sa.Integer(), nullable=False),
        sa.Column("sigma", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("last_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_ratings_account_id"),
        sa.PrimaryKeyConstraint("game", "who", name="pk_ratings"),
    )
    op.create_index("ix_ratings_account_id", "ratings", ["account_id"])
    op.create_index("ix_ratings_game_shown", "ratings", ["game", "shown"])

    op.create_table(
        "server_jobs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=False),
        sa.Column("given", sa.Text(), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("alive_until", UtcTime(), nullable=True),
        sa.Column("done_at", UtcTime(), nullable=True),
        sa.Column("good", sa.Boolean(), nullable=True),
        sa.Column("says", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["operator_id"], ["accounts.id"], name="fk_server_jobs_operator_id"),
        sa.PrimaryKeyConstraint("id", name="pk_server_jobs"),
    )

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
        "unreachable",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_unreachable_account_id"),
        sa.PrimaryKeyConstraint("account_id", name="pk_unreachable"),
    )

    op.create_table(
        "audit_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("seat_number", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_audit_log_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_audit_log_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_audit_log"),
    )
    op.create_index("ix_audit_log_account_id_kind", "audit_log", ["account_id", "kind"])
    op.create_index("ix_audit_log_game_id_id", "audit_log", ["game_id", "id"])

    op.create_table(
        "copies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("claimed_until", UtcTime(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_copies_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_copies"),
        sa.UniqueConstraint("game_id", "kind", name="uq_copies_game_id"),
    )
    op.create_index("ix_copies_expires_at", "copies", ["expires_at"])
    op.create_index("ix_copies_size_asked_at", "copies", ["size", "asked_at"])

    op.create_table(
        "counted_games",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("map", sa.String(length=64), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("ended_at", UtcTime(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=True),
        sa.Column("margin", sa.Integer(), nullable=True),
        sa.Column("figures", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_counted_games_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_counted_games"),
    )
    op.create_index("ix_counted_games_best_game_id", "counted_games", ["best", "game_id"])
    op.create_index("ix_counted_games_game_map_game_id", "counted_games", ["game", "map", "game_id"])
    op.create_index(
        "ix_counted_games_game_rated_ended_at_game_id", "counted_games", ["game", "rated", "ended_at", "game_id"]
    )
    op.create_index("ix_counted_games_margin_game_id", "counted_games", ["margin", "game_id"])
    op.create_index("ix_counted_games_orders_game_id", "counted_games", ["orders", "game_id"])
    op.create_index("ix_counted_games_players_ended_at_game_id", "counted_games", ["players", "ended_at", "game_id"])

    op.create_table(
        "game_notifications",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("mails", sa.String(length=8), nullable=False),
        sa.Column("talk", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_game_notifications_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_game_notifications_game_id"),
        sa.PrimaryKeyConstraint("account_id", "game_id", name="pk_game_notifications"),
    )

    op.create_table(
        "league_games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.String(length=16), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("map", sa.String(length=64), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=True),
        sa.Column("open_at", UtcTime(), nullable=True),
        sa.Column("done_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_league_games_game_id"),
        sa.ForeignKeyConstraint(["league_id"], ["leagues.id"], name="fk_league_games_league_id"),
        sa.PrimaryKeyConstraint("id", name="pk_league_games"),
        sa.UniqueConstraint("game_id", name="uq_league_games_game_id"),
    )
    op.create_index("ix_league_games_done_at", "league_games", ["done_at"])
    op.create_index("ix_league_games_league_id_season", "league_games", ["league_id", "season"])
    op.create_index("ix_league_games_open_at", "league_games", ["open_at"])

    op.create_table(
        "league_members",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("robot", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("stand_in", sa.Boolean(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_league_members_account_id"),
        sa.ForeignKeyConstraint(["league_id"], ["leagues.id"], name="fk_league_members_league_id"),
        sa.PrimaryKeyConstraint("id", name="pk_league_members"),
        sa.UniqueConstraint("league_id", "account_id", name="uq_league_members_league_id_account_id"),
    )
    op.create_index("ix_league_members_account_id", "league_members", ["account_id"])
    op.create_index("ix_league_members_league_id", "league_members", ["league_id"])

    op.create_table(
        "letters",
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.Column("talk_up_to", sa.Integer(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=True),
        sa.Column("seat_number", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", UtcTime(), nullable=False),
        sa.Column("claimed_until", UtcTime(), nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("sent_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_letters_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_letters_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_letters"),
        sa.UniqueConstraint("key", name="uq_letters_key"),
    )
    op.create_index("ix_letters_account_id_id", "letters", ["account_id", "id"])
    op.create_index("ix_letters_account_id_status_game_id_id", "letters", ["account_id", "status", "game_id", "id"])
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
        sa.Column("taken_back_by", sa.Integer(), nullable=True),
        sa.Column("asked_at", UtcTime(), nullable=True),
        sa.Column("spent_seconds", sa.Integer(), nullable=True),
        sa.Column("reserve_seconds", sa.Integer(), nullable=True),
        sa.Column("why", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_moves_game_id"),
        sa.PrimaryKeyConstraint("game_id", "number", name="pk_moves"),
    )

    op.create_table(
        "notes",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("changed_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_notes_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_notes_game_id"),
        sa.PrimaryKeyConstraint("game_id", "account_id", name="pk_notes"),
    )

    op.create_table(
        "offers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("seat_number", sa.Integer(), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.Column("waits_until", UtcTime(), nullable=False),
        sa.Column("closed_at", UtcTime(), nullable=True),
        sa.Column("taken_by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_offers_game_id"),
        sa.ForeignKeyConstraint(["taken_by"], ["accounts.id"], name="fk_offers_taken_by"),
        sa.PrimaryKeyConstraint("id", name="pk_offers"),
    )
    op.create_index("ix_offers_closed_at_since", "offers", ["closed_at", "since"])
    op.create_index("ix_offers_game_id", "offers", ["game_id"])

    op.create_table(
        "open_tables",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("link_key", sa.String(length=16), nullable=False),
        sa.Column("languages", sa.String(length=80), nullable=False),
        sa.Column("experience", sa.String(length=12), nullable=False),
        sa.Column("fill_at", UtcTime(), nullable=False),
        sa.Column("if_free", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_open_tables_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_open_tables"),
    )
    op.create_index("ix_open_tables_fill_at", "open_tables", ["fill_at"])

    op.create_table(
        "posts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("colour", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("source", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_posts_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_posts_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_posts"),
    )
    op.create_index("ix_posts_game_id_id", "posts", ["game_id", "id"])
    op.create_index("ix_posts_source", "posts", ["source"], unique=True)

    op.create_table(
        "remarks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_remarks_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_remarks_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_remarks"),
    )
    op.create_index("ix_remarks_account_id", "remarks", ["account_id"])
    op.create_index("ix_remarks_game_id_number", "remarks", ["game_id", "number"])

    op.create_table(
        "results",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("ended_at", UtcTime(), nullable=False),
        sa.Column("who", sa.String(length=24), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("out", sa.Boolean(), nullable=False),
        sa.Column("nth", sa.Integer(), nullable=True),
        sa.Column("mu", sa.Integer(), nullable=True),
        sa.Column("sigma", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_results_game_id"),
        sa.PrimaryKeyConstraint("game_id", "number", name="pk_results"),
    )
    op.create_index("ix_results_who_game_ended_at_game_id", "results", ["who", "game", "ended_at", "game_id"])

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
        sa.Column("reserve_seconds", sa.Integer(), nullable=False),
        sa.Column("caretaker_since", UtcTime(), nullable=True),
        sa.Column("holder", sa.Integer(), nullable=False),
        sa.Column("talk_read", sa.Integer(), nullable=False),
        sa.Column("robot", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_seats_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_seats"),
        sa.UniqueConstraint("game_id", "account_id", name="uq_seats_game_id_account_id"),
        sa.UniqueConstraint("game_id", "number", name="uq_seats_game_id_number"),
    )
    op.create_index("ix_seats_account_id", "seats", ["account_id"])
    op.create_index("ix_seats_name_game_id", "seats", ["name", "game_id"])

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
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("received_at", UtcTime(), nullable=False),
        sa.Column("done_at", UtcTime(), nullable=True),
        sa.Column("seen_at", UtcTime(), nullable=True),
        sa.Column("why", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_submissions_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
        sa.UniqueConstraint("source", name="uq_submissions_source"),
    )
    op.create_index("ix_submissions_game_id", "submissions", ["game_id"])
    op.create_index("ix_submissions_status_game_id_id", "submissions", ["status", "game_id", "id"])

    op.create_table(
        "votes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("asked_by", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("proposal", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("closed_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_votes_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_votes"),
    )
    op.create_index("ix_votes_game_id_status", "votes", ["game_id", "status"])

    op.create_table(
        "webhooks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=True),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failing_since", UtcTime(), nullable=True),
        sa.Column("result", sa.String(length=300), nullable=False),
        sa.Column("good", sa.Boolean(), nullable=False),
        sa.Column("tried_at", UtcTime(), nullable=True),
        sa.Column("stopped_at", UtcTime(), nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_webhooks_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_webhooks_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
    )
    op.create_index("ix_webhooks_account_id", "webhooks", ["account_id"])
    op.create_index("ix_webhooks_game_id", "webhooks", ["game_id"])

    op.create_table(
        "ballots",
        sa.Column("vote_id", sa.Integer(), nullable=False),
        sa.Column("seat_number", sa.Integer(), nullable=False),
        sa.Column("agrees", sa.Boolean(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["vote_id"], ["votes.id"], name="fk_ballots_vote_id"),
        sa.PrimaryKeyConstraint("vote_id", "seat_number", name="pk_ballots"),
    )

    op.create_table(
        "league_seats",
        sa.Column("league_game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("out", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["league_game_id"], ["league_games.id"], name="fk_league_seats_league_game_id"),
        sa.ForeignKeyConstraint(["member_id"], ["league_members.id"], name="fk_league_seats_member_id"),
        sa.PrimaryKeyConstraint("league_game_id", "number", name="pk_league_seats"),
    )
    op.create_index("ix_league_seats_member_id", "league_seats", ["member_id"])

    op.create_table(
        "returned",
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("cleared_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_returned_account_id"),
        sa.ForeignKeyConstraint(["letter_id"], ["letters.id"], name="fk_returned_letter_id"),
        sa.PrimaryKeyConstraint("letter_id", name="pk_returned"),
    )
    op.create_index("ix_returned_account_id", "returned", ["account_id"])

    op.create_table(
        "standing_orders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("moment", sa.String(length=40), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("lasting", sa.Boolean(), nullable=False),
        sa.Column("guard", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("words", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("rule", sa.String(length=16), nullable=False),
        sa.Column("plays", sa.Integer(), nullable=False),
        sa.Column("move_number", sa.Integer(), nullable=True),
        sa.Column("submission_id", sa.Integer(), nullable=True),
        sa.Column("given_at", UtcTime(), nullable=False),
        sa.Column("done_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_standing_orders_game_id"),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name="fk_standing_orders_submission_id"),
        sa.PrimaryKeyConstraint("id", name="pk_standing_orders"),
    )
    op.create_index("ix_standing_orders_game_id_status", "standing_orders", ["game_id", "status"])
    op.create_index("ix_standing_orders_submission_id", "standing_orders", ["submission_id"])

    op.create_table(
        "webhook_messages",
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("answer", sa.String(length=300), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=True),
        sa.Column("seat_number", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", UtcTime(), nullable=False),
        sa.Column("claimed_until", UtcTime(), nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("sent_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_webhook_messages_game_id"),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], name="fk_webhook_messages_webhook_id"),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_messages"),
        sa.UniqueConstraint("key", name="uq_webhook_messages_key"),
    )
    op.create_index("ix_webhook_messages_game_id", "webhook_messages", ["game_id"])
    op.create_index("ix_webhook_messages_status_next_try_at", "webhook_messages", ["status", "next_try_at"])
    op.create_index("ix_webhook_messages_webhook_id_id", "webhook_messages", ["webhook_id", "id"])
    op.create_index(
        "ix_webhook_messages_webhook_id_status_next_try_at", "webhook_messages", ["webhook_id", "status", "next_try_at"]
    )
    _index_few_games()


def _index_few_games() -> None:
    """What few games have is indexed only where there is any, so that most turns write none of these."""
    dialect = op.get_bind().dialect.name
    over = f"status = 'over' AND unlisted IS {'false' if dialect == 'postgresql' else '0'}"
    partial: dict[tuple[str, ...], str] = {
        **{("status", moment): f"{moment} IS NOT NULL" for moment in NEXT_MOMENTS},
        ("count_at",): "count_at IS NOT NULL",
        ("status", "ended_at", "id"): over,
        ("status", "map", "ended_at", "id"): over,
        ("rematch_of",): "rematch_of != ''",
    }
    for columns, which in partial.items():
        where: Any = {f"{dialect}_where": sa.text(which)}  # both would load what SQLAlchemy has for the other database
        op.create_index(f"ix_games_{'_'.join(columns)}", "games", list(columns), **where)


def downgrade() -> None:
    for table in (
        "webhook_messages",
        "standing_orders",
        "returned",
        "league_seats",
        "ballots",
        "webhooks",
        "votes",
        "submissions",
        "seats",
        "results",
        "remarks",
        "posts",
        "open_tables",
        "offers",
        "notes",
        "moves",
        "letters",
        "league_members",
        "league_games",
        "game_notifications",
        "counted_games",
        "copies",
        "audit_log",
        "unreachable",
        "stops",
        "sessions",
        "server_jobs",
        "ratings",
        "operator_actions",
        "merged_accounts",
        "logins",
        "leagues",
        "games",
        "feeds",
        "blocks",
        "absences",
        "tallies",
        "server_notices",
        "heartbeats",
        "allowances",
        "accounts",
    ):
        op.drop_table(table)
