"""Copies are made of finished games to take them away: pictures, an animation, a strip to print."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "copies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("claimed_until", UtcTime(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_copies_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_copies")),
        sa.UniqueConstraint("game_id", "kind", name=op.f("uq_copies_game_id")),
    )


def downgrade() -> None:
    op.drop_table("copies")
