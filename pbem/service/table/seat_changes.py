"""Seats that change hands: leaving one free, offering it, taking it. Who leaves and why is in ``departures``.

The rules know nothing of it. A seat that nobody holds is played by the caretaker. Links of an earlier holder are
void: the seat counts its holders, and where the seat is just asked the log gets an entry, so that the question has
a new number.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session
from typing_extensions import override

from pbem.engine.events import Event
from pbem.engine.phase import Step
from pbem.engine.text import Say, say
from pbem.service.accounts import blocks
from pbem.service.base import queries, rate_limits, validation
from pbem.service.base.errors import NoSuch, NotNow
from pbem.service.base.numbers import NUMBERS
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint
from pbem.service.clocks import game_clock
from pbem.service.outbox import letters, webhook_messages
from pbem.service.table import ending
from pbem.service.turns import audit_log, ballots, progress, stuck
from pbem.store.tables import Account, Game, Move, Offer, Seat, StandingOrderRow

VANISHED = timedelta(days=7)
"""How long answers must have been missing before a player can be removed."""
FORSAKEN = timedelta(days=28)
"""How long the answers of all must have been missing before a game is closed."""
MISSED = ("deadline", "caretaker")
"""Causes of orders that were played because a player did not answer."""
WRITTEN_TO = 20
"""How many of those who want to be asked get a letter about a free seat."""


@dataclass(frozen=True, slots=True)
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


def offer_seat(session: Session, hints: list[Hint], game: Game, seat: Seat, now: datetime) -> bool:
    """Offer the seat that is asked to a substitute, and wait for one as long as for an answer.

    For the clock, when the time of a player is over and the host chose this: the player keeps the seat until somebody
    takes it or answers. Returns whether the game waits now; ``False`` when it has waited before and nobody came.
    The caller tells those who play, and a host among them with the offer.
    """
    if open_offer(session, game, seat) is not None:
        return False
    audit_log.write(session, game, "offered", now, other=seat.name)
    _offer(session, hints, game, seat, now)
    game.counted_from, game.spent_seconds = now, 0
    game_clock.set_anew(session, game)
    return True


def answered(session: Session, game: Game, colour: str, now: datetime) -> None:
    """A player whose seat was offered has answered: the offer is withdrawn."""
    seat = queries.seat(session, game.id, colour)
    if seat.account_id is not None and (offer := open_offer(session, game, seat)) is not None:
        offer.closed_at = now


def ask_somebody(office: Office, game_id: str, asker_id: int, number: int, address: str, now: datetime) -> None:
    """Send the offer of a seat to an address; the host and everybody who plays may.

    Raises ``BadInput``, ``NotNow``, ``TooMuch``.
    """
    with office.write() as (session, hints):
        game, seat = queries.locked(session, game_id), queries.numbered(session, game_id, number)
        asker = audit_log.seat_of(session, game, asker_id)
        if asker is None and game.host_id != asker_id:
            raise NotNow(say("Only those who play here can ask somebody to join."))
        offer = open_offer(session, game, seat)
        if offer is None:
            raise NotNow(say("This seat is not free."))
        rate_limits.use(office, session, rate_limits.INVITATIONS, asker_id, now)
        guest = blocks.account_to_invite(session, asker_id, address, now)
        account = session.get_one(Account, asker_id)
        key = f"substitute-wanted:{offer.id}:{guest.id}"
        letters.write(session, hints, "substitute-wanted", key, guest.id, now, game=game, data={"offer": offer.id})
        audit_log.write(session, game, "asked-substitute", now, seat=asker, account=account, other=seat.name)


def take(office: Office, offer_id: int, account_id: int, now: datetime) -> str:
    """Take a seat that is free; returns the id of the game. Raises :class:`NoSuch` and :class:`NotNow`."""
    with office.write() as (session, hints):
        offer = session.get(Offer, offer_id) if offer_id in NUMBERS else None
        if offer is None:
            raise NoSuch(f"There is no offer {offer_id}.")
        game = queries.locked(session, offer.game_id)
        session.refresh(offer)
        if offer.closed_at is not None:
            raise NotNow(say("This seat is not free any more."))
        runs(game)
        account = session.get(Account, account_id)
        if account is None or account.deleted_at is not None:
            raise NotNow(say("The account this was sent to is deleted; log in to take the seat."))
        if audit_log.seat_of(session, game, account_id) is not None:
            raise NotNow(say("You have a seat in this game already."))
        if blocks.between(session, account_id, [s.account_id for s in queries.seats(session, game.id)]):
            raise NotNow(say("You cannot take this seat."))
        _sit_down(session, hints, game, offer, account, now)
        return game.id


def hand_over(office: Office, game_id: str, host_id: int, number: int, now: datetime) -> None:
    """The host makes another player the host. Raises :class:`NotNow`."""
    with office.write() as (session, _):
        game, seat = queries.locked(session, game_id), queries.numbered(session, game_id, number)
        if game.host_id != host_id:
            raise NotNow(say("Only the host can do this."))
        if seat.account_id is None or seat.status != "accepted":
            raise NotNow(say("Nobody has this seat."))
        if seat.account_id != game.host_id:
            game.host_id = seat.account_id
            webhook_messages.host_changed(session, game)
            audit_log.write(session, game, "hosts", now, seat=seat)


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


def missing_since(session: Session, game: Game, seat: Seat) -> datetime | None:
    """Since when orders have been played for a seat because its player did not answer; ``None`` when there are none."""
    here = (Move.game_id == game.id, Move.seat == seat.colour, Move.taken_back_by.is_(None))
    own = session.scalar(select(func.max(Move.number)).where(*here, Move.cause == "player")) or 0
    return session.scalar(select(func.min(Move.at)).where(*here, Move.cause.in_(MISSED), Move.number > own))


def is_forsaken(session: Session, game: Game, seat: Seat, now: datetime) -> bool:
    """Whether nobody plays any more, this seat least of all: it has just been played for.

    Some games would never end: nobody of Steam Power goes bankrupt by doing nothing.
    """
    others = (other for other in ballots.people(session, game) if other.number != seat.number)
    return all(
        since is not None and now >= since + FORSAKEN
        for since in (missing_since(session, game, one) for one in chain((seat,), others))
    )


def runs(game: Game) -> None:
    """Raises :class:`NotNow` unless the game is being played."""
    if game.status != "running":
        raise NotNow(say("This can be done only while the game runs."))


def has_vanished(session: Session, game: Game, seat: Seat, now: datetime) -> bool:
    """Whether the answers of somebody who has the seat have been missing long enough."""
    since = missing_since(session, game, seat)
    return seat.account_id is not None and since is not None and now >= since + VANISHED


def removable(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """Raises :class:`NotNow` with what is missing for a player to be removed."""
    runs(game)
    if seat.account_id is None:
        raise NotNow(say("Nobody has this seat."))
    if not has_vanished(session, game, seat, now):
        raise NotNow(
            say("A player can be removed when answers have been missing for {n} days.", n=VANISHED.days),
        )


def vacate(session: Session, hints: list[Hint], game: Game, seat: Seat, how: str, now: datetime) -> None:
    """Nobody holds the seat any more; the caretaker plays it until somebody takes it. ``how``: resigned removed."""
    left, former = seat.name, seat.account_id
    seat.account_id, seat.status, seat.caretaker_since = None, "vacant", now
    seat.holder += 1
    _cancel_orders(session, game, seat, now)
    session.flush()
    if how == "removed" and former is not None:
        key = f"removed:{game.id}:{seat.number}:{seat.holder}"
        letters.write(session, hints, "removed", key, former, now, game=game, data={"person": left, "how": "removed"})
    _pass_on_host(session, game, former, now)
    if all(other.account_id is None for other in queries.seats(session, game.id)):
        audit_log.write(session, game, "deserted", now)
        ending.close(session, hints, game, now)
        return
    _tell_of_leaving(session, hints, game, seat, left, how, now)
    if game.to_act == seat.colour:
        _new_question(session, hints, game, seat, ChangedHands(seat.colour, "", left), now)
    if open_offer(session, game, seat) is None:
        _offer(session, hints, game, seat, now)


def _sit_down(session: Session, hints: list[Hint], game: Game, offer: Offer, account: Account, now: datetime) -> None:
    seat = queries.numbered(session, game.id, offer.seat_number)
    left, former = seat.name, seat.account_id
    taken = {other.name.casefold() for other in queries.seats(session, game.id) if other.number != seat.number}
    offer.closed_at, offer.taken_by = now, account.id
    if former is not None:
        key = f"removed:{game.id}:{seat.number}:{seat.holder}"
        letters.write(session, hints, "removed", key, former, now, game=game, data={"person": left, "how": "replaced"})
        _cancel_orders(session, game, seat, now)
    seat.account_id, seat.name, seat.status = account.id, validation.distinct(account.name, taken), "accepted"
    seat.caretaker_since = None
    seat.holder += 1
    session.flush()
    _pass_on_host(session, game, former, now)
    audit_log.write(
        session, game, "took-seat", now, seat=seat, other=left, colour=seat.colour, entry=game.version, turn=game.turn
    )
    key = f"seat-taken:{game.id}:{seat.number}:{seat.holder}"
    data = {"person": left}
    letters.write(
        session, hints, "seat-taken", key, account.id, now, game=game, seat=seat, version=game.version, data=data
    )
    if game.to_act == seat.colour:
        _new_question(session, hints, game, seat, ChangedHands(seat.colour, seat.name, left), now)


def _new_question(session: Session, hints: list[Hint], game: Game, seat: Seat, event: Event, now: datetime) -> None:
    """The same position with a new number, so that links to the question as it was asked before are stale."""
    sheet = queries.sheet(game)
    state = sheet.decode(game.state)
    game.version += 1
    entry = progress.Entry(seat.colour, "", "seat", sheet.turn(state), sheet.phase(state))
    progress.add(session, game, entry, Step(state, (event,)), (), now)
    game.grace_until = game.ahead_at = None
    progress.ask(session, hints, game, seat.colour, now)


def _offer(session: Session, hints: list[Hint], game: Game, seat: Seat, now: datetime) -> None:
    """Put the seat up, and write to the host, unless he is told as a player, and to those who want to be asked."""
    until = now + timedelta(seconds=game.turn_seconds)
    offer = Offer(game_id=game.id, seat_number=seat.number, since=now, waits_until=until)
    session.add(offer)
    session.flush()
    seated = {other.account_id for other in queries.seats(session, game.id)}
    wanted = select(Account.id).where(Account.substitute.is_(True)).order_by(Account.id.desc()).limit(5 * WRITTEN_TO)
    standby = [] if game.unlisted else [number for number in session.scalars(wanted) if number not in seated]
    free = [number for number in standby if not blocks.between(session, number, list(seated))]
    told = seat.account_id is not None and game.host_id in seated
    host = [] if game.host_id is None or told else [game.host_id]
    for number in dict.fromkeys([*host, *free[:WRITTEN_TO]]):
        key = f"substitute-wanted:{offer.id}:{number}"
        letters.write(session, hints, "substitute-wanted", key, number, now, game=game, data={"offer": offer.id})


def open_offer(session: Session, game: Game, seat: Seat) -> Offer | None:
    """The offer of a seat that nobody has taken yet."""
    return session.scalar(
        select(Offer).where(Offer.game_id == game.id, Offer.seat_number == seat.number, Offer.closed_at.is_(None))
    )


def _cancel_orders(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """What somebody planned is not for whoever comes after."""
    stuck.leave(session, game, seat, now)
    session.execute(
        update(StandingOrderRow)
        .where(
            StandingOrderRow.game_id == game.id,
            StandingOrderRow.seat == seat.colour,
            StandingOrderRow.status == "waiting",
        )
        .values(status="cancelled", done_at=now)
    )


def _pass_on_host(session: Session, game: Game, former: int | None, now: datetime) -> None:
    """A host who leaves is followed by the first who still plays."""
    if former is None or game.host_id != former:
        return
    heir = next((seat for seat in queries.seats(session, game.id) if seat.account_id is not None), None)
    game.host_id = None if heir is None else heir.account_id
    webhook_messages.host_changed(session, game)
    if heir is not None:
        audit_log.write(session, game, "hosts", now, seat=heir)


def _tell_of_leaving(
    session: Session, hints: list[Hint], game: Game, seat: Seat, left: str, how: str, now: datetime
) -> None:
    for other in queries.seats(session, game.id):
        if other.account_id is not None:
            key = f"resigned:{game.id}:{seat.number}:{seat.holder}:{other.number}"
            data = {"person": left, "how": how}
            letters.write(
                session, hints, "resigned", key, other.account_id, now,
                game=game, seat=other, version=game.version, data=data,
            )  # fmt: skip
