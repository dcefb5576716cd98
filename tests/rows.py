"""All that a database holds, to see whether something has changed."""

from __future__ import annotations

from sqlalchemy import Text, cast, select

from pbem.service import Office
from pbem.store.tables import Table

COUNTS = ("allowances",)
"""How much somebody has used of a limit: looking counts, and changes nothing else."""


def everything(office: Office) -> list[str]:
    """Every row of every table but :data:`COUNTS`, as text, in an order of their own."""
    found = []
    with office.read() as session:
        for name, table in Table.metadata.tables.items():
            if name not in COUNTS:
                columns = (cast(column, Text).label(column.name) for column in table.columns if column.name != "state")
                found += [f"{name} {tuple(row)}" for row in session.execute(select(*columns))]
    return sorted(found)
