"""A puzzle a day: a decision of a game that ended long ago, of which one order was clearly better than the one played.

Which one it is follows from the day. The only place that writes ``puzzle_answers``: what people with an account have
answered first, on the day itself.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from zoneinfo import ZoneInfo

from sqlalchemy import exists, func, select

from pbem.engine import Seat as Colour
from pbem.engine import Sheet, State, Value
from pbem.robot import review, thinking
from pbem.robot.matches import Mean
from pbem.robot.review.comparisons import Comparison
from pbem.robot.review.doubts import ADVISER
from pbem.robot.review.options import PHASES, asks, behind, is_near
from pbem.robot.trying import after
from pbem.service.base import Office
from pbem.store.statuses import GameStatus, ReviewStatus
from pbem.store.tables import Account, Game, PuzzleAnswer, ReviewRow, Seat
from pbem.store.upserts import upsert

RESTS = timedelta(days=30)
"""How long ago a game must have ended."""
GAME = "age-of-steam"
NEAR = 1.0
"""An order that was not played on solves the puzzle as well if robots expect at most so many points less of it."""
LOOKED_AT = 300
"""Games among which it is looked for, the latest that ended long enough ago."""
FORGIVEN = timedelta(days=7)
"""A missed day of so many does not end a streak."""
YEAR = timedelta(days=366)
"""Streaks are counted so far back."""
UTC = ZoneInfo("UTC")


class Puzzle(Value):
    """``one``: what was played and what was better."""

    game: str
    one: Comparison


class Option(Value):
    """An order of the position. ``less``: points that robots expect of it less than of the best, ``None`` where they
    have not thought of it; ``end``: what it leads to; ``behind``: points that it was worse by when robots played on."""

    order: str
    less: float | None
    end: object
    behind: Mean | None = None


def of_day(office: Office, day: date) -> Puzzle | None:
    """The puzzle of a day; ``None`` while no game has one. Everybody in its game lets reviews list the own orders.

    On every second day one is preferred whose solution is not simply what brings most at once.
    """
    against = exists().where(Seat.game_id == Game.id, Account.id == Seat.account_id, Account.reviewed.is_(False))
    until = datetime.combine(day, time(), UTC) - RESTS
    query = (
        select(Game.id)
        .join(ReviewRow, ReviewRow.game_id == Game.id)
        .where(ReviewRow.status == ReviewStatus.DONE, Game.status == GameStatus.OVER, Game.unlisted.is_(False))
        .where(Game.ended_at <= until, Game.game == GAME, ~against)
        .order_by(Game.ended_at.desc(), Game.id)
        .limit(LOOKED_AT)
    )
    otherwise = None
    with office.read() as session:
        for game in sorted(session.scalars(query), key=lambda game: _seal(day, game)):
            asked = [one for one in review.stored(session.get_one(ReviewRow, game).found)[0] if asks(one)]
            for one in sorted(asked, key=lambda one: _seal(day, game, one.number)):
                if not one.at_once or day.toordinal() % 2:
                    return Puzzle(game, one)
                otherwise = otherwise or Puzzle(game, one)
    return otherwise


def is_asked(game: str, one: Comparison) -> bool:
    """Whether a mistake can be asked as a question, whatever else would have been as good."""
    return game == GAME and one.mistake and one.phase in PHASES


def _seal(day: date, *what: object) -> str:
    return sha256(" ".join(map(str, (day, *what))).encode()).hexdigest()


def options(sheet: Sheet, state: State, one: Comparison) -> tuple[Option, ...]:
    """What the position offers, as far as a robot weighs it: the best first, and what was played."""
    weighed = thinking.decide(sheet, state, ADVISER, "review").options
    values = {option.order: option.value for option in weighed}
    best = values.get(one.better, max(values.values(), default=0.0))
    found: list[Option] = []
    for order in dict.fromkeys((one.better, *values, one.played)):
        then = after(sheet, state, one.player, order)
        end = None if then is None else sheet.encode(then)
        if end is not None and all(end != other.end for other in found):
            less = max(0.0, best - values[order]) if order in values else None
            found.append(Option(order, less, end, behind(one, order)))
    first, *others = found
    others.sort(key=lambda option: (option.behind is None, option.behind.value if option.behind else 0.0))
    return (first, *others)


def chosen(sheet: Sheet, state: State, seat: Colour, options: tuple[Option, ...], order: str) -> Option:
    """The option that an answer comes to; one of its own where robots have not thought of it."""
    then = after(sheet, state, seat, order)
    end = None if then is None else sheet.encode(then)
    return next((option for option in options if option.end == end), Option(order, None, end))


def solves(puzzle: Puzzle, option: Option) -> bool:
    """Whether an option is the better order, or may be as good."""
    if option.order in (puzzle.one.better, puzzle.one.played):
        return option.order == puzzle.one.better
    if option.behind is not None:
        return is_near(option.behind)
    return option.less is not None and option.less <= NEAR


def answer(office: Office, account_id: int, day: date, option: Option, solved: bool, now: datetime) -> None:
    """Keep somebody's answer to the puzzle of a day. The first one counts."""
    row = {"account_id": account_id, "day": day, "orders": option.order, "solved": solved, "at": now}
    with office.write() as session:
        session.execute(upsert(session, PuzzleAnswer).values(**row).on_conflict_do_nothing())


def answers(office: Office, day: date) -> Counter[str]:
    """How many have answered which orders."""
    query = select(PuzzleAnswer.orders, func.count()).where(PuzzleAnswer.day == day).group_by(PuzzleAnswer.orders)
    with office.read() as session:
        return Counter({row[0]: row[1] for row in session.execute(query)})


def of_account(office: Office, account_id: int, today: date) -> dict[date, bool]:
    """By day of the last year whether somebody has solved its puzzle, of those that were answered."""
    query = select(PuzzleAnswer.day, PuzzleAnswer.solved).where(
        PuzzleAnswer.account_id == account_id, PuzzleAnswer.day > today - YEAR
    )
    with office.read() as session:
        return {row[0]: row[1] for row in session.execute(query)}


def streak(solved: Mapping[date, bool], today: date) -> int:
    """Days in a row whose puzzles were solved, to yesterday or today; one that was missed is forgiven once a week."""
    if solved.get(today) is False:
        return 0
    count, day, missed = 0, today, today + FORGIVEN
    if today not in solved:
        day -= timedelta(days=1)
    while day > today - YEAR:
        right = solved.get(day)
        if right is False or (right is None and missed - day < FORGIVEN):
            return count
        count, missed = (count + 1, missed) if right else (count, day)
        day -= timedelta(days=1)
    return count
