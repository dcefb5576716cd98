"""Counting finished games: their results and figures, each in one transaction, once or again with the same outcome.

The only place that writes ``counted_games``, ``results`` and ``tallies``. The order in which games are counted makes no
difference: tallies are sums, and ratings follow the times at which games ended.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Select, delete, func, select, text
from sqlalchemy.orm import Session

from pbem.engine import catalog
from pbem.robot import opponents
from pbem.service.base import GameWork, Office
from pbem.service.statistics import ratings, reviews
from pbem.service.statistics.ratings import Mark
from pbem.service.turns import audit_log
from pbem.store.statuses import NOTES, GameStatus, MoveCause
from pbem.store.tables import AuditEntry, CountedGame, Game, Move, Result, Tally
from pbem.store.upserts import upsert

Figures = Counter[tuple[str, str]]
"""How often a figure has a value."""
AT_ONCE = 50
"""Games that the clock counts in one round; after an upgrade all games wait."""
AGAIN = timedelta(hours=1)
"""After which time a game is tried again that could not be counted."""
HOUR, DAY = 3600, 86400


def due(office: Office, now: datetime) -> Sequence[str]:
    with office.read() as session:
        query = select(Game.id).where(Game.count_at <= now).order_by(Game.count_at, Game.id).limit(AT_ONCE)
        return session.scalars(query).all()


def count(office: Office, game_id: str, now: datetime) -> bool:
    """Count a game that waits for it, rate from it on, and enter it for a review; returns whether it waited."""
    with office.game(game_id, now) as work:
        if work.game.count_at is None:
            return False
        if (change := _count(work)) is not None:
            ratings.rate_from(work.session, work.game.game, *change)
        work.game.count_at = None
        reviews.enter(work)
        return True


def put_off(office: Office, game_id: str, now: datetime) -> None:
    """The game could not be counted because of an error of ours: others go first for a while."""
    with office.game(game_id, now) as work:
        work.game.count_at = now + AGAIN


def count_again(office: Office, game_id: str, now: datetime) -> None:
    """Count a finished game whether it waits or not, and leave ratings alone (:func:`ratings.rate_again`)."""
    with office.game(game_id, now) as work:
        if work.game.status == GameStatus.OVER:
            _count(work)
            work.game.count_at = None


def pass_on(session: Session, former: int, kept: int) -> None:
    """The results of an account are those of another from now on, and so are the ratings that follow."""
    _one_at_a_time(session)
    ratings.pass_on(session, former, kept)


def add_up(office: Office, game: str, map: str) -> None:
    """Make the tallies of a map anew from the figures of its games."""
    with office.write() as session:
        _one_at_a_time(session)
        sums: dict[int, Figures] = {}
        query = select(CountedGame.players, CountedGame.figures).where(
            CountedGame.game == game, CountedGame.map == map, CountedGame.listed.is_(True)
        )
        for players, figures in session.execute(query.execution_options(yield_per=500)):
            sums.setdefault(players, Counter()).update(_read(figures))
        session.execute(delete(Tally).where(Tally.game == game, Tally.map == map))
        for players, figures in sums.items():
            _add(session, (game, map, players), figures)


def _is_rated(work: GameWork) -> bool:
    game, people = work.game, [seat for seat in work.seats if not seat.robot]
    if game.friendly or game.ended_early or game.imported or len(work.seats) == 1 or catalog.is_own(game.map):
        return False
    if opponents.adapts(seat.robot for seat in work.seats):
        return False
    back = select(Move.number).where(Move.game_id == work.game.id, Move.taken_back_by.is_not(None))
    if len(people) > 1:  # whoever is left alone with robots has stepped back over their answers
        back = back.where(Move.cause == MoveCause.ROBOT)
    return work.session.scalar(back.limit(1)) is None


def _count(work: GameWork) -> tuple[Mark, set[str]] | None:
    """Write down what a finished game comes to; returns from where on ratings change, and whose in this game."""
    session, game = work.session, work.game
    assert game.ended_at is not None
    _one_at_a_time(session)
    listed = not game.unlisted and not game.lesson
    rated = listed and _is_rated(work)
    figures = Counter(dict(_figures(work)))
    where = (game.game, game.map, len(work.seats))
    row = session.get(CountedGame, game.id)
    change = row is not None and row.rated
    if row is None:
        row = CountedGame(game_id=game.id, game=game.game, map=game.map)
        session.add(row)
    elif row.listed:
        _add(session, (row.game, row.map, row.players), Counter({key: -n for key, n in _read(row.figures).items()}))
    row.players, row.ended_at, row.listed, row.rated = len(work.seats), game.ended_at, listed, rated
    row.orders = game.version
    row.best, row.margin = _ahead([line.score for line in work.sheet.standings(work.state) if not line.out])
    row.figures = sorted([figure, key, n] for (figure, key), n in figures.items())
    session.flush()
    if listed:
        _add(session, where, figures)
    whose = _write_results(work)
    return (Mark(game.ended_at, game.id), whose) if rated or change else None


def _ahead(scores: Iterable[int | None]) -> tuple[int | None, int | None]:
    """The most points, and how many more than the next have; ``None`` where there are none."""
    best = sorted((score for score in scores if score is not None), reverse=True)
    return (best[0] if best else None), (best[0] - best[1] if len(best) > 1 else None)


def _one_at_a_time(session: Session) -> None:
    """On PostgreSQL others who count wait here; whoever reads does not. SQLite has one writer anyway."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("LOCK TABLE tallies IN SHARE ROW EXCLUSIVE MODE"))


