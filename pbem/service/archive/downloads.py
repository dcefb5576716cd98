"""All figures, results, ratings and records of public games, line by line; never more than a few games are in memory.

Every part is read on its own, so that whoever takes long to download holds no look at the database open. A line of a
table ends with the version of this program and the SHA-256 of its other cells, so that it keeps both when a table is
sorted, cut or joined with others.
"""

import csv
import io
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import ColumnElement, select

import pbem
from pbem.engine import catalog
from pbem.service.archive import records
from pbem.service.base import Office
from pbem.service.base.seals import digest, sealed
from pbem.service.statistics import ratings, results
from pbem.store.statuses import GameStatus
from pbem.store.tables import CountedGame, Game, Result, Seat, Tally

AT_ONCE = 200
GZIP = 31
"""What ``zlib`` calls a gzip file."""
PUBLIC: tuple[ColumnElement[bool], ...] = (
    Game.status == GameStatus.OVER, Game.unlisted.is_(False), Game.lesson == "",
)  # fmt: skip


def figures(office: Office) -> Iterator[bytes]:
    columns = ("game", "map", "players", "figure", "value", "number")
    yield _head(columns)
    for sheet in catalog.sheets():
        here = (Tally.game == sheet.game, Tally.map == sheet.slug)
        query = select(Tally.players, Tally.figure, Tally.key, Tally.number).where(*here)
        with office.read() as session:
            rows = session.execute(query.order_by(Tally.players, Tally.figure, Tally.key)).all()
        yield from _lines(columns, ((sheet.game, sheet.slug, *row) for row in rows))


def all_results(office: Office) -> Iterator[bytes]:
    """The results of all public games as CSV, with the names that the archive shows."""
    columns = ("id", "game", "map", "players", "ended", "name", "place", "points", "out", "rating", "uncertainty")
    yield _head(columns)
    after = ""
    while True:
        with office.read() as session:
            query = select(CountedGame).where(CountedGame.listed.is_(True), CountedGame.game_id > after)
            games = {one.game_id: one for one in session.scalars(query.order_by(CountedGame.game_id).limit(AT_ONCE))}
            rows = session.execute(
                select(Result, Seat.name)
                .join(Seat, (Seat.game_id == Result.game_id) & (Seat.number == Result.number))
                .where(Result.game_id.in_(games))
                .order_by(Result.game_id, Result.place, Result.number)
            ).all()
        if not games:
            return
        yield from _lines(columns, (_result(games[row.game_id], row, name) for row, name in rows))
        after = max(games)


def _result(game: CountedGame, row: Result, name: str) -> tuple[object, ...]:
    rated = ("", "") if row.mu is None else (_part(row.mu), _part(row.sigma or 0))
    ended = f"{row.ended_at:%Y-%m-%d}"
    return (row.game_id, game.game, game.map, game.players, ended, name, row.place, row.points, int(row.out), *rated)


def all_ratings(office: Office) -> Iterator[bytes]:
    """The ratings that everybody may see, as CSV."""
    columns = ("game", "name", "robot", "rating", "uncertainty", "games", "last")
    yield _head(columns)
    for game in sorted({sheet.game for sheet in catalog.sheets()}):
        yield from _lines(columns, (_rating(game, one) for one in results.everybody(office, game)))


def _rating(game: str, one: results.Ranked) -> tuple[object, ...]:
    shown = one.rating
    return (game, one.name, one.robot, f"{shown.mu:.6f}", f"{shown.sigma:.6f}", shown.games, f"{one.last_at:%Y-%m-%d}")


def all_records(office: Office) -> Iterator[bytes]:
    """The records of all public games in one gzip file, one JSON object to a line, each with the ``id`` of its game."""
    packer = zlib.compressobj(wbits=GZIP)
    after = ""
    while found := _ids(office, after):
        for game_id in found:
            line = json.dumps({"id": game_id, **sealed(records.export(office, game_id))}, ensure_ascii=False)
            if packed := packer.compress(f"{line}\n".encode()):
                yield packed
        after = found[-1]
    yield packer.flush()


def _ids(office: Office, after: str) -> Sequence[str]:
    with office.read() as session:
        query = select(Game.id).where(*PUBLIC, Game.id > after).order_by(Game.id).limit(AT_ONCE)
        return session.scalars(query).all()


def _part(millionths: int) -> str:
    return f"{millionths / ratings.MILLION:.6f}"


def _head(columns: Sequence[str]) -> bytes:
    return _line((*columns, "version", "sha256"))


def _lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    text = b"".join(map(_line, (_sealed(columns, row) for row in rows)))
    if text:
        yield text


def _sealed(columns: Sequence[str], row: Sequence[object]) -> Sequence[str]:
    cells = ["" if cell is None else _safe(str(cell)) for cell in row]
    return (*cells, pbem.__version__, digest(dict(zip(columns, cells, strict=True))))


def _line(row: Sequence[str]) -> bytes:
    into = io.StringIO()
    csv.writer(into).writerow(row)
    return into.getvalue().encode()


def _safe(cell: str) -> str:
    """What a spreadsheet would take for a formula begins with an apostrophe."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
