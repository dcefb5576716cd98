"""The letter that opens a turn: it asks everybody for all that can be planned, instead of one letter for each question.

While a seat has not answered it, the questions it covers are not asked in letters of their own; reminders tell what
is due. Whatever the seat submits in the turn counts as an answer, and what it left out is asked as usual.
"""

from datetime import datetime, timedelta

from sqlalchemy import func, select

from pbem.engine import replace
from pbem.engine.standing_orders import phase_of
from pbem.service.base import GameWork, Office
from pbem.service.letters import outbox
from pbem.service.letters.kinds.questions import Planning, YourTurn
from pbem.service.turns import standing_orders
from pbem.store.statuses import GameStatus, Sending
from pbem.store.tables import Game, Letter, Seat, Submission


def open_turn(work: GameWork, wait: timedelta = timedelta(0)) -> None:
    """A turn has begun: write its planning letters, if the game has them."""
    if not work.game.planning:
        return
    last = work.session.scalar(select(func.max(Submission.id)).where(Submission.game_id == work.game.id)) or 0
    for seat in work.seats:
        phases, reader = open_phases(work, seat.colour), seat.account_id
        if phases and reader is not None and not outbox.stopped(work.session, reader, work.game.id, Planning.kind):
            order = list(dict.fromkeys([work.game.phase, *map(phase_of, work.sheet.moments(work.state, seat.colour))]))
            asked = Planning(work.game.turn, last, tuple(phases), tuple(order[: max(map(order.index, phases)) + 1]))
            work.write_to(seat, asked, _key(work.game, seat), wait=wait)


def open_phases(work: GameWork, seat: str) -> list[str]:
    plan = work.sheet.turn_plan(work.state, seat) if seat else None
    if plan is None:
        return []
    covered = set(map(phase_of, standing_orders.covered(work, seat)))
    return [part.moment for part in plan.parts if part.moment not in covered]


def covers(work: GameWork, seat: Seat) -> bool:
    """Whether what the seat is asked now has been asked by a planning letter that is still open."""
    if not work.game.planning:
        return False
    letter = _letter(work, seat)
    sent = letter is not None and letter.status in (Sending.WAITING, Sending.SENT)
    if letter is None or not sent:
        return False
    asked = Planning.read(letter.data)
    return work.game.phase in asked.phases and asked.still_asks(work.session, work.game, letter)


def step_by_step(office: Office, game_id: str, colour: str, now: datetime) -> None:
    with office.game(game_id, now) as work:
        seat = work.seat(colour)
        letter = _letter(work, seat)
        if letter is None or Planning.read(letter.data).answered:
            return
        letter.data = replace(Planning.read(letter.data), answered=True).stored()
        if work.game.status == GameStatus.RUNNING and work.game.to_act == colour:
            work.write_to(seat, YourTurn(), f"your-turn:{work.game.id}:{work.game.version}")


def _letter(work: GameWork, seat: Seat) -> Letter | None:
    """The planning letter of this turn; it may have been written just now."""
    outbox.finish(work)
    return work.session.scalar(select(Letter).where(Letter.key == _key(work.game, seat)))


def _key(game: Game, seat: Seat) -> str:
    return f"planning:{game.id}:{game.turn}:{seat.number}"
