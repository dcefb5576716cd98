"""Reading: fills the values of :mod:`pbem.views.games` from the store, for pages and letters alike."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from pbem.engine import Say, Sheet, State, replace, say, say_from_json
from pbem.engine.events import Told, told
from pbem.language.voice import READER, spoken
from pbem.rails.scene import Scene
from pbem.robot import opponents
from pbem.service.base import NoSuch, Office, queries, validation
from pbem.service.base.queries import WHOLE_LOG, LogPart
from pbem.service.base.sentences import called
from pbem.service.clocks.clock_views import clock_views
from pbem.service.games import logs
from pbem.service.turns import clashes, standing_orders
from pbem.store.statuses import GameStatus, SubmissionStatus
from pbem.store.tables import Game, Move, Offer, Seat, Submission
from pbem.views.games import GameView, SeatView, StandingOrderView, SubmissionView

STATES = 48
"""States kept, some 100 KB each."""
TRIAL = say("A trial: nothing here is played")
"""What stands across pictures of a trial."""


def game(office: Office, game_id: str, at: int | None = None, viewer: str = "") -> GameView:
    """The game after move ``at`` (0 = the deal) or now. Raises :class:`NoSuch`.

    The log holds what everybody may read and, with ``viewer``, what is for the eyes of that seat.
    """
    with office.read() as session:
        return game_view(session, game_id, at, viewer)


def has_played(office: Office, account_id: int) -> bool:
    with office.read() as session:
        begun = select(Game.id).join(Seat, Seat.game_id == Game.id).where(Game.started_at.is_not(None))
        return session.scalar(begun.where(Seat.account_id == account_id).limit(1)) is not None


def stand(office: Office, game_id: str) -> str:
    """How a game stands, in a word that is another one once it has gone on. Raises :class:`NoSuch`."""
    with office.read() as session:
        row = queries.game(session, game_id)
        return f"{row.status}-{row.version}"


def latest(office: Office, game_id: str) -> int:
    """The number of the last move. Raises :class:`NoSuch`."""
    with office.read() as session:
        return queries.game(session, game_id).version


def game_view(
    session: Session, game_id: str, at: int | None = None, viewer: str = "", part: LogPart = WHOLE_LOG
) -> GameView:
    """The same inside a transaction; ``part``: what of the log it holds."""
    key = "game", game_id, at, viewer, part
    return queries.once(session, key, lambda: _game_view(session, game_id, at, viewer, part))


def _game_view(session: Session, game_id: str, at: int | None, viewer: str, part: LogPart) -> GameView:
    row = queries.game(session, game_id)
    dealt = row.started_at is not None
    if at is not None and not (dealt and 0 <= at <= row.version):
        raise NoSuch(f"Game {game_id} has no move {at}.")
    version = row.version if at is None else at
    sheet = queries.sheet(row)
    state = decoded(sheet, _stored(session, row, version)) if dealt else None
    running = row.status == GameStatus.RUNNING and version == row.version
    seats = queries.seats(session, game_id)
    return GameView(
        id=row.id,
        title=row.title,
        sheet=sheet,
        options=row.options,
        status=row.status,
        seats=seat_views(seats, row.host_id),
        version=version,
        state=state,
        turn_time=row.time_control.turn,
        opened_at=row.opened_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        robot_pause=timedelta(seconds=row.robot_seconds),
        commitment=row.commitment,
        seed=row.seed.hex() if row.status == GameStatus.OVER else "",
        log=logs.entries(session, row, version, viewer, part) if dealt else (),
        standings=sheet.standings(state) if row.status == GameStatus.OVER and version == row.version else (),
        latest=row.version,
        imported=row.imported is not None,
        grace=timedelta(seconds=row.grace_seconds),
        unlisted=row.unlisted,
        friendly=row.friendly or opponents.adapts(seat.robot for seat in seats),
        programs=row.programs,
        lesson=row.lesson,
        ended_early=row.ended_early,
        stops_at=row.stops_at,
        time_control=row.time_control,
        **(_waiting(session, row) if running else {}),
    )


def _waiting(session: Session, row: Game) -> dict[str, Any]:
    return {
        "waiting_for": row.to_act,
        "waiting_since": row.waiting_since,
        "deadline": row.deadline_at if row.robot_at is None else None,
        "grace_until": row.grace_until,
        "clocks": clock_views(session, row),
        "paused_at": row.paused_at,
        "paused_until": row.paused_until,
        "plays_at": row.standing_order_at,
        "seat_offered": row.time_control.at_zero == "substitute" and _offered(session, row),
    }


def _offered(session: Session, row: Game) -> bool:
    asked = select(Offer.id).join(Seat, (Seat.game_id == Offer.game_id) & (Seat.number == Offer.seat_number))
    here = Offer.game_id == row.id, Offer.closed_at.is_(None), Seat.colour == row.to_act
    return session.scalar(asked.where(*here).limit(1)) is not None


def scene(office: Office, view: GameView) -> Scene:
    """The picture of a position, with what its last move changed marked. The game must have started."""
    before: State = None
    if view.version > 0:
        with office.read() as session:
            before = state_at(session, view, view.version - 1)
    return scene_after(view, before)


def state_at(session: Session, view: GameView, number: int) -> State:
    """The position after move ``number``, which the game must have; while it runs, none that was taken back."""
    return decoded(view.sheet, _stored(session, queries.game(session, view.id), number))


def states(session: Session, view: GameView, numbers: Sequence[int]) -> Iterator[tuple[int, State]]:
    """The positions of a game that is over after these moves, read together."""
    found = select(Move.number, Move.state).where(Move.game_id == view.id)
    stored = {number: state for number, state in session.execute(found) if state}
    for number in numbers:
        yield number, view.sheet.decode(stored[number]) if number in stored else state_at(session, view, number)


def position_shown(office: Office, view: GameView) -> int:
    """After which move the position is that a view shows: another one where its own was taken back."""
    if view.version == view.latest:
        return view.version
    with office.read() as session:
        return logs.position_shown(session, queries.game(session, view.id), view.version)


def scene_after(view: GameView, before: State) -> Scene:
    """The same when the position before the last move is at hand (``None`` after the deal)."""
    last = view.log[-1].events if view.log else ()
    marks = None if before is None else view.sheet.marks(before, view.state, last)
    drawn: Scene = view.sheet.scene(view.state, subtitle=view.title, names=view.names, marks=marks, voice=READER)
    return marked(view, drawn)


def marked(view: GameView, scene: Scene) -> Scene:
    """The picture of a view, with what stands across that of a trial."""
    return scene if view.trial is None else replace(scene, trial=spoken(TRIAL))


def submission(office: Office, submission_id: int) -> SubmissionView:
    """What became of orders. Raises :class:`NoSuch`."""
    with office.read() as session:
        row = session.get(Submission, submission_id)
        if row is None:
            raise NoSuch(f"There is no submission {submission_id}.")
        events, later = _brought_about(session, row), standing_orders.of_submission(session, row.id)
        return SubmissionView(
            id=row.id,
            game=row.game_id,
            seat=row.seat,
            version=row.version,
            text=row.text,
            status=row.status,
            sentence=None if row.sentence is None else say_from_json(row.sentence),
            rule=row.rule,
            line=row.line,
            step=row.step,
            move=row.move_number,
            events=events,
            moves=row.moves,
            standing_orders=later,
            turn=_turn_of(session, row, later),
            clashes=clashes_of(session, row.id) if row.status == SubmissionStatus.PLAYED else (),
        )


def clashes_of(session: Session, submission_id: int) -> tuple[Say, ...]:
    """What the orders of a submission leave nothing to do of their owner's orders that wait, a sentence each."""
    row = session.get_one(Submission, submission_id)
    waiting = standing_orders.waiting_rows(session, row.game_id, row.seat)
    game = queries.game(session, row.game_id)
    if not waiting or game.status != GameStatus.RUNNING:
        return ()
    sheet, first = queries.sheet(game), row.move_number
    before, after = (game.version, game.version) if first is None else (first - 1, first + row.moves - 1)
    earlier, later = (decoded(sheet, _stored(session, game, version)) for version in (before, after))
    return clashes.found(sheet, earlier, later, row.seat, waiting)


