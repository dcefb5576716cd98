"""Games that live for weeks: taking back, people."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def added() -> dict[str, tuple[sa.Column[Any], ...]]:
    """New columns by table; everybody adds to these."""
    return {
        "accounts": (
            # clocks
            sa.Column("mails", sa.String(length=8), nullable=False, server_default="turn"),
            sa.Column("mail_hours", sa.Integer(), nullable=False, server_default="6"),
            sa.Column("digest_at", sa.Integer(), nullable=False, server_default="1080"),
            sa.Column("quiet_from", sa.Integer(), nullable=True),
            sa.Column("quiet_to", sa.Integer(), nullable=True),
            sa.Column("reminders", sa.String(length=40), nullable=False, server_default="67"),
            # people
            sa.Column("substitute", sa.Boolean(), nullable=False, server_default=sa.false()),
        ),
        "games": (
            # clocks
            sa.Column("bank_seconds", sa.Integer(), nullable=False, server_default="0"),
            sa.Column("cap_seconds", sa.Integer(), nullable=False, server_default="0"),
            sa.Column("weekends", sa.Boolean(), nullable=False, server_default=sa.true()),
            sa.Column("holidays", sa.JSON(none_as_null=True), nullable=False, server_default="[]"),
            sa.Column("at_zero", sa.String(length=12), nullable=False, server_default="default"),
            sa.Column("counted_from", UtcTime(), nullable=True),
            sa.Column("spent_seconds", sa.Integer(), nullable=False, server_default="0"),
            sa.Column("paused_at", UtcTime(), nullable=True),
            sa.Column("paused_until", UtcTime(), nullable=True),
            # taking back and people
            sa.Column("grace_seconds", sa.Integer(), nullable=False, server_default="0"),
            sa.Column("grace_until", UtcTime(), nullable=True),
            sa.Column("unlisted", sa.Boolean(), nullable=False, server_default=sa.false()),
            sa.Column("watch_key", sa.String(length=16), nullable=False, server_default=""),
            sa.Column("stops_at", UtcTime(), nullable=True),
            sa.Column("ended_early", sa.Boolean(), nullable=False, server_default=sa.false()),
            sa.Column("rematch_of", sa.String(length=16), nullable=False, server_default=""),
            # orders ahead of time
            sa.Column("planning", sa.Boolean(), nullable=False, server_default=sa.false()),
        ),
        "moves": (
            # taking back
            sa.Column("taken_back_by", sa.Integer(), nullable=True),
            sa.Column("asked_at", UtcTime(), nullable=True),
            sa.Column("spent_seconds", sa.Integer(), nullable=True),
            sa.Column("reserve_seconds", sa.Integer(), nullable=True),
        ),
        "seats": (
            # clocks
            sa.Column("reserve_seconds", sa.Integer(), nullable=False, server_default="0"),
            sa.Column("caretaker_since", UtcTime(), nullable=True),
            # people
            sa.Column("holder", sa.Integer(), nullable=False, server_default="0"),
        ),
        "submissions": (
            # orders ahead of time
            sa.Column("moves", sa.Integer(), nullable=False, server_default="1"),
        ),
        "letters": (
            # clocks
            sa.Column("held", sa.Boolean(), nullable=False, server_default=sa.false()),
            # talk
            sa.Column("talk_up_to", sa.Integer(), nullable=False, server_default="0"),
        ),
    }


def upgrade() -> None:
    for table, columns in added().items():
        for column in columns:
            op.add_column(table, column)
    _clocks()
    _people()
    _orders_ahead()
    _ways_to_be_told()


def downgrade() -> None:
    for table in ("unreachable", "returned", "hook_messages", "hooks", "feeds"):
        op.drop_table(table)
    op.drop_table("orders_ahead")
    _no_people()
    _no_clocks()
    for table, columns in added().items():
        for column in columns:
            op.drop_column(table, column.name)


def _clocks() -> None:
    op.create_index("ix_games_status_paused_until", "games", ["status", "paused_until"])
    op.execute("UPDATE games SET counted_from = waiting_since")
    op.execute("UPDATE games SET remind_at = NULL WHERE reminded_at IS NOT NULL")
    op.create_table(
        "heartbeats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_heartbeats"),
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
        "habits",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("mails", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_habits_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_habits_game_id"),
        sa.PrimaryKeyConstraint("account_id", "game_id", name="pk_habits"),
    )


def _no_clocks() -> None:
    for table in ("habits", "absences", "heartbeats"):
        op.drop_table(table)
    op.drop_index("ix_games_status_paused_until", table_name="games")


def _people() -> None:
    op.create_index("ix_games_status_stops_at", "games", ["status", "stops_at"])
    op.create_index("ix_games_rematch_of", "games", ["rematch_of"])
    op.create_index("ix_letters_account_id_id", "letters", ["account_id", "id"])
    op.create_table(
        "deeds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("seat_number", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_deeds_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_deeds_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_deeds"),
    )
    op.create_index("ix_deeds_game_id_id", "deeds", ["game_id", "id"])
    op.create_table(
        "votes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("asked_by", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("about", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("closed_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_votes_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_votes"),
    )
    op.create_index("ix_votes_game_id_status", "votes", ["game_id", "status"])
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
        "posts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("colour", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_posts_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_posts_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_posts"),
    )
    op.create_index("ix_posts_game_id_id", "posts", ["game_id", "id"])


def _no_people() -> None:
    for table in ("posts", "notes", "blocks", "offers", "ballots", "votes", "deeds"):
        op.drop_table(table)
    op.drop_index("ix_letters_account_id_id", table_name="letters")
    op.drop_index("ix_games_rematch_of", table_name="games")
    op.drop_index("ix_games_status_stops_at", table_name="games")


def _orders_ahead() -> None:
    op.create_table(
        "orders_ahead",
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
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_orders_ahead_game_id"),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name="fk_orders_ahead_submission_id"),
        sa.PrimaryKeyConstraint("id", name="pk_orders_ahead"),
    )
    op.create_index("ix_orders_ahead_game_id_status", "orders_ahead", ["game_id", "status"])


def _ways_to_be_told() -> None:
    op.create_table(
        "feeds",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=24), nullable=False),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_feeds_account_id"),
        sa.PrimaryKeyConstraint("account_id", name="pk_feeds"),
    )
    op.create_table(
        "hooks",
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
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_hooks_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_hooks_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_hooks"),
    )
    op.create_index("ix_hooks_account_id", "hooks", ["account_id"])
    op.create_index("ix_hooks_game_id", "hooks", ["game_id"])
    _hook_messages()
    _returned_letters()


def _hook_messages() -> None:
    op.create_table(
        "hook_messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hook_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=True),
        sa.Column("seat_number", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", UtcTime(), nullable=False),
        sa.Column("claimed_until", UtcTime(), nullable=True),
        sa.Column("answer", sa.String(length=300), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("sent_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["hook_id"], ["hooks.id"], name="fk_hook_messages_hook_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_hook_messages_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_hook_messages"),
        sa.UniqueConstraint("key", name="uq_hook_messages_key"),
    )
    op.create_index("ix_hook_messages_status_next_try_at", "hook_messages", ["status", "next_try_at"])
    op.create_index("ix_hook_messages_hook_id_id", "hook_messages", ["hook_id", "id"])
    op.create_index("ix_hook_messages_game_id", "hook_messages", ["game_id"])


def _returned_letters() -> None:
    op.create_table(
        "returned",
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("cleared_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["letter_id"], ["letters.id"], name="fk_returned_letter_id"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_returned_account_id"),
        sa.PrimaryKeyConstraint("letter_id", name="pk_returned"),
    )
    op.create_index("ix_returned_account_id", "returned", ["account_id"])
    op.create_table(
        "unreachable",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_unreachable_account_id"),
        sa.PrimaryKeyConstraint("account_id", name="pk_unreachable"),
    )
