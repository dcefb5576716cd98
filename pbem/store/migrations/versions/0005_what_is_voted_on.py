"""A vote stores what its proposal says, not one number with several meanings; the audit log is called so."""

from datetime import date
from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.store.tables import UtcTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
VOTES = sa.table(
    "votes", sa.column("id", sa.Integer), sa.column("kind", sa.String), sa.column("about", sa.Integer),
    sa.column("proposal", JSON),
)  # fmt: skip


def upgrade() -> None:
    op.add_column("votes", sa.Column("proposal", JSON, nullable=False, server_default="{}"))
    for vote in op.get_bind().execute(sa.select(VOTES).where(VOTES.c.about.is_not(None))).all():
        op.execute(VOTES.update().where(VOTES.c.id == vote.id).values(proposal=_proposal(vote.kind, vote.about)))
    op.drop_column("votes", "about")
    _rename("deeds", "audit_log")


def downgrade() -> None:
    op.add_column("votes", sa.Column("about", sa.Integer(), nullable=True))
    for vote in op.get_bind().execute(sa.select(VOTES)).all():
        op.execute(VOTES.update().where(VOTES.c.id == vote.id).values(about=_about(vote.proposal)))
    op.drop_column("votes", "proposal")
    _rename("audit_log", "deeds")


def _proposal(kind: str, about: int) -> dict[str, Any]:
    match kind:
        case "take-back":
            return {"move": about}
        case "remove":
            return {"seat": about}
        case "pause":
            return {"until": date.fromordinal(about).isoformat()}
    return {}


def _about(proposal: dict[str, Any]) -> int | None:
    match proposal:
        case {"move": int(about)} | {"seat": int(about)}:
            return about
        case {"until": str(day)}:
            return date.fromisoformat(day).toordinal()
    return None


def _rename(old: str, new: str) -> None:
    """Into a table of its own, so that its constraints are named after it in every database."""
    columns = ("id", "game_id", "account_id", "seat_number", "name", "kind", "data", "at")
    op.create_table(
        new,
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("seat_number", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("data", JSON, nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=f"fk_{new}_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=f"fk_{new}_game_id"),
        sa.PrimaryKeyConstraint("id", name=f"pk_{new}"),
    )
    before, after = (sa.table(name, *map(sa.column, columns)) for name in (old, new))
    op.execute(after.insert().from_select(columns, sa.select(before)))
    if op.get_bind().dialect.name == "postgresql":
        after_last = sa.select(sa.func.coalesce(sa.func.max(after.c.id), 0) + 1).scalar_subquery()
        op.execute(sa.select(sa.func.setval(sa.func.pg_get_serial_sequence(new, "id"), after_last, sa.false())))
    op.drop_table(old)
    op.create_index(f"ix_{new}_game_id_id", new, ["game_id", "id"])
