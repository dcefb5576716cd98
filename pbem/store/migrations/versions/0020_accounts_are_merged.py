"""Two accounts of one person become one, and the address of the other leads to it."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "merged_accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_merged_accounts_account_id")),
        sa.ForeignKeyConstraint(["id"], ["accounts.id"], name=op.f("fk_merged_accounts_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_merged_accounts")),
        sa.UniqueConstraint("address", name=op.f("uq_merged_accounts_address")),
    )
    op.create_index(op.f("ix_merged_accounts_account_id"), "merged_accounts", ["account_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_merged_accounts_account_id"), table_name="merged_accounts")
    op.drop_table("merged_accounts")
