"""Taking back: a submission that nobody has been told of, or that all others agree to undo.

Nothing is deleted. Taking back is an entry of the log with a number of its own, so that positions go on counting
and links to the withdrawn one are stale; the entry that was taken back keeps its row and knows by which one. A
record holds neither of the two. While the game runs, others see that something was taken back, not what
(:mod:`pbem.service.games.logs`).

Orders that rolled a die, drew a cube or showed a hidden piece stand, whoever agrees: the dice of a game follow
from its seed and the place in it, so that what was seen would be known the second time.

Who plays against robots alone goes back to the own last decision, whatever robots have answered; the game then counts
for no rating.
"""

from datetime import datetime, timedelta

from sqlalchemy import Select, select, update
from sqlalchemy.orm import undefer
from typing_extensions import override

from pbem.engine import Say, Step, Value, Who, say, to_reader
from pbem.engine.events import Event
from pbem.service.base import GameReader, GameWork, NotNow, Office, Work
from pbem.service.clocks import game_clock
from pbem.service.letters.kinds.orders import TakenBack
from pbem.service.turns import audit_log, progress
from pbem.store.statuses import NOTES, GameStatus, MoveCause, StandingOrderStatus, SubmissionStatus
from pbem.store.tables import Letter, Move, Seat, StandingOrderRow, Submission
from pbem.views.people import BackView

SHOWN = 200
"""Characters of taken back orders in a sentence."""


class TookBack(Event):
    seat: str
    orders: str

    @override
    def text(self) -> Say:
        return say("{player} took back “{orders}”", player=Who(self.seat), orders=self.orders)


to_reader("{player} took back “{orders}”", player="You took back “{orders}”")


class Sent(Value):
    """Orders that came in together and have been played, as the moves they were; those of robots that have ``answered``
    them since."""

    moves: tuple[Move, ...]
    submission: Submission | None
    answered: tuple[Move, ...] = ()

    @property
    def orders(self) -> str:
        return "\n".join(move.orders for move in self.moves)

    @property
    def first(self) -> Move:
        return self.moves[0]


def take_back(office: Office, game_id: str, number: int, now: datetime, *, only: int | None = None) -> int:
    """Take back the last orders of a seat in their grace time; returns the number of the new entry.

    ``only``: if they began with the move of this number. Raises :class:`NotNow` when they stand, or need the
    consent of the others.
    """
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        sent = takeable(work, seat, only=only)
        if not is_alone(work, seat) and (work.game.grace_until is None or now >= work.game.grace_until):
            raise NotNow(say("The next player has been told, so all others have to agree. You can ask them."))
        undo(work, seat, sent)
        return work.game.version


def may_take_back(look: GameReader, seat: Seat) -> BackView | None:
    """What the player of a seat could take back now, alone or with consent; ``None`` when it is nothing."""
    game = look.game
    if game.status != GameStatus.RUNNING:
        return None
    sent = _last_sent(look, seat)
    if sent.first.seat != seat.colour or sent.first.cause != MoveCause.PLAYER:
        return None
    if is_alone(look, seat):
        return BackView(sent.first.number, sent.orders, None, _stands(sent), alone=True)
    until = game.grace_until if game.grace_until is not None and look.now < game.grace_until else None
    return BackView(sent.first.number, sent.orders, until, _stands(sent))


def is_alone(look: GameReader, seat: Seat) -> bool:
    """Whether nobody but robots plays against the player of a seat."""
    return all(other.account_id in (None, seat.account_id) for other in look.seats)


def undo(work: GameWork, seat: Seat, sent: Sent, agreed: int = 0) -> None:
    """Go back to the position before orders that are the last that count."""
    sheet = work.sheet
    before = work.session.scalars(
        select(Move)
        .where(Move.game_id == work.game.id, Move.number == sent.first.number - 1)
        .options(undefer(Move.state))
    ).one()
    state = sheet.decode(before.state)
    withdrawn, asked = work.game.version, work.game.to_act
    work.game.version, work.game.standing_order_at = work.game.version + 1, None
    for move in sent.moves + sent.answered:
        move.taken_back_by = work.game.version
    for submission in _submissions(work, sent):
        submission.status = SubmissionStatus.TAKEN_BACK
        _cancel_standing_orders(work, submission)
    orders = short(sent.orders)
    entry = progress.Entry(seat.colour, "", MoveCause.TAKEN_BACK, sheet.turn(state), sheet.phase(state))
    progress.add(work, entry, Step(state, (TookBack(seat.colour, orders),)), ())
    audit_log.write(work, "took-back", seat=seat, orders=orders, agreed=agreed)
    if asked != seat.colour:
        _withdraw_question(work, seat, asked, withdrawn)
    work.session.flush()
    _ask_again(work, seat, sent.first, at_once=agreed > 0)


def short(orders: str) -> str:
    line = "; ".join(orders.splitlines())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…"


def _ask_again(work: GameWork, seat: Seat, move: Move, at_once: bool) -> None:
    """Ask the sender what was asked before, with the time that was left then; the page has told it already."""
    wait = timedelta(0) if at_once else timedelta(seconds=work.game.grace_seconds)
    if move.reserve_seconds is not None:
        seat.reserve_seconds = move.reserve_seconds
    progress.ask(work, seat.colour, wait=wait)
    game_clock.run(work, move.spent_seconds or 0)
    work.game.grace_until = _grace_of_earlier(work, seat)