def _turn_of(session: Session, row: Submission, later: Sequence[StandingOrderView]) -> int:
    """The turn of the game in which orders came: that of what they did, else of what was played next."""
    here = select(Move.turn).where(Move.game_id == row.game_id)
    if row.move_number is not None:
        return session.scalars(here.where(Move.number == row.move_number)).one()
    if named := [order.turn for order in later if order.turn]:
        return named[0]
    following = session.scalar(here.where(Move.at >= row.received_at, Move.number > 0).order_by(Move.number).limit(1))
    return queries.game(session, row.game_id).turn if following is None else following


def _brought_about(session: Session, row: Submission) -> tuple[Told, ...]:
    """What the orders of a submission brought about, as its sender may read it."""
    if row.move_number is None:
        return ()
    query = select(Move).where(Move.game_id == row.game_id, Move.number >= row.move_number).order_by(Move.number)
    moves = session.scalars(query.limit(row.moves))
    return tuple(event for move in moves for event in logs.readable(tuple(map(told, move.events)), row.seat))


def seat_of(office: Office, game_id: str, account_id: int) -> SeatView | None:
    with office.read() as session:
        row = queries.game(session, game_id)
        for seat in queries.seats(session, game_id):
            if seat.account_id == account_id:
                return seat_view(seat, row.host_id)
    return None


def seat_view(seat: Seat | Row[Any], host_id: int | None) -> SeatView:
    host = seat.account_id is not None and seat.account_id == host_id
    return SeatView(
        seat.number, seat.colour, called(seat.name), seat.status, host, seat.holder, seat.robot, seat.talk_read,
        validation.is_program(seat.name),
    )  # fmt: skip


def seat_views(seats: Sequence[Seat], host_id: int | None) -> tuple[SeatView, ...]:
    return tuple(seat_view(seat, host_id) for seat in seats)


def _stored(session: Session, row: Game, version: int) -> bytes:
    if version == row.version:
        return row.state
    return queries.once(session, ("stored", row.id, version), lambda: logs.state_shown(session, row, version))


@lru_cache(maxsize=STATES)
def decoded(sheet: Sheet, stored: bytes) -> State:
    """A stored state, which is immutable; those read last are kept, the same object for whoever reads it again."""
    return sheet.decode(stored)
