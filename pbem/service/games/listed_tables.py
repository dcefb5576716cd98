"""The list of open tables, and single ones, as pages show them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta

from sqlalchemy import Row, Select, String, cast, or_, select
from sqlalchemy.orm import Session, defer

from pbem.engine import Value, say
from pbem.robot import opponents
from pbem.service.base import NoSuch, Office, queries, validation
from pbem.service.games import terms
from pbem.service.statistics import ratings, tempo
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.store.tables import Block, Game, OpenTable, Seat
from pbem.views.people import OpenTableView, RatingView, SitterView, Tempo

SHOWN = 25
"""Tables on one page, those first that are decided soonest."""
PACES = {"brisk": (timedelta(0), timedelta(days=1)), "calm": (timedelta(days=1), timedelta(days=5)),
         "slow": (timedelta(days=5), timedelta(days=31))}  # fmt: skip
"""How much time an answer has: more than the first, up to the second."""


class Wanted(Value):
    """What a reader looks for. ``people``: how many seats are needed; ``pace`` of :data:`PACES`; a language's code."""

    people: int = 1
    pace: str = ""
    language: str = ""


ANY = Wanted()


def listed(office: Office, reader: int | None, wanted: Wanted = ANY) -> tuple[OpenTableView, ...]:
    """Tables with a seat for the reader: without those at which the reader sits or somebody does who is blocked, and
    those that expect more experience."""
    query = (
        _tables()
        .where(OpenTable.listed.is_(True), Game.unlisted.is_(False))
        .order_by(OpenTable.fill_at, OpenTable.game_id)
    )
    if wanted.language:
        query = query.where(("," + OpenTable.languages + ",").contains(f",{wanted.language},"))
    if wanted.pace in PACES:
        more, most = (int(length.total_seconds()) for length in PACES[wanted.pace])
        query = query.where(Game.turn_seconds > more, Game.turn_seconds <= most)
    with office.read() as session:
        hidden = _blocked(session, reader)
        free = select(Seat.game_id).where(Seat.status == SeatStatus.VACANT, Seat.game_id == Game.id)
        rows = session.execute(query.where(free.exists()).limit(2 * SHOWN)).all()
        shown = _shown(office, session, rows, reader, hidden)
    return tuple(
        one for one in shown if one.free >= wanted.people and not one.seated and not one.hosted and one.too_new is None
    )[:SHOWN]


def first(office: Office, reader: int | None, count: int = 3) -> tuple[OpenTableView, ...]:
    """The first few tables of the list, for the start page: show them with ``tables.html``'s macro ``row``.

    Each has ``title``, ``sheet``, ``time_control``, ``seats`` (``free`` or with a ``name`` and a ``tempo``) and
    ``free``, the number of seats left; its page is ``url_for("tables.table", game_id=one.game)``.
    """
    return listed(office, reader)[:count]


def own(office: Office, account: int) -> tuple[OpenTableView, ...]:
    """Tables at which somebody sits, or that somebody hosts."""
    sits = select(Seat.game_id).where(Seat.account_id == account, Seat.status == SeatStatus.ACCEPTED)
    query = _tables().where(or_(Game.id.in_(sits), Game.host_id == account)).order_by(OpenTable.fill_at)
    with office.read() as session:
        return _shown(office, session, session.execute(query).all(), account, frozenset())


def table(office: Office, game_id: str, reader: int | None) -> OpenTableView:
    """One table, listed or not. Raises :class:`NoSuch` when the game is not open to anybody."""
    with office.read() as session:
        rows = session.execute(_tables().where(Game.id == game_id)).all()
        found = _shown(office, session, rows, reader, frozenset())
    if not found:
        raise NoSuch(f"Game {game_id} is not an open table.")
    return found[0]


def is_one(office: Office, game_id: str) -> bool:
    """Whether anybody can join this game; seats can be free without that, where an invitation was withdrawn."""
    with office.read() as session:
        return terms.of(session, game_id) is not None


def link(office: Office, game_id: str) -> str:
    """The link to a table that can be passed on, empty when there is none; for whoever opened it."""
    with office.read() as session:
        row = terms.of(session, game_id)
        return office.addresses.join(game_id, row.link_key) if row is not None and row.link_key else ""


