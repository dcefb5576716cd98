"""Names of seats are found one after the other, each once, however often it is there."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

NAMES = "ix_seats_name_game_id"


def upgrade() -> None:
    op.create_index(NAMES, "seats", ["name", "game_id"])


def downgrade() -> None:
    op.drop_index(NAMES, "seats")
