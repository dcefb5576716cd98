"""Who runs the server can tell everybody something and keep an account out, and what was done is written down."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "server_notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("since", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_server_notices")),
    )
    op.create_table(
        "operator_actions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(24), nullable=False),
        sa.Column("about", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["operator_id"], ["accounts.id"], name=op.f("fk_operator_actions_operator_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_actions")),
    )
    op.add_column("accounts", sa.Column("barred_at", UtcTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("accounts", "barred_at")
    op.drop_table("operator_actions")
    op.drop_table("server_notices")
