"""Reading a backup (:mod:`pbem.store.backup`) and putting it into an empty database, all of it or nothing.

A file is read twice: once to see that it is whole and ours, before anything is written, and once to write it. It may
come from anywhere and hold anything: nothing of it is believed, and no more than one line is in memory.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
import zlib
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DataError, IntegrityError, StatementError

from pbem.store.backup import AT_ONCE, FORMAT, KINDS, Header, Progress, Stored, mark_of, seal_of, stored_tables
from pbem.store.revision import revision, revisions
from pbem.store.upgrade import clear, migrate, take_all

LONGEST_LINE = 32 * 1024 * 1024
"""Bytes of a line; the longest there are hold a record of at most 8 MB."""
PASSING = ("heartbeats", "allowances")
"""Tables that fill by themselves in a database nobody has used; what they hold gives way to what is restored."""
NUMBERS = range(-(2**63), 2**63)


class BadBackup(ValueError):
    """The file cannot be restored; the text is a sentence. Nothing was changed."""


class NotEmpty(Exception):
    """There is something in the database; the text is a sentence. Nothing was changed."""


@dataclass(slots=True)
class Lines:
    """A backup as it is read: :meth:`parts` gives each table's head and then its rows, in the order of the file."""

    packed: gzip.GzipFile
    keys: Sequence[str]
    any_key: bool
    header: Header = field(init=False)
    counts: dict[str, int] = field(default_factory=dict)
    _seen: hashlib._Hash = field(default_factory=hashlib.sha256)

    def __post_init__(self) -> None:
        self.header = _header(self._next())
        known = revisions()
        if self.header.revision not in known:
            raise BadBackup(
                f"This backup was made by a newer version of pbem (tables {self.header.revision}; this one knows "
                f"{known[-1]}). Restore it with that version."
            )
        if not self.any_key and self._key() is None:
            raise BadBackup(
                "This backup is from a server with another secret key. With yours, no link in any email sent so far "
                "would work. Set PBEM_SECRET_KEY to the key of that server, or put its file secret_key into "
                "PBEM_DATA_DIR. If the key is lost, use --other-key."
            )

    def parts(self) -> Iterator[Stored | list[Any]]:
        """Heads and rows; the end comes only when every check has been passed. Raises :class:`BadBackup`."""
        kinds: tuple[str, ...] = ()
        name = ""
        while isinstance(line := self._next(), list) or "table" in line:
            if isinstance(line, list):
                if not name or len(line) != len(kinds):
                    raise BadBackup(_harmed(f"a row of {name or 'no table'} has {len(line)} values"))
                self.counts[name] += 1
                yield [_value(kind, value, name) for kind, value in zip(kinds, line, strict=True)]
                continue
            head = _head(line)
            if head.name in self.counts:
                raise BadBackup(_harmed(f"it has the table {head.name} twice"))
            name, kinds = head.name, tuple(head.columns.values())
            self.counts[name] = 0
            yield head
        if line.get("rows") != self.counts:
            raise BadBackup(_harmed("rows are missing, or there are too many"))
        self._end()

    def _end(self) -> None:
        digest = self._seen.hexdigest()
        last = self._next()
        if not isinstance(last, dict) or last.get("sha256") != digest:
            raise BadBackup(_harmed("its lines do not add up to the checksum at its end"))
        key = self._key()
        seal = str(last.get("seal")).encode()
        if key is not None and not hmac.compare_digest(seal, seal_of(key, digest).encode()):
            raise BadBackup(_harmed("somebody without the secret key has changed it"))
        if self._read(1):
            raise BadBackup(_harmed("something follows its end"))

    def _key(self) -> str | None:
        """The key of ours that the backup belongs to."""
        return next((key for key in self.keys if mark_of(key) == self.header.key), None)

    def _next(self) -> dict[str, Any] | list[Any]:
        line = self._read(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise BadBackup(_harmed("it has a line that is longer than any row"))
        if not line.endswith(b"\n"):
            raise BadBackup(_harmed("it ends in the middle"))
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadBackup(_harmed("it has a line that cannot be read")) from error
        if not isinstance(value, dict | list):
            raise BadBackup(_harmed("it has a line that says nothing"))
        self._seen.update(line)
        return value

    def _read(self, most: int) -> bytes:
        try:
            return self.packed.readline(most)
        except gzip.BadGzipFile as error:
            raise BadBackup("This is not a pbem backup, or it is damaged.") from error
        except (EOFError, zlib.error) as error:
            raise BadBackup(_harmed("it ends in the middle, or bytes of it have changed")) from error


def check(file: Path, keys: Sequence[str], *, any_key: bool = False) -> Lines:
    """Read the whole file once; ``header`` and ``counts`` of what is given back tell what is in it.

    ``keys``: the secret keys of this server. Raises :class:`BadBackup` and ``OSError``.
    """
    with gzip.open(file) as packed:
        lines = Lines(packed, keys, any_key)
        for _ in lines.parts():
            pass
        return lines


def put(
    connection: Connection,
    file: Path,
    keys: Sequence[str],
    *,
    any_key: bool = False,
    totals: dict[str, int] | None = None,
    progress: Progress = lambda *_: None,
) -> Header:
    """Put a backup into the empty database of this connection and bring it up to date; the caller commits.

    ``totals``: how many rows are to be expected, for ``progress``. Raises :class:`BadBackup`, :class:`NotEmpty`,
    ``OSError``; after any of them the caller rolls back.
    """
    with gzip.open(file) as packed:
        lines = Lines(packed, keys, any_key)
        room = _make_room(connection, lines.header.revision)
        _fill(connection, room, lines, totals or {}, progress)
        migrate(connection)
        return lines.header


def _make_room(connection: Connection, wanted: str) -> list[Stored]:
    """Empty tables as they were at a migration."""
    migrate(connection, wanted)
    if connection.dialect.name == "postgresql":
        take_all(connection)
    there = stored_tables(connection)
    for stored in there:
        table = stored.typed
        if stored.name in PASSING:
            connection.execute(sa.delete(table))
        elif connection.scalar(sa.select(sa.select(table).exists())):
            raise NotEmpty(
                f"The database is not empty: table {stored.name} has rows. You can restore a backup only into an "
                f"empty database; name a new one in PBEM_DATABASE_URL."
            )
    if revision(connection) == wanted:
        return there
    clear(connection)
    migrate(connection, wanted)
    return stored_tables(connection)


def _fill(
    connection: Connection, room: Sequence[Stored], lines: Lines, totals: dict[str, int], progress: Progress
) -> None:
    """Insert all rows of the file into ``room``."""
    expected = {stored.name: stored for stored in room}
    head: Stored | None = None
    batch: list[list[Any]] = []
    for part in lines.parts():
        if isinstance(part, list):
            batch.append(part)
            if len(batch) >= AT_ONCE:
                _insert(connection, head, batch)
                if head is not None:
                    progress(head.name, lines.counts[head.name], totals.get(head.name, 0))
            continue
        _insert(connection, head, batch)
        head = part
        if (there := expected.pop(head.name, None)) is None or dict(there.columns) != dict(head.columns):
            raise BadBackup(_harmed(f"version {lines.header.revision} has no such table {head.name}"))
    _insert(connection, head, batch)
    if expected:
        raise BadBackup(_harmed(f"the table {min(expected)} is missing"))
    if connection.dialect.name == "postgresql":
        _count_on(connection, room)


def _insert(connection: Connection, head: Stored | None, batch: list[list[Any]]) -> None:
    if head is None or not batch:
        return
    names = tuple(head.columns)
    try:
        connection.execute(sa.insert(head.typed), [dict(zip(names, row, strict=True)) for row in batch])
    except (IntegrityError, DataError, StatementError) as error:
        reason = str(error.orig or error).strip().partition("\n")[0]
        raise BadBackup(f"Rows of the table {head.name} do not fit into this database: {reason}.") from error
    batch.clear()


def _count_on(connection: Connection, room: Sequence[Stored]) -> None:
    """PostgreSQL numbers rows by counters beside the tables; those go on after the highest number."""
    for stored in room:
        if stored.key == ("id",) and stored.columns["id"] == "integer":
            table = stored.typed
            counter = sa.func.pg_get_serial_sequence(stored.name, "id")
            highest = sa.select(sa.func.max(table.c.id)).scalar_subquery()
            connection.execute(sa.select(sa.func.setval(counter, sa.func.coalesce(highest, 1), highest.is_not(None))))


def _header(line: object) -> Header:
    match line:
        case {"format": str(name)} if name != FORMAT and name.startswith("pbem-backup/"):
            raise BadBackup(f"This backup has the format {name[:40]}, and this version reads {FORMAT} only.")
        case {"format": "pbem-backup/1", "made": str(made), "revision": str(at), "key": str(key)}:
            return Header(_value("time", made, "the header"), at, key)
    raise BadBackup("This is not a pbem backup, or it is damaged.")


def _head(line: dict[str, Any]) -> Stored:
    match line:
        case {"table": str(name), "columns": dict(columns)} if all(kind in KINDS for kind in columns.values()):
            return Stored(name, columns, ())
    raise BadBackup(_harmed("it has a table whose columns are unknown"))


def _value(kind: str, value: Any, table: str) -> Any:
    try:
        match kind, value:
            case (_, None) | ("json", _):
                return value
            case "boolean", bool():
                return value
            case "integer", int() if not isinstance(value, bool) and value in NUMBERS:
                return value
            case "text", str():
                return value
            case "time", str() if (moment := datetime.fromisoformat(value)).tzinfo is not None:
                return moment.astimezone(UTC)
            case "date", str():
                return date.fromisoformat(value)
            case "bytes", str():
                return b64decode(value, validate=True)
    except (ValueError, OverflowError, Base64Error) as error:
        raise BadBackup(_harmed(f"{table} has a {kind} that cannot be read")) from error
    raise BadBackup(_harmed(f"{table} has a {kind} that is none"))


def _harmed(what: str) -> str:
    return f"The backup is damaged or was modified: {what}. Nothing was restored."