def _tables() -> Select[OpenTable, Game]:
    # few games that wait are tables: their index by status must not be taken, so that only tables are looked through
    status = cast(Game.status, String)
    joined = select(OpenTable, Game).join(Game, Game.id == OpenTable.game_id).where(status == GameStatus.OPEN.value)
    return joined.options(defer(Game.imported), defer(Game.state))


def _blocked(session: Session, reader: int | None) -> frozenset[int]:
    if reader is None:
        return frozenset()
    query = select(Block.account_id, Block.blocked_id).where(
        or_(Block.account_id == reader, Block.blocked_id == reader)
    )
    return frozenset(one for row in session.execute(query) for one in row if one != reader)


def _shown(
    office: Office, session: Session, rows: Sequence[Row[OpenTable, Game]], reader: int | None, hidden: frozenset[int]
) -> tuple[OpenTableView, ...]:
    seats: defaultdict[str, list[Seat]] = defaultdict(list)
    of_all = select(Seat).where(Seat.game_id.in_([game.id for _, game in rows])).order_by(Seat.number)
    for seat in session.scalars(of_all) if rows else ():
        seats[seat.game_id].append(seat)
    rows = [row for row in rows if not hidden & {row[1].host_id, *(seat.account_id for seat in seats[row[1].id])}]
    people = {seat.account_id for _, game in rows for seat in seats[game.id] if seat.account_id is not None}
    known = tempo.tempos(session, people) if people else {}
    rated = _ratings(session, [game for _, game in rows], seats)
    expects = reader is not None and any(one.experience in terms.LEAST_GAMES for one, _ in rows)
    finished = terms.finished_games(session, reader) if reader is not None and expects else 0
    return tuple(_view(office, one, game, seats[game.id], (reader, finished), (known, rated)) for one, game in rows)


def _ratings(session: Session, games: Sequence[Game], seats: Mapping[str, Sequence[Seat]]) -> dict[int, RatingView]:
    rated: dict[int, RatingView] = {}
    for kind in {game.game for game in games}:
        sitting = [seat for game in games if game.game == kind for seat in seats[game.id]]
        rated |= ratings.of_seats(session, kind, sitting)
    return rated


def _view(
    office: Office,
    row: OpenTable,
    game: Game,
    seats: Sequence[Seat],
    by: tuple[int | None, int],
    about: tuple[dict[int, Tempo], dict[int, RatingView]],
) -> OpenTableView:
    """``by``: who reads it, and how many games they have finished."""
    (reader, finished), (known, rated) = by, about
    hosted = reader is not None and game.host_id == reader
    asked_in = hosted or any(seat.account_id == reader and seat.status in terms.SITTING for seat in seats)
    return OpenTableView(
        game=game.id,
        title=game.title,
        sheet=queries.sheet(game),
        time_control=game.time_control,
        languages=(languages := tuple(row.languages.split(","))),
        spoken=tuple(terms.LANGUAGES.get(code) or say("{code}", code=code) for code in languages),
        experience=row.experience,
        expected=terms.EXPERIENCE.get(row.experience) or say("{code}", code=row.experience),
        listed=row.listed,
        fill_at=row.fill_at,
        if_free=row.if_free,
        seats=tuple(
            _sitter(seat, game, known, rated.get(seat.id)) for seat in seats if seat.status != SeatStatus.DECLINED
        ),
        hosted=hosted,
        seated=any(seat.account_id == reader and seat.status == SeatStatus.ACCEPTED for seat in seats)
        and reader is not None,
        link=office.addresses.join(game.id, row.link_key) if hosted and row.link_key else "",
        friendly=game.friendly or opponents.adapts(seat.robot for seat in seats),
        programs=game.programs,
        too_new=None if asked_in or reader is None else terms.too_new(row.experience, finished),
    )


def _sitter(seat: Seat, game: Game, known: dict[int, Tempo], rating: RatingView | None) -> SitterView:
    return SitterView(
        number=seat.number,
        name=seat.name,
        robot=seat.robot,
        free=seat.status == SeatStatus.VACANT,
        invited=seat.status == SeatStatus.INVITED,
        host=seat.account_id is not None and seat.account_id == game.host_id,
        tempo=known.get(seat.account_id or 0, Tempo()),
        rating=rating,
        program=validation.is_program(seat.name),
    )
