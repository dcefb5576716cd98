"""Maps that people draw."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "own_maps",
        sa.Column("key", sa.String(length=12), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("origin", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("published", sa.String(length=16), nullable=True),
        sa.Column("published_at", UtcTime(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_own_maps_account_id"),
        sa.PrimaryKeyConstraint("key", name="pk_own_maps"),
    )
    op.create_index("ix_own_maps_account_id", "own_maps", ["account_id"])
    op.create_index("ix_own_maps_status_published_at", "own_maps", ["status", "published_at"])
    op.create_table(
        "own_map_drafts",
        sa.Column("map_key", sa.String(length=12), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("saved_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["map_key"], ["own_maps.key"], name="fk_own_map_drafts_map_key"),
        sa.PrimaryKeyConstraint("map_key", name="pk_own_map_drafts"),
    )
    op.create_table(
        "own_map_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=16), nullable=False),
        sa.Column("map_key", sa.String(length=12), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("designer", sa.String(length=40), nullable=False),
        sa.Column("fewest", sa.Integer(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["map_key"], ["own_maps.key"], name="fk_own_map_versions_map_key"),
        sa.PrimaryKeyConstraint("id", name="pk_own_map_versions"),
    )
    op.create_index("ix_own_map_versions_hash", "own_map_versions", ["hash"])
    op.create_index("ix_own_map_versions_map_key_number", "own_map_versions", ["map_key", "number"])
    op.create_index("ix_own_map_versions_status_made_at", "own_map_versions", ["status", "made_at"])


def downgrade() -> None:
    for table in ("own_map_versions", "own_map_drafts", "own_maps"):
        op.drop_table(table)
