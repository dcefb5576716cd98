"""A vote stores what its proposal says, not one number with several meanings; tables are called what they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
VOTES = sa.table(
    "votes", sa.column("id", sa.Integer), sa.column("kind", sa.String), sa.column("about", sa.Integer),
    sa.column("proposal", JSON),
)  # fmt: skip
TABLES = {
    "deeds": "audit_log",
    "habits": "game_notifications",
    "orders_ahead": "standing_orders",
    "hooks": "webhooks",
    "hook_messages": "webhook_messages",
}
COLUMNS = {"hook_id": "webhook_id"}
AHEAD, STANDING = "ahead_at", "standing_order_at"


def upgrade() -> None:
    op.add_column("votes", sa.Column("proposal", JSON, nullable=False, server_default="{}"))
    for vote in op.get_bind().execute(sa.select(VOTES).where(VOTES.c.about.is_not(None))).all():
        op.execute(VOTES.update().where(VOTES.c.id == vote.id).values(proposal=_proposal(vote.kind, vote.about)))
    op.drop_column("votes", "about")
    _Renaming(TABLES, COLUMNS).do()
    _rename_time(AHEAD, STANDING)


def downgrade() -> None:
    _rename_time(STANDING, AHEAD)
    _Renaming({new: old for old, new in TABLES.items()}, {new: old for old, new in COLUMNS.items()}).do()
    op.add_column("votes", sa.Column("about", sa.Integer(), nullable=True))
    for vote in op.get_bind().execute(sa.select(VOTES)).all():
        op.execute(VOTES.update().where(VOTES.c.id == vote.id).values(about=_about(vote.proposal)))
    op.drop_column("votes", "proposal")


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


def _rename_time(old: str, new: str) -> None:
    op.drop_index(f"ix_games_status_{old}", "games")
    op.alter_column("games", old, new_column_name=new)
    op.create_index(f"ix_games_status_{new}", "games", ["status", new])


@dataclass(frozen=True)
class _Renaming:
    """New names by old ones. Rows go into new tables, whose constraints and counters are named after them."""

    tables: dict[str, str]
    columns: dict[str, str]

    def do(self) -> None:
        for old, new in self.tables.items():
            look = sa.inspect(op.get_bind())
            self._make(look, old, new)
            self._copy([column["name"] for column in look.get_columns(old)], old, new)
        for old in reversed(self.tables):  # those that point to others first
            op.drop_table(old)

    def _make(self, look: sa.Inspector, old: str, new: str) -> None:
        unique = [self._named(one["column_names"]) for one in look.get_unique_constraints(old)]
        indexes = [self._named(one["column_names"]) for one in look.get_indexes(old)]
        op.create_table(
            new,
            *(sa.Column(self._name(it["name"]), it["type"], nullable=it["nullable"]) for it in look.get_columns(old)),
            *self._foreign_keys(look, old, new),
            *(sa.UniqueConstraint(*names, name="_".join(["uq", new, *names])) for names in unique),
            sa.PrimaryKeyConstraint(*look.get_pk_constraint(old)["constrained_columns"], name=f"pk_{new}"),
        )
        for names in indexes:
            if names not in unique:
                op.create_index("_".join(["ix", new, *names]), new, names)

    def _foreign_keys(self, look: sa.Inspector, old: str, new: str) -> list[sa.ForeignKeyConstraint]:
        made = []
        for found in look.get_foreign_keys(old):
            names, table = self._named(found["constrained_columns"]), found["referred_table"]
            others = [f"{self.tables.get(table, table)}.{name}" for name in found["referred_columns"]]
            made.append(sa.ForeignKeyConstraint(names, others, name="_".join(["fk", new, *names])))
        return made

    def _copy(self, columns: list[str], old: str, new: str) -> None:
        before, after = sa.table(old, *map(sa.column, columns)), sa.table(new, *map(sa.column, self._named(columns)))
        op.execute(after.insert().from_select(self._named(columns), sa.select(before)))
        if "id" in columns and op.get_bind().dialect.name == "postgresql":
            after_last = sa.select(sa.func.coalesce(sa.func.max(after.c.id), 0) + 1).scalar_subquery()
            op.execute(sa.select(sa.func.setval(sa.func.pg_get_serial_sequence(new, "id"), after_last, sa.false())))

    def _named(self, columns: Sequence[str | None]) -> list[str]:
        return [self._name(name) for name in columns if name is not None]

    def _name(self, column: str) -> str:
        return self.columns.get(column, column)
