"""What people have answered to puzzles of the day."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzle_answers",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_puzzle_answers_account_id"),
        sa.PrimaryKeyConstraint("account_id", "day", name="pk_puzzle_answers"),
    )
    op.create_index("ix_puzzle_answers_day", "puzzle_answers", ["day"])


def downgrade() -> None:
    op.drop_table("puzzle_answers")
