"""What is said against maps that people draw."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("own_maps", sa.Column("hidden", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "own_map_complaints",
        sa.Column("map_key", sa.String(length=12), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_own_map_complaints_account_id"),
        sa.ForeignKeyConstraint(["map_key"], ["own_maps.key"], name="fk_own_map_complaints_map_key"),
        sa.PrimaryKeyConstraint("map_key", "account_id", name="pk_own_map_complaints"),
    )


def downgrade() -> None:
    op.drop_table("own_map_complaints")
    op.drop_column("own_maps", "hidden")
