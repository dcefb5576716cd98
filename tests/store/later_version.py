"""A version of pbem after this one: its migration adds a column to two tables, and gives one its old value."""

import shutil
from pathlib import Path

import pytest

from pbem.store import revision

LATER = f"{int(revision.revisions()[-1]) + 1:04}"
_MIGRATION = f"""
import sqlalchemy as sa
from alembic import op

revision = "{LATER}"
down_revision = "{revision.revisions()[-1]}"


def upgrade() -> None:
    op.add_column("submissions", sa.Column("later", sa.Integer(), nullable=False, server_default="7"))
    op.add_column("accounts", sa.Column("later", sa.String(length=80), nullable=True))
    op.execute("UPDATE accounts SET later = name")


def downgrade() -> None:
    op.drop_column("accounts", "later")
    op.drop_column("submissions", "later")
"""


def later_version(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on this code knows one migration more, in ``folder``."""
    migrations = folder / "migrations"
    shutil.copytree(str(revision.MIGRATIONS), migrations)
    (migrations / "versions" / f"{LATER}_later.py").write_text(_MIGRATION, "utf-8")
    monkeypatch.setattr(revision, "MIGRATIONS", migrations)
