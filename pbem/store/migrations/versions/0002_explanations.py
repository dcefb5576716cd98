"""What answers to questions lead to."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "explanations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("claimed_until", UtcTime(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("found", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_explanations_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_explanations"),
        sa.UniqueConstraint("game_id", "version", name="uq_explanations_game_id"),
    )
    op.create_index("ix_explanations_asked_at", "explanations", ["asked_at"])
    op.create_index("ix_explanations_done_asked_at", "explanations", ["done", "asked_at"])


def downgrade() -> None:
    op.drop_table("explanations")
