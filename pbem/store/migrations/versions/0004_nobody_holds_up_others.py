"""What waits for one reader, or for one webhook, is found without looking at what was sent."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

LETTERS = "ix_letters_account_id_status_game_id_id"
MESSAGES = "ix_hook_messages_hook_id_status_next_try_at"


def upgrade() -> None:
    op.create_index(LETTERS, "letters", ["account_id", "status", "game_id", "id"])
    op.create_index(MESSAGES, "hook_messages", ["hook_id", "status", "next_try_at"])


def downgrade() -> None:
    op.drop_index(MESSAGES, "hook_messages")
    op.drop_index(LETTERS, "letters")
