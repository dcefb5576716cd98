"""A whole database in one file that either kind of database can be restored from (its format: docs/reliability.md).

Rows go out as they are read, in one transaction that sees one state; nothing is held in memory but a few hundred of
them. Nothing here knows what the rows mean.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import hmac
import json
import os
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, MetaData

from pbem.settings.paths import names_to_disk
from pbem.store.revision import missing_at, revision
from pbem.store.tables import UtcTime

FORMAT = "pbem-backup/1"
VERSION_TABLE = "alembic_version"
AT_ONCE = 200
"""Rows in memory: those of moves hold a position each."""
LEVEL = 3
"""How hard gzip tries: positions shrink to a tenth with little work, and hardly more with a lot."""

Progress = Callable[[str, int, int], None]
"""``progress(table, rows done, rows of all)``."""

KINDS: Mapping[str, sa.types.TypeEngine[Any]] = {
    "json": sa.JSON(none_as_null=True),
    "time": UtcTime(),
    "date": sa.Date(),
    "bytes": sa.LargeBinary(),
    "boolean": sa.Boolean(),
    "integer": sa.BigInteger(),
    "text": sa.Text(),
}
"""What a column can hold, by the word that stands for it in the file."""


class NoTables(RuntimeError):
    """There is nothing to back up, which is not what anybody wants; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line. ``key`` tells whether a secret key is the one of the server that was backed up, and no more."""

    made: datetime
    revision: str
    key: str


@dataclass(frozen=True)
class Stored:
    """A table as it is stored: its columns with their kinds, and its primary key."""

    name: str
    columns: Mapping[str, str]
    key: tuple[str, ...]

    @cached_property
    def typed(self) -> sa.Table:
        """The table with the types of :data:`KINDS`, whatever the database calls them.

        Made once: SQLAlchemy keeps each statement on another one.
        """
        columns = [sa.Column(name, KINDS[kind], primary_key=name in self.key) for name, kind in self.columns.items()]
        return sa.Table(self.name, MetaData(), *columns)


def mark_of(key: str) -> str:
    """By what a file tells which secret key it belongs to."""
    return hmac.new(key.encode(), b"pbem-backup: which key", hashlib.sha256).hexdigest()[:16]


def seal_of(key: str, digest: str) -> str:
    """What only somebody with the secret key can write under the lines with this SHA-256."""
    return hmac.new(key.encode(), b"pbem-backup: seal " + digest.encode(), hashlib.sha256).hexdigest()


def stored_tables(connection: Connection) -> list[Stored]:
    """The tables there are, each after those it points to.

    Only columns and keys are looked up: reflecting all there is to a table takes five times as long.
    """
    look = sa.inspect(connection)
    columns, keys = look.get_multi_columns(), look.get_multi_pk_constraint()
    return [
        Stored(
            name,
            {column["name"]: _kind(name, column["name"], column["type"]) for column in columns[None, name]},
            tuple(keys[None, name]["constrained_columns"]),
        )
        for name, _ in look.get_sorted_table_and_fkc_names()
        if name is not None and name != VERSION_TABLE
    ]


def _kind(table: str, column: str, type_: sa.types.TypeEngine[Any]) -> str:
    match type_:
        case sa.JSON():
            return "json"
        case sa.DateTime():
            return "time"
        case sa.Date():
            return "date"
        case sa.LargeBinary():
            return "bytes"
        case sa.Boolean():
            return "boolean"
        case sa.Integer():
            return "integer"
        case sa.String():
            return "text"
    raise TypeError(f"{table}.{column} is of a type that backups do not know: {type_!r}")


def back_up(
    engine: Engine, file: Path, key: str, now: datetime, progress: Progress = lambda *_: None
) -> dict[str, int]:
    """Write everything into ``file``, which is there when it is whole; returns the number of rows by table.

    ``key``: the secret key of the server, which does not go into the file. Raises ``OSError`` when the file cannot be
    written, :class:`NoTables` and :class:`pbem.store.revision.Newer`.
    """
    with (
        one_state(engine) as connection,
        _whole(file) as raw,
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=LEVEL, mtime=0) as packed,
    ):
        if not revision(connection):
            raise NoTables("The database has no pbem tables.")
        missing_at(connection)  # tables of a newer version may hold what this one does not know
        header = Header(now, revision(connection), mark_of(key))
        return _Writer(packed, connection, progress).write(header, key)


@contextlib.contextmanager
def one_state(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees one state of the database, however long it takes, and keeps nobody from writing."""
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    with engine.connect() as connection:
        connection.execute(sa.select(1))  # the state is that of the first statement
        yield connection


@contextlib.contextmanager
def _whole(file: Path) -> Iterator[IO[bytes]]:
    """A file beside ``file``, for us alone, that takes its name at the end and vanishes when something goes wrong."""
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".part", dir=file.absolute().parent)
    try:
        with os.fdopen(descriptor, "wb") as raw:
            yield raw
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(name, file)
        names_to_disk(file.absolute().parent)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise


@dataclass(slots=True)
class _Writer:
    packed: gzip.GzipFile
    connection: Connection
    progress: Progress
    seen: hashlib._Hash = field(default_factory=hashlib.sha256)

    def write(self, header: Header, key: str) -> dict[str, int]:
        self._line(
            {
                "format": FORMAT,
                "made": header.made.astimezone(UTC).isoformat(),
                "revision": header.revision,
                "key": header.key,
            }
        )
        counts = {stored.name: self._table(stored) for stored in stored_tables(self.connection)}
        self._line({"rows": counts})
        digest = self.seen.hexdigest()
        self._line({"sha256": digest, "seal": seal_of(key, digest)})
        return counts

    def _table(self, stored: Stored) -> int:
        table = stored.typed
        self._line({"table": stored.name, "columns": dict(stored.columns)})
        total = self.connection.scalars(sa.select(sa.func.count()).select_from(table)).one()
        kinds = tuple(stored.columns.values())
        query = sa.select(table).order_by(*(table.c[name] for name in stored.key))
        done = 0
        with self.connection.execution_options(yield_per=AT_ONCE).execute(query) as found:
            for rows in found.partitions():
                for row in rows:
                    self._line([_plain(kind, value) for kind, value in zip(kinds, row, strict=True)])
                done += len(rows)
                self.progress(stored.name, done, total)
        return done

    def _line(self, value: object) -> None:
        line = json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"
        self.seen.update(line)
        self.packed.write(line)


def _plain(kind: str, value: Any) -> object:
    match value:
        case bytes():
            return b64encode(value).decode("ascii")
        case datetime() | date() if kind in ("time", "date"):
            return value.isoformat()
    return value
