"""A game can be opened to anybody, until it starts; who has left games is found by account."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

DUE = "ix_open_tables_fill_at"
WHO_DID_WHAT = "ix_audit_log_account_id_kind"


def upgrade() -> None:
    op.create_table(
        "open_tables",
        sa.Column("game_id", sa.String(16), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("link_key", sa.String(16), nullable=False),
        sa.Column("languages", sa.String(80), nullable=False),
        sa.Column("experience", sa.String(12), nullable=False),
        sa.Column("fill_at", UtcTime(), nullable=False),
        sa.Column("if_free", sa.String(12), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_open_tables_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_open_tables")),
    )
    op.create_index(DUE, "open_tables", ["fill_at"])
    op.create_index(WHO_DID_WHAT, "audit_log", ["account_id", "kind"])


def downgrade() -> None:
    op.drop_index(WHO_DID_WHAT, "audit_log")
    op.drop_table("open_tables")
