"""Devices that are told of turns, and what they are told."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=True),
        sa.Column("endpoint", sa.String(length=500), nullable=False),
        sa.Column("p256dh", sa.String(length=88), nullable=False),
        sa.Column("auth", sa.String(length=24), nullable=False),
        sa.Column("label", sa.String(length=60), nullable=False),
        sa.Column("result", sa.String(length=300), nullable=False),
        sa.Column("told_at", UtcTime(), nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_push_subscriptions_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_push_subscriptions_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_push_subscriptions"),
    )
    op.create_index("ix_push_subscriptions_account_id", "push_subscriptions", ["account_id"])
    op.create_index("ix_push_subscriptions_game_id", "push_subscriptions", ["game_id"])
    op.create_index("ix_push_subscriptions_endpoint", "push_subscriptions", ["endpoint"])
    op.create_table(
        "push_messages",
        sa.Column("subscription_id", sa.Integer(), nullable=False),
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
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_push_messages_game_id"),
        sa.ForeignKeyConstraint(
            ["subscription_id"], ["push_subscriptions.id"], name="fk_push_messages_subscription_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_push_messages"),
        sa.UniqueConstraint("key", name="uq_push_messages_key"),
    )
    op.create_index("ix_push_messages_game_id", "push_messages", ["game_id"])
    op.create_index("ix_push_messages_status_next_try_at", "push_messages", ["status", "next_try_at"])
    op.create_index("ix_push_messages_subscription_id_game_id", "push_messages", ["subscription_id", "game_id"])


def downgrade() -> None:
    op.drop_table("push_messages")
    op.drop_table("push_subscriptions")
