"""Files that wait and those whose time is over are found without looking through all of them."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

WAITS, ENDS = "ix_copies_size_asked_at", "ix_copies_expires_at"


def upgrade() -> None:
    op.create_index(WAITS, "copies", ["size", "asked_at"])
    op.create_index(ENDS, "copies", ["expires_at"])


def downgrade() -> None:
    op.drop_index(ENDS, "copies")
    op.drop_index(WAITS, "copies")
