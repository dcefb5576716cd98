"""All that a database holds, to see whether something has changed."""

from sqlalchemy import Dialect, Text, cast, select

from pbem.service import Office
from pbem.store.tables import Table

COUNTS = ("allowances",)
"""How much somebody has used of a limit: looking counts, and changes nothing else."""
_written: dict[str, list[tuple[str, str]]] = {}
"""What :func:`_statements` has written for each kind of database: some tests look hundreds of times."""


def _statements(dialect: Dialect) -> list[tuple[str, str]]:
    """Each table that is looked at, and the SQL that reads it."""
    if dialect.name not in _written:
        _written[dialect.name] = found = []
        for name, table in Table.metadata.tables.items():
            if name not in COUNTS:
                columns = (cast(column, Text).label(column.name) for column in table.columns if column.name != "state")
                found.append((name, str(select(*columns).compile(dialect=dialect))))
    return _written[dialect.name]


def everything(office: Office) -> list[str]:
    """Every row of every table but :data:`COUNTS`, as text, in an order of their own."""
    found = []
    with office.read() as session:
        connection = session.connection()
        for name, statement in _statements(connection.dialect):
            found += [f"{name} {tuple(row)}" for row in connection.exec_driver_sql(statement)]
    return sorted(found)
