"""How a game is open to anybody: what its host has chosen, and the only place that writes ``open_tables``."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pbem.engine import Say, Value, count_say, say
from pbem.service.base import GameWork, Office, Problem
from pbem.store.statuses import GameStatus, SeatsLeft, SeatStatus
from pbem.store.tables import Game, OpenTable, Seat

LANGUAGES: Mapping[str, Say] = {
    "en": say("English"),
    "de": say("German"),
    "fr": say("French"),
    "es": say("Spanish"),
    "pt": say("Portuguese"),
    "it": say("Italian"),
    "nl": say("Dutch"),
    "pl": say("Polish"),
    "ja": say("Japanese"),
    "zh": say("Chinese"),
}
"""Languages in which people of a table can talk, by code."""
EXPERIENCE: Mapping[str, Say] = {
    "any": say("Any experience"),
    "beginners": say("Beginners welcome"),
    "some": say("At least 3 games"),
    "much": say("At least 10 games"),
}
"""What can be expected of those who join."""
LEAST_GAMES: Mapping[str, int] = {"some": 3, "much": 10}
"""How many games somebody must have finished here where so much experience is expected."""
SITTING = (SeatStatus.ACCEPTED, SeatStatus.INVITED)
"""How the seat stands of somebody who sits at a table, or whom one seat waits for."""
WEEK = timedelta(days=7)
SOONEST = timedelta(minutes=10)
LONGEST = timedelta(days=84)
"""How long after its opening a table can wait for people."""


class Terms(Value):
    """``seats``: how many anybody can take. What is left at ``fill_at`` is dealt with as ``if_free`` says."""

    seats: int
    fill_at: datetime
    if_free: SeatsLeft = SeatsLeft.ROBOTS
    languages: tuple[str, ...] = ("en",)
    experience: str = "any"
    programs: bool = False
    """Whether programs may take these seats."""
    listed: bool = True
    """In the list of open tables; otherwise only those can join who have the link."""


def problems(terms: Terms, opened_at: datetime, now: datetime) -> list[Problem]:
    found = []
    if terms.seats < 1:
        found.append(Problem("seats", say("At least one seat must be free for others.")))
    if not now + SOONEST <= terms.fill_at:
        found.append(Problem("fill_at", say("Choose a time that is at least 10 minutes from now.")))
    elif terms.fill_at > opened_at + LONGEST:
        found.append(Problem("fill_at", say("A table can wait for people for at most 12 weeks.")))
    if not terms.languages or not set(terms.languages) <= set(LANGUAGES):
        found.append(Problem("languages", say("Choose at least one language of the list.")))
    if terms.experience not in EXPERIENCE:
        found.append(Problem("experience", say("Choose what you expect of those who join.")))
    return found


def of(session: Session, game_id: str) -> OpenTable | None:
    """The open table of a game, if it has not started and anybody can join it."""
    return session.get(OpenTable, game_id)


def finished_games(session: Session, account_id: int) -> int:
    """How many games somebody has played here to their end, as pages of tables count them."""
    played = select(func.count()).select_from(Seat).join(Game, Game.id == Seat.game_id)
    return session.scalars(played.where(Seat.account_id == account_id, Game.status == GameStatus.OVER)).one()


def too_new(experience: str, finished: int) -> Say | None:
    """Why somebody who has finished so many games is not one of those whom a table expects; ``None``: they are."""
    least = LEAST_GAMES.get(experience, 0)
    if finished >= least:
        return None
    return count_say(
        "To sit here you must have finished {least} games. You have finished {finished}, so {n} is missing.",
        "To sit here you must have finished {least} games. You have finished {finished}, so {n} are missing.",
        least - finished,
        least=least,
        finished=finished,
    )


def write(office: Office, work: GameWork, terms: Terms) -> None:
    """Open the game of ``work`` with these terms, or change those it has; the link stays."""
    row = of(work.session, work.game.id)
    if row is None:
        row = OpenTable(game_id=work.game.id, link_key=office.secret(9))
        work.session.add(row)
    row.listed, row.experience = terms.listed, terms.experience
    row.languages = ",".join(code for code in LANGUAGES if code in terms.languages)
    row.fill_at, row.if_free = terms.fill_at, terms.if_free
    work.session.flush()


def close(work: GameWork) -> None:
    work.session.execute(delete(OpenTable).where(OpenTable.game_id == work.game.id))
