"""What a host does about invitations that nobody has accepted: remind, invite somebody else, withdraw."""

from datetime import datetime

from pbem.engine import say
from pbem.service.base import BadInput, GameWork, NewLetter, NotNow, Office, Problem, rate_limits, validation
from pbem.service.games import companions, opening
from pbem.service.letters.kinds.games import Invitation
from pbem.service.people import blocks
from pbem.service.people.accounts import called
from pbem.service.turns import audit_log
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.store.tables import Account, Seat

FREE = (SeatStatus.INVITED, SeatStatus.DECLINED, SeatStatus.VACANT)
"""How a seat stands that somebody else can be invited to."""


def remind(office: Office, game_id: str, host_id: int, number: int, now: datetime) -> None:
    """Send an invitation once more; once a day to each. Raises :class:`NotNow` and :class:`rate_limits.TooMuch`."""
    with office.game(game_id, now) as work:
        host, seat = _open(work, host_id, number)
        if seat.status != SeatStatus.INVITED or seat.account_id is None:
            raise NotNow(say("Nobody is invited to this seat."))
        rate_limits.use(office, work.session, rate_limits.REMINDED_INVITATION, f"{game_id}:{number}:{seat.holder}", now)
        rate_limits.use(office, work.session, rate_limits.INVITATIONS, host_id, now)
        _write(work, seat, f":{now.date().isoformat()}")
        audit_log.write(work, "reminds", seat=work.seat_of(host_id), account=host, other=seat.name)


def invite(office: Office, game_id: str, host_id: int, number: int, address: str, now: datetime) -> None:
    """Invite somebody to a seat that nobody has accepted; links of whoever was invited before no longer work.

    Raises ``BadInput`` for field ``address``, :class:`NotNow`, :class:`rate_limits.TooMuch`.
    """
    with office.game(game_id, now) as work:
        host, seat = _open(work, host_id, number)
        typed = validation.address(address)
        if (wrong := validation.unreachable(typed)) is not None:
            raise BadInput(Problem("address", wrong))
        rate_limits.use(office, work.session, rate_limits.INVITATIONS, host_id, now)
        guest = blocks.account_to_invite(work.session, host_id, typed, now)
        _give(work, (host, seat), guest, typed, called(typed))


def invite_companion(office: Office, game_id: str, host_id: int, number: int, account_id: int, now: datetime) -> None:
    """The same for somebody with whom the host plays or has played, by the name that the host knows."""
    with office.game(game_id, now) as work:
        host, seat = _open(work, host_id, number)
        name = next((one.name for one in companions.of(work.session, host_id) if one.account == account_id), None)
        if name is None:
            raise NotNow(companions.NOT_KNOWN)
        rate_limits.use(office, work.session, rate_limits.INVITATIONS, host_id, now)
        _give(work, (host, seat), work.session.get_one(Account, account_id), name, name)


def _give(work: GameWork, by: tuple[Account, Seat], guest: Account, typed: str, name: str) -> None:
    """Invite ``guest`` to a seat, by its host. ``typed``: what the host calls them; ``name``: what the seat does."""
    host, seat = by
    others = [other.account_id for other in work.seats if other.number != seat.number]
    if guest.id == seat.account_id or guest.id in others:
        raise NotNow(say("{address} is invited already, or plays.", address=typed))
    if blocks.between(work.session, guest.id, others):
        raise BadInput(Problem("address", blocks.cannot_invite(typed)))
    before = seat.name
    opening.free(work, seat)
    seat.account_id, seat.status = guest.id, SeatStatus.INVITED
    seat.name = opening.name_for(work, seat, guest.name if guest.program else name)
    work.session.flush()
    _write(work, seat, "")
    audit_log.write(
        work, "invites", seat=work.seat_of(host.id), account=host, other=seat.name, before=before or "nobody"
    )


def withdraw(office: Office, game_id: str, host_id: int, number: int, now: datetime) -> None:
    """Take an invitation back: its links no longer work, and the seat is free. Raises :class:`NotNow`."""
    with office.game(game_id, now) as work:
        host, seat = _open(work, host_id, number)
        if seat.status != SeatStatus.INVITED:
            raise NotNow(say("Nobody is invited to this seat."))
        before = seat.name
        opening.free(work, seat)
        audit_log.write(work, "uninvites", seat=work.seat_of(host_id), account=host, other=before)


def _open(work: GameWork, host_id: int, number: int) -> tuple[Account, Seat]:
    host = work.host(host_id)
    if work.game.status != GameStatus.OPEN:
        raise NotNow(say("This game has already started, or was cancelled."))
    seat = work.numbered(number)
    if seat.robot or seat.status not in FREE:
        raise NotNow(say("This seat is taken."))
    return host, seat


def _write(work: GameWork, seat: Seat, when: str) -> None:
    assert seat.account_id is not None
    key = f"invitation:{work.game.id}:{seat.number}:{seat.holder}{when}"
    work.write(NewLetter(Invitation(), key, seat.account_id, game=work.game, seat=seat))
