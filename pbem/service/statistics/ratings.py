"""Ratings of games of several players: Plackett-Luce (``openskill``), one game after the other as they ended.

The only place that writes ``ratings``, and what of ``results`` is a rating. What a game changes follows from the
ratings before it. So when a game is counted late, all that ended after it are rated again: in whatever order tasks
run, the outcome is that of :func:`rate_again`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, delete, or_, select, update
from sqlalchemy.orm import Session

from pbem.service.base import Office, queries, validation
from pbem.store.statuses import SeatStatus
from pbem.store.tables import Account, CountedGame, Rating, Result, Seat
from pbem.store.upserts import upsert
from pbem.views.people import RatingView

PROGRAM = "p"
"""How the name of the result of a program begins."""
AT_ONCE = 4_000
"""Games that are rated between two writes."""
MILLION = 1_000_000
SURE = 3
"""By how many of its uncertainties a rating is lowered where people are put in order: little is known of newcomers."""


class Mark(NamedTuple):
    """A place in the order in which games are rated: at a game, or just ``after`` it."""

    ended_at: datetime
    game_id: str
    after: bool = False


class Strength(NamedTuple):
    """A rating, its uncertainty (both in millionths), and of how many games it is."""

    mu: int
    sigma: int
    games: int


NEW = Strength(25 * MILLION, 25 * MILLION // 3, 0)
"""That of somebody of whom nothing is known."""
BEGINNING = Mark(datetime(2000, 1, 1, tzinfo=UTC), "")


def rate_from(session: Session, game: str, mark: Mark, whose: Collection[str]) -> None:
    """Rate all games that ended from this one on; ``whose``: ratings that change in any case."""
    touched = set(whose)
    while (part := _rate_part(session, game, mark)) is not None:
        touched |= part[1]
        mark = part[0]
    _settle(session, game, touched)


def rate_again(office: Office, game: str) -> int:
    """Rate everybody anew in a game, from its first on; returns how many are rated. Others can write meanwhile."""
    mark, done = BEGINNING, 0
    while True:
        with office.write() as session:
            part = _rate_part(session, game, mark)
            if part is None:
                rated = select(Result.who).where(
                    Result.who == Rating.who, Result.game == Rating.game, Result.mu.is_not(None)
                )
                session.execute(delete(Rating).where(Rating.game == game, ~rated.exists()))
                return done
            mark, touched, games = part
            _settle(session, game, touched)
            done += games


def of_seats(session: Session, game: str, seats: Iterable[Seat]) -> dict[int, RatingView]:
    """The ratings of those who sit in these seats, by the id of the seat."""
    here = list(seats)
    known = programs(session, here)
    whose = {seat.id: who(seat, known) for seat in here}
    query = select(Rating).where(Rating.game == game, Rating.who.in_(set(whose.values()) - {""}))
    found = {row.who: view(row) for row in session.scalars(query)}
    return {seat: found[one] for seat, one in whose.items() if one in found}


def view(row: Rating) -> RatingView:
    return RatingView(row.game, row.mu / MILLION, row.sigma / MILLION, row.games)


def programs(session: Session, seats: Sequence[Seat]) -> Set[int]:
    """The accounts of those who are programs; that is asked of the database only where a name says so."""
    marked = {seat.account_id for seat in seats if validation.is_program(seat.name)}
    found = queries.accounts(session, [one for one in marked if one is not None])
    return {number for number, account in found.items() if account.program}


def who(seat: Seat, known: Set[int]) -> str:
    """Whose result a seat is: ``a`` and the number of the account, ``p`` and that of one that is among the ``known``
    programs, or ``r`` and the robot; empty where it is nobody's.

    Who deletes an account keeps the number in results that are counted, and nothing tells whose it was.
    """
    if seat.robot:
        return f"r{seat.robot}"
    if seat.account_id is None or seat.status != SeatStatus.ACCEPTED:
        return ""
    return of_account(seat.account_id, seat.account_id in known)


def of_account(account_id: int, program: bool) -> str:
    return f"{PROGRAM if program else 'a'}{account_id}"


def pass_on(session: Session, former: int, kept: int) -> None:
    """All results of an account are those of another from now on, and everybody is rated from the first of them on."""
    old, new = f"a{former}", f"a{kept}"
    query = select(Result.game, Result.ended_at, Result.game_id).where(Result.who == old)
    first: dict[str, Mark] = {}
    for game, ended_at, game_id in session.execute(query.order_by(Result.ended_at, Result.game_id)):
        first.setdefault(game, Mark(ended_at, game_id))
    session.execute(update(Result).where(Result.who == old).values(who=new))
    for game in sorted(first):
        rate_from(session, game, first[game], {new})
    session.execute(delete(Rating).where(or_(Rating.who == old, Rating.account_id == former)))


def _rate_part(session: Session, game: str, mark: Mark) -> tuple[Mark, set[str], int] | None:
    """Rate the next games; returns where to go on, whose ratings changed, how many games; ``None`` at the end."""
    there = CountedGame.game_id > mark.game_id if mark.after else CountedGame.game_id >= mark.game_id
    from_mark = or_(CountedGame.ended_at > mark.ended_at, and_(CountedGame.ended_at == mark.ended_at, there))
    query = select(CountedGame.ended_at, CountedGame.game_id).where(
        CountedGame.game == game, CountedGame.rated.is_(True), CountedGame.ended_at >= mark.ended_at, from_mark
    )
    order = (CountedGame.ended_at, CountedGame.game_id)
    games = [Mark(*row) for row in session.execute(query.order_by(*order).limit(AT_ONCE))]
    if not games:
        return None
    seats = _seats(session, [one.game_id for one in games])
    known: dict[str, Strength] = {}
    written: list[dict[str, Any]] = []
    for one in games:
        here = seats[one.game_id]
        for who in {who for _, who, _ in here} - known.keys():
            known[who] = before(session, game, who, games[0])
        new = _apart(rated([(who, place) for _, who, place in here], known))
        known.update(new)
        written += [_written(one.game_id, number, new.get(who)) for number, who, _ in here]
    if written:
        session.execute(update(Result), written)
    return games[-1]._replace(after=True), set(known), len(games)


def _apart(new: Mapping[str, Strength]) -> Mapping[str, Strength]:
    """Of a game with programs only their ratings change: by the strength of people and robots, which stays as it is."""
    of_programs = {who: strength for who, strength in new.items() if who.startswith(PROGRAM)}
    return of_programs or new


def _seats(session: Session, games: Sequence[str]) -> defaultdict[str, list[tuple[int, str, int]]]:
    seats: defaultdict[str, list[tuple[int, str, int]]] = defaultdict(list)
    rows = select(Result.game_id, Result.number, Result.who, Result.place).where(Result.game_id.in_(games))
    for game_id, number, who, place in session.execute(rows.order_by(Result.number)):
        if who:
            seats[game_id].append((number, who, place))
    return seats


def _written(game_id: str, number: int, new: Strength | None) -> dict[str, Any]:
    """What a row of a result is to say; ``new``: nothing where somebody played against nobody else."""
    rating: dict[str, Any] = {"nth": None, "mu": None, "sigma": None}
    if new is not None:
        rating = {"nth": new.games, "mu": new.mu, "sigma": new.sigma}
    return {"game_id": game_id, "number": number, **rating}


def rated(places: Sequence[tuple[str, int]], known: Mapping[str, Strength]) -> dict[str, Strength]:
    """The ratings after a game: ``places`` says who came in on which place; nothing when it was nobody else's game.

    Whoever had several seats (robots do) gets the mean of what each of them comes to.
    """
    if len({who for who, _ in places}) < 2:
        return {}
    model = _model()
    before = [[model.rating(mu=known[who].mu / MILLION, sigma=known[who].sigma / MILLION)] for who, _ in places]
    after = model.rate(before, ranks=[place for _, place in places])
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for (who, _), (new,) in zip(places, after, strict=True):
        found[who].append(new)
    return {
        who: Strength(_mean(one.mu for one in new), _mean(one.sigma for one in new), known[who].games + 1)
        for who, new in found.items()
    }


def _mean(values: Iterable[float]) -> int:
    given = list(values)
    return round(sum(given) / len(given) * MILLION)


@cache
def _model() -> Any:
    """Only processes that rate load it."""
    return import_module("openskill.models").PlackettLuce()


def before(session: Session, game: str, who: str, mark: Mark) -> Strength:
    """The rating after the last rated game that ended before this place in the order."""
    earlier = or_(
        Result.ended_at < mark.ended_at, and_(Result.ended_at == mark.ended_at, Result.game_id < mark.game_id)
    )
    row = session.execute(_rated(game, who).where(Result.ended_at <= mark.ended_at, earlier)).one_or_none()
    return NEW if row is None else Strength(row.mu or 0, row.sigma or 0, row.nth or 0)


def _rated(game: str, who: str) -> Select[int | None, int | None, int | None, datetime]:
    """The last rated result of somebody; with conditions, the last that meets them."""
    return (
        select(Result.mu, Result.sigma, Result.nth, Result.ended_at)
        .where(Result.who == who, Result.game == game, Result.mu.is_not(None))
        .order_by(Result.ended_at.desc(), Result.game_id.desc())
        .limit(1)
    )


def _settle(session: Session, game: str, whose: Collection[str]) -> None:
    """Write the ratings of these as of their last results; who has none, or no account any more, has no rating."""
    accounts = {int(who[1:]) for who in whose if not who.startswith("r")}
    living = set(session.scalars(select(Account.id).where(Account.id.in_(accounts), Account.deleted_at.is_(None))))
    rows: list[dict[str, Any]] = []
    gone: list[str] = []
    for who in sorted(whose):
        account = None if who.startswith("r") else int(who[1:])
        last = session.execute(_rated(game, who)).one_or_none()
        if last is None or (account is not None and account not in living):
            gone.append(who)
            continue
        mu, sigma = last.mu or 0, last.sigma or 0
        rows.append(
            {
                "game": game, "who": who, "account_id": account, "mu": mu, "sigma": sigma,
                "shown": mu - SURE * sigma, "games": last.nth, "last_at": last.ended_at,
            }
        )  # fmt: skip
    if gone:
        session.execute(delete(Rating).where(Rating.game == game, Rating.who.in_(gone)))
    if rows:
        insert = upsert(session, Rating)
        changed = {name: insert.excluded[name] for name in ("mu", "sigma", "shown", "games", "last_at")}
        session.execute(insert.on_conflict_do_update(index_elements=["game", "who"], set_=changed), rows)
