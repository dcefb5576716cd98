"""Readers bookmark positions of finished games and remark on them."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "remarks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_remarks_game_id")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_remarks_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_remarks")),
    )
    op.create_index("ix_remarks_game_id_number", "remarks", ["game_id", "number"])
    op.create_index("ix_remarks_account_id", "remarks", ["account_id"])


def downgrade() -> None:
    op.drop_table("remarks")
