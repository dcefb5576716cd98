"""Seats that change hands: leaving one free, offering it, taking it. Who leaves and why is in ``departures``.

The rules know nothing of it. A seat that nobody holds is played by the caretaker. Links of an earlier holder are
void: the seat counts its holders, and where the seat is just asked the log gets an entry, so that the question has
a new number.
"""

from datetime import datetime, timedelta
from itertools import chain

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import aliased
from typing_extensions import override

from pbem.engine import Say, Step, say
from pbem.engine.events import Event
from pbem.robot import opponents
from pbem.service.base import GameReader, GameWork, NewLetter, NoSuch, NotNow, Office, merged, queries, rate_limits
from pbem.service.base.numbers import NUMBERS
from pbem.service.clocks import game_clock
from pbem.service.games import ballots, ending
from pbem.service.games.opening import name_for
from pbem.service.letters import webhook_messages
from pbem.service.letters.kinds.seats import Removed, Resigned, SeatTaken, SubstituteWanted
from pbem.service.people import blocks, programs
from pbem.service.turns import audit_log, progress, stuck
from pbem.store.statuses import GameStatus, MoveCause, SeatStatus, StandingOrderStatus
from pbem.store.tables import Account, Game, Move, Offer, Seat, StandingOrderRow

VANISHED = timedelta(days=7)
"""How long answers must have been missing before a player can be removed."""
FORSAKEN = timedelta(days=28)
"""How long the answers of all must have been missing before a game is closed."""
MISSED = (MoveCause.DEADLINE, MoveCause.CARETAKER)
"""Causes of orders that were played for somebody who did not answer."""
ANSWERED = (MoveCause.PLAYER, MoveCause.ROBOT)
"""Causes of orders that who has the seat has sent."""
WRITTEN_TO = 20
"""How many of those who want to be asked get a letter about a free seat."""


class ChangedHands(Event):
    """The seat that is asked is somebody else's now; ``name`` is empty when it is free."""

    seat: str
    name: str
    before: str

    @override
    def text(self) -> Say:
        if not self.name:
            return say("the seat of {before} is free; a caretaker plays it", before=self.before)
        return say("{name} took the seat of {before}", name=self.name, before=self.before)


def offer_seat(work: GameWork, seat: Seat) -> bool:
    """Offer the seat that is asked to a substitute, and wait for one as long as for an answer.

    For the clock, when the time of a player is over and the host chose this: the player keeps the seat until somebody
    takes it or answers. Returns whether the game waits now; ``False`` when it has waited before and nobody came.
    The caller tells those who play, and a host among them with the offer.
    """
    if open_offer(work, seat) is not None:
        return False
    audit_log.write(work, "offered", other=seat.name)
    _offer(work, seat)
    seat.reserve_seconds = 0
    game_clock.run(work)
    return True


def answered(work: GameWork, colour: str) -> None:
    """A player whose seat was offered has answered: the offer is withdrawn."""
    seat, offered = work.seat(colour), work.game.time_control.at_zero == "substitute"
    if offered and seat.account_id is not None and (offer := open_offer(work, seat)) is not None:
        offer.closed_at = work.now


def ask_somebody(office: Office, game_id: str, asker_id: int, number: int, address: str, now: datetime) -> None:
    """Send the offer of a seat to an address; the host and everybody who plays may.

    Raises ``BadInput``, ``NotNow``, ``TooMuch``.
    """
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        asker = work.seat_of(asker_id)
        if asker is None and work.game.host_id != asker_id:
            raise NotNow(say("Only players of this game can ask somebody to join."))
        offer = open_offer(work, seat)
        if offer is None:
            raise NotNow(say("This seat is not free."))
        rate_limits.use(office, work.session, rate_limits.INVITATIONS, asker_id, now)
        guest = blocks.account_to_invite(work.session, asker_id, address, now)
        account = work.session.get_one(Account, asker_id)
        key = f"substitute-wanted:{offer.id}:{guest.id}"
        work.write(NewLetter(SubstituteWanted(offer.id), key, guest.id, game=work.game))
        audit_log.write(work, "asked-substitute", seat=asker, account=account, other=seat.name)


def take(office: Office, offer_id: int, account_id: int, now: datetime) -> str:
    """Take a seat that is free; returns the id of the game. Raises :class:`NoSuch` and :class:`NotNow`."""
    with office.work(now) as begun:
        offer = begun.session.get(Offer, offer_id) if offer_id in NUMBERS else None
        if offer is None:
            raise NoSuch(f"There is no offer {offer_id}.")
        work = begun.lock(offer.game_id)
        work.session.refresh(offer)
        if offer.closed_at is not None:
            raise NotNow(say("This seat is no longer free."))
        runs(work.game)
        account_id = merged.number_now(work.session, account_id)
        account = work.session.get(Account, account_id)
        if account is None or account.deleted_at is not None:
            raise NotNow(say("The account that this was sent to has been deleted. Log in to take the seat."))
        if work.seat_of(account_id) is not None:
            raise NotNow(say("You already have a seat in this game."))
        programs.may_sit(work.game, account)
        if blocks.between(work.session, account_id, [seat.account_id for seat in work.seats]):
            raise NotNow(say("You cannot take this seat."))
        _sit_down(work, offer, account)
        return work.game.id