def _grace_of_earlier(work: GameWork, seat: Seat) -> datetime | None:
    """Orders of the same seat before those that were taken back may still be in their own grace time."""
    sent = _last_sent(work, seat)
    if sent.first.seat != seat.colour or sent.first.cause != MoveCause.PLAYER or _stands(sent) is not None:
        return None
    until = sent.moves[-1].at + timedelta(seconds=work.game.grace_seconds)
    return until if work.now < until else None


def _withdraw_question(work: GameWork, sender: Seat, colour: str, version: int) -> None:
    """Tell the player who was asked, if a letter has gone out; one that has not is withdrawn by itself."""
    asked = work.seat(colour)
    if asked.account_id is None:
        return
    told = select(Letter.sent_at).where(
        Letter.game_id == work.game.id,
        Letter.account_id == asked.account_id,
        Letter.version == version,
        Letter.sent_at.is_not(None),
    )
    at = work.session.scalar(told.order_by(Letter.id))
    if at is not None:
        key = f"taken-back:{work.game.id}:{work.game.version}"
        work.write_to(asked, TakenBack(sender.name, at), key)


def _cancel_standing_orders(work: Work, submission: Submission) -> None:
    """What was ordered ahead together with them is taken back with them."""
    work.session.execute(
        update(StandingOrderRow)
        .where(StandingOrderRow.submission_id == submission.id, StandingOrderRow.status == StandingOrderStatus.WAITING)
        .values(status=StandingOrderStatus.CANCELLED, done_at=work.now)
    )


def takeable(work: GameWork, seat: Seat, *, only: int | None = None) -> Sent:
    """The last orders of the seat, if they can be taken back at all. ``only``: if they began with this move.

    Raises :class:`NotNow`.
    """
    if work.game.status != GameStatus.RUNNING:
        raise NotNow(say("The game is not running, so you cannot take anything back."))
    sent = _last_sent(work, seat)
    if sent.first.cause == MoveCause.STANDING_ORDER:
        raise NotNow(say("A standing order has been played since, so you can no longer take this back."))
    if sent.first.seat != seat.colour or sent.first.cause != MoveCause.PLAYER:
        raise NotNow(say("The last orders of the game are not yours, so you cannot take them back."))
    if (why := _stands(sent)) is not None:
        raise NotNow(why)
    if not is_alone(work, seat) and _is_answered(work, seat):
        raise NotNow(say("The next player has already answered, so you can no longer take this back."))
    if only is not None and sent.first.number != only:
        raise NotNow(say("The game has moved on, so you can no longer take this back."))
    return sent


def _is_answered(work: GameWork, seat: Seat) -> bool:
    waiting = select(Submission.id).where(
        Submission.game_id == work.game.id,
        Submission.status == SubmissionStatus.WAITING,
        Submission.seat != seat.colour,
    )
    return work.session.scalar(waiting) is not None


def _stands(sent: Sent) -> Say | None:
    """Why these orders cannot be taken back, whoever agrees."""
    moves = sent.moves + sent.answered
    if any(move.chance for move in moves):
        return say("A die was rolled or a piece was drawn after these orders, so you cannot take them back.")
    if any("only" in event for move in moves for event in move.events):
        return say("These orders revealed hidden information, so you cannot take them back.")
    return None


def _last_sent(look: GameReader, seat: Seat) -> Sent:
    """The own orders that came in together with the last entry that counts, or that entry alone; against robots alone
    those before what they have answered."""
    last, *answered = _last_decision(look, seat)
    own = last.seat == seat.colour and last.cause == MoveCause.PLAYER
    submission = _submission_of(look, last) if own else None
    if submission is None or submission.move_number in (None, last.number):
        return Sent((last,), submission, tuple(answered))
    moves = _counting().where(Move.game_id == look.game.id, Move.number.between(submission.move_number, last.number))
    return Sent(tuple(look.session.scalars(moves)), submission, tuple(answered))


def _last_decision(look: GameReader, seat: Seat) -> list[Move]:
    """The last entry that counts; against robots alone the last of another cause than a robot, and theirs after it."""
    counts = _counting().where(Move.game_id == look.game.id)
    latest = counts.order_by(None).order_by(Move.number.desc()).limit(1)
    if not is_alone(look, seat):
        return [look.session.scalars(latest).one()]
    last = look.session.scalars(latest.where(Move.cause != MoveCause.ROBOT)).one()
    return [last, *look.session.scalars(counts.where(Move.number > last.number))]


def _counting() -> Select[Move]:
    """Entries that count in their order: no notes, nothing that was taken back; the first is the deal."""
    return select(Move).where(Move.taken_back_by.is_(None), Move.cause.not_in(NOTES)).order_by(Move.number)


def _submission_of(look: GameReader, move: Move) -> Submission | None:
    """What a move came in with."""
    return look.session.scalar(
        select(Submission)
        .where(
            Submission.game_id == look.game.id,
            Submission.status == SubmissionStatus.PLAYED,
            Submission.move_number <= move.number,
            Submission.move_number + Submission.moves > move.number,
        )
        .order_by(Submission.id)
    )


def _submissions(look: GameReader, sent: Sent) -> list[Submission]:
    """What was sent, and what robots have answered."""
    own = [] if sent.submission is None else [sent.submission]
    if not sent.answered:
        return own
    answers = select(Submission).where(
        Submission.game_id == look.game.id,
        Submission.status == SubmissionStatus.PLAYED,
        Submission.move_number.in_([move.number for move in sent.answered]),
    )
    return [*own, *look.session.scalars(answers)]
