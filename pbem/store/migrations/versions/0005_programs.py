"""Accounts that programs play for, their tokens, and tables that let them in."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("program", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("games", sa.Column("programs", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "program_tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("used_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_program_tokens_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_program_tokens"),
        sa.UniqueConstraint("hash", name="uq_program_tokens_hash"),
    )
    op.create_index("ix_program_tokens_account_id", "program_tokens", ["account_id"])


def downgrade() -> None:
    op.drop_table("program_tokens")
    op.drop_column("games", "programs")
    op.drop_column("accounts", "program")