def hand_over(office: Office, game_id: str, host_id: int, number: int, now: datetime) -> None:
    """The host makes another player the host. Raises :class:`NotNow`."""
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        work.host(host_id)
        if seat.account_id is None or seat.status != SeatStatus.ACCEPTED:
            raise NotNow(say("Nobody has this seat."))
        if seat.account_id != work.game.host_id:
            work.game.host_id = seat.account_id
            webhook_messages.host_changed(work)
            audit_log.write(work, "hosts", seat=seat)


def handed_on(office: Office, game_id: str, number: int, version: int) -> bool:
    """Whether somebody else has the seat than when position ``version`` was reached, or nobody."""
    with office.read() as session:
        if queries.numbered(session, game_id, number).account_id is None:
            return True
        asked = select(Move.at).where(Move.game_id == game_id, Move.number == version).scalar_subquery()
        taken = select(Offer.id).where(
            Offer.game_id == game_id, Offer.seat_number == number, Offer.taken_by.is_not(None), Offer.closed_at > asked
        )
        return session.scalar(taken.limit(1)) is not None


_OWN = aliased(Move)
_ANSWERED = select(_OWN.number).where(
    _OWN.game_id == Move.game_id,
    _OWN.seat == Move.seat,
    _OWN.number > Move.number,
    _OWN.taken_back_by.is_(None),
    _OWN.cause.in_(ANSWERED),
)
_MISSED = (
    select(Move.seat, func.min(Move.at))
    .where(Move.game_id == bindparam("game"), Move.taken_back_by.is_(None), Move.cause.in_(MISSED), ~_ANSWERED.exists())
    .group_by(Move.seat)
)
"""By colour, since when orders have been played for a seat after its last own answer."""


def missing_since(look: GameReader, seat: Seat) -> datetime | None:
    """Since when orders have been played for a seat because its player did not answer; ``None`` when there are none."""
    return missing(look).get(seat.colour)


def missing(look: GameReader) -> dict[str, datetime]:
    """The same for every seat for which there are such orders, by colour."""
    return {row[0]: row[1] for row in look.session.execute(_MISSED, {"game": look.game.id})}


def is_forsaken(look: GameReader, seat: Seat) -> bool:
    """Whether nobody plays any more; the seat that asks has just been played for.

    Some games would never end: nobody of Steam Power goes bankrupt by doing nothing.
    """
    others = (other for other in ballots.people(look) if other.number != seat.number)
    return all(
        since is not None and look.now >= since + FORSAKEN
        for since in (missing_since(look, one) for one in chain((seat,), others))
    )


def runs(game: Game) -> None:
    """Raises :class:`NotNow` unless the game is running."""
    if game.status != GameStatus.RUNNING:
        raise NotNow(say("You can do this only while the game is running."))


def has_vanished(look: GameReader, seat: Seat) -> bool:
    """Whether the answers of somebody who has the seat have been missing long enough."""
    since = missing_since(look, seat)
    return seat.account_id is not None and since is not None and look.now >= since + VANISHED


def removable(look: GameReader, seat: Seat) -> None:
    """Raises :class:`NotNow` with what is missing for a player to be removed."""
    runs(look.game)
    if seat.robot:
        raise NotNow(say("A robot has this seat."))
    if seat.account_id is None:
        raise NotNow(say("Nobody has this seat."))
    if not has_vanished(look, seat):
        raise NotNow(say("You can remove a player only after {n} days without an answer.", n=VANISHED.days))


def vacate(work: GameWork, seat: Seat, how: str) -> None:
    """Nobody holds the seat any more; the caretaker plays it until somebody takes it. ``how``: resigned removed."""
    left, former = seat.name, seat.account_id
    if how == "removed":
        audit_log.write(work, "unseated", seat=seat)
    seat.account_id, seat.status, seat.caretaker_since = None, SeatStatus.VACANT, work.now
    seat.holder += 1
    _cancel_orders(work, seat)
    work.session.flush()
    if how == "removed" and former is not None:
        key = f"removed:{work.game.id}:{seat.number}:{seat.holder}"
        work.write(NewLetter(Removed(left, "removed"), key, former, game=work.game))
    _pass_on_host(work, former)
    if all(other.account_id is None for other in work.seats):
        audit_log.write(work, "deserted")
        ending.close(work)
        return
    _tell_of_leaving(work, seat, left, how)
    if work.game.to_act == seat.colour:
        _new_question(work, seat, ChangedHands(seat.colour, "", left))
    if open_offer(work, seat) is None:
        _offer(work, seat)


