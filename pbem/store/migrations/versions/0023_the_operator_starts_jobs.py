"""What the operator starts on the pages of the server is done by the clock, and its outcome is kept."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "server_jobs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=False),
        sa.Column("given", sa.Text(), nullable=False),
        sa.Column("asked_at", UtcTime(), nullable=False),
        sa.Column("alive_until", UtcTime(), nullable=True),
        sa.Column("done_at", UtcTime(), nullable=True),
        sa.Column("good", sa.Boolean(), nullable=True),
        sa.Column("says", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["operator_id"], ["accounts.id"], name=op.f("fk_server_jobs_operator_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_server_jobs")),
    )


def downgrade() -> None:
    op.drop_table("server_jobs")