def _write_results(work: GameWork) -> set[str]:
    """Write the results, not rated yet; returns whose they are and were."""
    session, game, sheet = work.session, work.game, work.sheet
    known = {row.number: row for row in session.scalars(select(Result).where(Result.game_id == game.id))}
    left = set(
        session.scalars(
            select(AuditEntry.seat_number).where(
                AuditEntry.game_id == game.id, AuditEntry.kind.in_(audit_log.LEFT), AuditEntry.at >= game.started_at
            )
        )
    )
    ended_at = game.ended_at
    assert ended_at is not None
    standings = {line.seat: line for line in sheet.standings(work.state)}
    whose, programs = {row.who for row in known.values()}, ratings.programs(session, work.seats)
    for seat in work.seats:
        line = standings[seat.colour]
        row = known.get(seat.number)
        if row is None:
            row = Result(game_id=game.id, number=seat.number, who="")
            session.add(row)
        row.game, row.ended_at = game.game, ended_at
        row.who = "" if seat.number in left else ratings.who(seat, programs) or row.who
        row.place, row.points, row.out = line.place, line.score, line.out
        row.nth = row.mu = row.sigma = None
        whose.add(row.who)
    session.flush()
    return whose - {""}


def _figures(work: GameWork) -> Iterator[tuple[tuple[str, str], int]]:
    found: Figures = Counter({("games", ""): 1})
    if work.game.ended_early:
        found["early", ""] = 1
    else:
        _add_ends(found, work)
    bids: dict[str, int] = {}
    for move in work.session.execute(_orders(work.game)):
        for figure, value in work.sheet.tally(move.phase, move.orders):
            if figure == "bid":
                if move.turn == 1:
                    bids[move.seat] = max(bids.get(move.seat, 0), int(value))
            else:
                found[figure, f"{move.turn}:{value}"] += 1
    if bids:  # who is left when all others have dropped has made no bid
        found.update(("bid", str(bids.get(seat.colour, 0))) for seat in work.seats)
    yield from found.items()


def _add_ends(found: Figures, work: GameWork) -> None:
    game = work.game
    for line in work.sheet.standings(work.state):
        if line.out:
            found["out", ""] += 1
        elif line.score is not None:
            found[f"place {line.place}", str(line.score)] += 1
    found["turns", str(game.turn)] += 1
    if game.imported is None and game.started_at is not None and game.ended_at is not None:
        found["seconds", str(_rounded(game.ended_at - game.started_at))] += 1


def _orders(game: Game) -> Select[str, int, str, str]:
    counts = (Move.game_id == game.id, Move.number > 0, Move.taken_back_by.is_(None), Move.cause.not_in(NOTES))
    return select(Move.seat, Move.turn, Move.phase, Move.orders).where(*counts).order_by(Move.number)


def _rounded(length: timedelta) -> int:
    """Seconds, in whole minutes, from two hours on in whole hours, from two days on in whole days."""
    seconds = int(length.total_seconds())
    step = 60 if seconds < 2 * HOUR else HOUR if seconds < 2 * DAY else DAY
    return -(-seconds // step) * step


def _read(figures: Iterable[Sequence[object]]) -> Figures:
    return Counter({(str(figure), str(key)): int(str(number)) for figure, key, number in figures})


def _add(session: Session, where: tuple[str, str, int], figures: Figures) -> None:
    """Add to tallies; what becomes nothing is removed."""
    game, map, players = where
    rows = [
        {"game": game, "map": map, "players": players, "figure": figure, "key": key, "number": number}
        for (figure, key), number in sorted(figures.items())
        if number
    ]
    if rows:
        insert = upsert(session, Tally)
        keys = ["game", "map", "players", "figure", "key"]
        added = {"number": Tally.number + insert.excluded.number}
        session.execute(insert.on_conflict_do_update(index_elements=keys, set_=added), rows)
    if any(row["number"] < 0 for row in rows):  # type: ignore[operator]
        here = (Tally.game == game, Tally.map == map, Tally.players == players)
        session.execute(delete(Tally).where(*here, Tally.number == 0))


def finished(office: Office) -> int:
    with office.read() as session:
        query = select(func.count()).select_from(Game).where(Game.status == GameStatus.OVER)
        return session.scalars(query).one()


def ids(office: Office) -> Iterator[str]:
    """All games that are over, in the order of their ids."""
    after = ""
    while True:
        with office.read() as session:
            query = select(Game.id).where(Game.status == GameStatus.OVER, Game.id > after).order_by(Game.id)
            found = session.scalars(query.limit(500)).all()
        if not found:
            return
        yield from found
        after = found[-1]