def _sit_down(work: GameWork, offer: Offer, account: Account) -> None:
    seat = work.numbered(offer.seat_number)
    left, former = seat.name, seat.account_id
    offer.closed_at, offer.taken_by = work.now, account.id
    if former is not None:
        audit_log.write(work, "unseated", seat=seat)
        key = f"removed:{work.game.id}:{seat.number}:{seat.holder}"
        work.write(NewLetter(Removed(left, "replaced"), key, former, game=work.game))
        _cancel_orders(work, seat)
    seat.account_id, seat.name, seat.status = account.id, name_for(work, seat, account.name), SeatStatus.ACCEPTED
    seat.caretaker_since, seat.answered_at, seat.talk_read = None, work.now, 0
    seat.holder += 1
    work.session.flush()
    _pass_on_host(work, former)
    audit_log.write(
        work, "took-seat", seat=seat, other=left, colour=seat.colour, entry=work.game.version, turn=work.game.turn
    )
    key = f"seat-taken:{work.game.id}:{seat.number}:{seat.holder}"
    work.write_to(seat, SeatTaken(left), key)
    if work.game.to_act == seat.colour:
        _new_question(work, seat, ChangedHands(seat.colour, seat.name, left))


def give(work: GameWork, seat: Seat, account: Account) -> None:
    """A seat that nobody has goes to somebody who waits for one."""
    if open_offer(work, seat) is None:
        _offer(work, seat)
    offer = open_offer(work, seat)
    assert offer is not None
    _sit_down(work, offer, account)


def robot_sits_down(work: GameWork, seat: Seat, character: str) -> None:
    """A robot takes a seat that nobody has; who was asked to take it is told that it is no longer free."""
    left = seat.name
    if (offer := open_offer(work, seat)) is not None:
        offer.closed_at = work.now
    seat.robot, seat.name = character, name_for(work, seat, opponents.every()[character].name)
    seat.status, seat.caretaker_since = SeatStatus.ACCEPTED, None
    seat.holder += 1
    work.session.flush()
    audit_log.write(
        work, "took-seat", seat=seat, other=left, colour=seat.colour, entry=work.game.version, turn=work.game.turn
    )
    if work.game.to_act == seat.colour:
        _new_question(work, seat, ChangedHands(seat.colour, seat.name, left))


def _new_question(work: GameWork, seat: Seat, event: Event) -> None:
    """The same position with a new number, so that links to the question as it was asked before are stale."""
    sheet, state = work.sheet, work.state
    work.game.version += 1
    entry = progress.Entry(seat.colour, "", MoveCause.SEAT, sheet.turn(state), sheet.phase(state))
    progress.add(work, entry, Step(state, (event,)), ())
    work.game.grace_until = work.game.standing_order_at = None
    progress.ask(work, seat.colour)


def _offer(work: GameWork, seat: Seat) -> None:
    """Put the seat up, and write to the host, unless he is told as a player, and to those who want to be asked."""
    until = work.now + work.game.time_control.turn
    offer = Offer(game_id=work.game.id, seat_number=seat.number, since=work.now, waits_until=until)
    work.session.add(offer)
    work.session.flush()
    seated = {other.account_id for other in work.seats}
    wanted = select(Account.id).where(Account.substitute.is_(True)).order_by(Account.id.desc()).limit(5 * WRITTEN_TO)
    standby = [] if work.game.unlisted else [number for number in work.session.scalars(wanted) if number not in seated]
    free = [number for number in standby if not blocks.between(work.session, number, list(seated))]
    told = seat.account_id is not None and work.game.host_id in seated
    host = [] if work.game.host_id is None or told else [work.game.host_id]
    for number in dict.fromkeys([*host, *free[:WRITTEN_TO]]):
        key = f"substitute-wanted:{offer.id}:{number}"
        work.write(NewLetter(SubstituteWanted(offer.id), key, number, game=work.game))


def open_offer(look: GameReader, seat: Seat) -> Offer | None:
    return look.session.scalar(
        select(Offer).where(Offer.game_id == look.game.id, Offer.seat_number == seat.number, Offer.closed_at.is_(None))
    )


def _cancel_orders(work: GameWork, seat: Seat) -> None:
    """What somebody planned is not for whoever comes after."""
    stuck.leave(work, seat)
    work.session.execute(
        update(StandingOrderRow)
        .where(
            StandingOrderRow.game_id == work.game.id,
            StandingOrderRow.seat == seat.colour,
            StandingOrderRow.status == StandingOrderStatus.WAITING,
        )
        .values(status=StandingOrderStatus.CANCELLED, done_at=work.now)
    )


def _pass_on_host(work: GameWork, former: int | None) -> None:
    """A host who leaves is followed by the first who still plays."""
    if former is None or work.game.host_id != former:
        return
    heir = next((seat for seat in work.seats if seat.account_id is not None), None)
    work.game.host_id = None if heir is None else heir.account_id
    webhook_messages.host_changed(work)
    if heir is not None:
        audit_log.write(work, "hosts", seat=heir)


def _tell_of_leaving(work: GameWork, seat: Seat, left: str, how: str) -> None:
    for other in work.seats:
        key = f"resigned:{work.game.id}:{seat.number}:{seat.holder}:{other.number}"
        work.write_to(other, Resigned(left, how), key)
