"""From an invitation to the deal: opening a game, answering, starting, cancelling."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, literal_column, select
from sqlalchemy.orm import Session

from pbem.engine import Sheet, catalog, replace, say
from pbem.engine.chance import DEAL, NotedChance, SeededChance, commitment
from pbem.language import current, reading
from pbem.robot import opponents
from pbem.service.base import (
    BadInput,
    GameWork,
    NewLetter,
    NoSuch,
    NotNow,
    Office,
    Problem,
    Work,
    queries,
    rate_limits,
    validation,
)
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import companions, table_news, terms
from pbem.service.games.new_games import Invited as Invited
from pbem.service.games.new_games import NewGame as NewGame
from pbem.service.games.new_games import checked
from pbem.service.letters.kinds.games import Cancelled, Declined, GameStarted, Invitation
from pbem.service.own_maps import versions
from pbem.service.people import blocks, programs
from pbem.service.people.accounts import account, called
from pbem.service.turns import audit_log, lessons, progress
from pbem.store.statuses import GameStatus, MoveCause, SeatStatus
from pbem.store.tables import Account, AuditEntry, Game, Seat
from pbem.store.time_controls import NO_LIMIT

ID_LETTERS = "23456789abcdefghijkmnpqrstuvwxyz"
ID_LENGTH = 7


def open_game(office: Office, host_id: int | None, new: NewGame, now: datetime) -> str:
    """Open a game, invite the players and return its id. Raises :class:`BadInput` with every problem at once.

    Without a host (the command line) everybody is invited, nobody can cancel and no limit holds; a host who has opened
    or invited too much today gets :class:`rate_limits.TooMuch`.
    """
    sheet = checked(new, host_id is not None and new.plays, now)
    if new.lesson:
        lessons.opening(new.lesson)  # played before anything is locked
    with office.work(now) as work:
        host = None if host_id is None else work.session.get(Account, host_id)
        if host is None and host_id is not None:
            raise NoSuch(f"There is no account {host_id}.")
        if new.rematch_of:
            queries.locked(work.session, new.rematch_of)  # of two who ask for it the first opens it
            if (again := rematch(work.session, new.rematch_of)) is not None:
                return again
        if host_id is not None:
            rate_limits.use(office, work.session, rate_limits.GAMES, host_id, now)
            rate_limits.use(office, work.session, rate_limits.INVITATIONS, host_id, now, len(new.players))
        opened = made(office, work, host, sheet, new)
        _invite(opened, host, new)
        if new.guest:
            add_seat(opened, 0, validation.one_line(new.guest))
        _seat_robots(opened, new)
        if new.open_to is not None:
            set_free_seats(opened, new.open_to.seats)
            terms.write(office, opened, new.open_to)
        _note_opened(opened, host)
        start_if_complete(opened)
        return opened.game.id


def open_agreed(office: Office, work: Work, new: NewGame) -> str:
    """Open and start a game of people who have agreed to play it, in a transaction that does more; returns its id.

    Nobody is its host, and nobody is asked. Raises :class:`BadInput`.
    """
    opened = made(office, work, None, checked(new, False, work.now), new)
    names: set[str] = set()
    for number, player in enumerate(new.players):
        row = _account(work, player)
        name = validation.distinct(player.name, names)
        add_seat(opened, number, name, row.id)
    _seat_robots(opened, new)
    _note_opened(opened, None)
    start_if_complete(opened)
    return opened.game.id


def made(office: Office, work: Work, host: Account | None, sheet: Sheet, new: NewGame) -> GameWork:
    if catalog.is_own(sheet.slug):
        versions.may_begin(office, work.session, sheet.slug)
    seed = new.seed or office.entropy(32)
    people = len(new.players) + (host is not None and new.plays) + (new.open_to.seats if new.open_to else 0)
    game = Game(
        id=_new_id(office, work.session),
        title=validation.one_line(new.title) or sheet.name,
        game=sheet.game,
        map=sheet.slug,
        options={option.key: new.options.get(option.key, option.default) for option in sheet.options()},
        host_id=host.id if host else None,
        status=GameStatus.OPEN,
        seed=seed,
        commitment=commitment(seed),
        planning=new.planning,
        opened_at=work.now,
        grace_seconds=int(new.grace.total_seconds()) if people > 1 else 0,
        unlisted=new.unlisted,
        friendly=new.friendly or catalog.is_own(sheet.slug),
        programs=new.programs or (host is not None and host.program),
        rematch_of=new.rematch_of,
        robot_seconds=int(new.robot_pause.total_seconds()),
        robot_zone=host.zone if host else "UTC",
        lesson=new.lesson,
        time_control=new.time_control,
    )
    work.session.add(game)
    work.session.flush()
    return work.at(game)


def answer(office: Office, claim: InvitationClaim, accept: bool, now: datetime) -> None:
    """Accept or decline an invitation; the last acceptance starts the game.

    The same answer twice has the effect of once. Raises :class:`NotNow` once the game has started or was
    cancelled, :class:`NoSuch` for a seat that is not there.
    """
    with office.game(claim.game, now) as work:
        seat = work.numbered(claim.number)
        if seat.robot:
            raise NotNow(say("The host has given this seat to a robot."))
        if seat.holder != claim.holder and (seat.account_id is not None or seat.status == SeatStatus.VACANT):
            raise NotNow(
                say("This invitation is no longer valid: the host has withdrawn it, or the seat is open to others.")
            )
        status = SeatStatus.ACCEPTED if accept else SeatStatus.DECLINED
        if seat.status == status:
            return
        if work.game.status == GameStatus.CANCELLED:
            raise NotNow(say("This game was cancelled."))
        if work.game.status != GameStatus.OPEN:
            raise NotNow(say("This game has already started."))
        if seat.account_id is None:
            raise NotNow(say("The person invited by this link no longer has an account."))
        if not accept:
            decline(work, seat)
            return
        player = work.session.get_one(Account, seat.account_id)
        programs.may_sit(work.game, player)
        if player.program or seat.name == name_for(work, seat, called(player.address)):
            seat.name = name_for(work, seat, player.name)
        seat.status, seat.answered_at = status, now
        audit_log.write(work, status, seat=seat)
        table_news.tell_host(work, seat.account_id)
        start_if_complete(work)


def decline(work: GameWork, seat: Seat) -> None:
    """Decline the invitation to a seat of an open game; its host gets a letter. At an open table it is free."""
    seat.status, seat.answered_at = SeatStatus.DECLINED, work.now
    audit_log.write(work, "declined", seat=seat)
    if work.game.host_id is not None:
        key = f"declined:{work.game.id}:{seat.number}"
        work.write(NewLetter(Declined(seat.name), key, work.game.host_id, game=work.game))
    if terms.of(work.session, work.game.id) is not None:
        free(work, seat)


def free(work: GameWork, seat: Seat) -> None:
    """Nobody has the seat of an open game any more; links of whoever had it are void."""
    seat.account_id, seat.robot, seat.name = None, "", ""
    seat.status, seat.answered_at, seat.talk_read = SeatStatus.VACANT, None, 0
    seat.holder += 1
    work.session.flush()


def cancel(office: Office, game_id: str, account_id: int, now: datetime) -> None:
    """Cancel a game that has not started; only its host can. Raises :class:`NotNow` and :class:`NoSuch`."""
    with office.game(game_id, now) as work:
        if work.game.host_id != account_id:
            raise NotNow(say("Only the host can cancel a game."))
        if work.game.status == GameStatus.CANCELLED:
            return
        if work.game.status != GameStatus.OPEN:
            raise NotNow(say("This game has started, so you can no longer cancel it."))
        call_off(work, work.session.get_one(Account, account_id))


def call_off(work: GameWork, host: Account | None) -> None:
    """Cancel an open game for its host, or for the operator of the server (``None``).

    Everybody else who has not declined gets a letter; of what the operator does, the host too.
    """
    work.game.status, work.game.ended_at = GameStatus.CANCELLED, work.now
    terms.close(work)
    if host is None:
        audit_log.write(work, "operator-cancels")
    else:
        audit_log.write(work, "cancelled", seat=work.seat_of(host.id), account=host)
    letter, known = Cancelled(by_operator=host is None), {host.id} if host else set()
    for seat in work.seats:
        if seat.account_id is not None and seat.account_id not in known and seat.status != SeatStatus.DECLINED:
            key = f"cancelled:{work.game.id}:{seat.number}"
            work.write(NewLetter(letter, key, seat.account_id, game=work.game, seat=seat))
    if host is None and work.game.host_id is not None and work.seat_of(work.game.host_id) is None:
        work.write(NewLetter(letter, f"cancelled:{work.game.id}:host", work.game.host_id, game=work.game))


def _named_companions(work: GameWork, host: Account | None, players: Sequence[Invited]) -> list[Invited]:
    """The players, those who are invited by their account with their names. Raises :class:`BadInput` for strangers."""
    wanted = host is not None and any(player.account is not None for player in players)
    names = {one.account: one.name for one in companions.of(work.session, host.id)} if host and wanted else {}
    if any(player.account is not None and player.account not in names for player in players):
        raise BadInput(Problem("known", companions.NOT_KNOWN))
    return [player if player.account is None else replace(player, name=names[player.account]) for player in players]


def _account(work: Work, player: Invited) -> Account:
    if player.account is not None:
        return work.session.get_one(Account, player.account)
    with reading(player.language or current().code):
        return account(work.session, validation.address(player.address), validation.one_line(player.name), work.now)


def _invite(work: GameWork, host: Account | None, new: NewGame) -> None:
    first = [Invited(host.address, host.name)] if host is not None and new.plays else []
    typed = [player for player in new.players if player.account is None]
    for player in sorted(typed, key=lambda player: validation.address(player.address)):
        # in one order by everybody: whoever makes an account waits for another who makes it, too
        _account(work, player)
    invitees = _named_companions(work, host, new.players)
    names: set[str] = set()
    invited: list[int | None] = [] if host is None else [host.id]
    sitting: set[int] = set()
    for number, player in enumerate([*first, *invitees]):
        guest = _account(work, player)
        is_host = host is not None and guest.id == host.id
        by_name = player.account is not None
        field = "known" if by_name else f"players.{number - len(first)}"
        called_here = player.name if by_name else validation.address(player.address)
        if is_host and first and number:
            raise BadInput(Problem(field, say("{address} is you.", address=called_here)))
        if guest.id in sitting:  # by an address of hers that is not this one any more, or by her name
            raise BadInput(Problem(field, say("{address} is listed twice.", address=called_here)))
        sitting.add(guest.id)
        if blocks.between(work.session, guest.id, invited):
            raise BadInput(Problem(field, blocks.cannot_invite(called_here)))
        invited.append(guest.id)
        name = validation.distinct(_named(player, is_host, guest), names)
        seat = add_seat(work, number, name, guest.id)
        if not is_host:
            seat.status, seat.answered_at = SeatStatus.INVITED, None
            key = f"invitation:{work.game.id}:{number}"
            work.write(NewLetter(Invitation(), key, guest.id, game=work.game, seat=seat))


def add_seat(work: GameWork, number: int, name: str, account_id: int | None = None, robot: str = "") -> Seat:
    """A new seat of somebody who has accepted."""
    seat = Seat(
        game_id=work.game.id,
        number=number,
        account_id=account_id,
        name=name,
        robot=robot,
        status=SeatStatus.ACCEPTED,
        answered_at=work.now,
    )
    work.session.add(seat)
    work.session.flush()
    return seat


def _seat_robots(work: GameWork, new: NewGame) -> None:
    names = {seat.name.casefold() for seat in queries.seats(work.session, work.game.id)}
    for number, character in enumerate(new.robots, len(names)):
        add_seat(work, number, validation.distinct(opponents.every()[character].name, names), robot=character)


def set_free_seats(work: GameWork, count: int) -> None:
    """Let so many seats of an open game be free: those that were declined too, then new ones; too many are removed."""
    seats = list(queries.seats(work.session, work.game.id))
    open_seats = [seat for seat in seats if seat.status in (SeatStatus.VACANT, SeatStatus.DECLINED)]
    for seat in open_seats:
        if seat.status == SeatStatus.DECLINED:
            free(work, seat)
    for seat in open_seats[count:]:
        work.session.delete(seat)
    work.session.flush()
    first = max((seat.number for seat in seats), default=-1) + 1
    # a seat that was removed may have had the number before: no link of a former holder is to fit the new one
    done = select(func.count()).where(AuditEntry.game_id == work.game.id)
    holder = 2 * work.session.scalars(done).one()
    for number in range(first, first + count - len(open_seats)):
        work.session.add(Seat(game_id=work.game.id, number=number, name="", status=SeatStatus.VACANT, holder=holder))
    work.session.flush()


def seat_robot(work: GameWork, seat: Seat, character: str, host: Account | None) -> None:
    """A robot takes a seat of an open game in the place of somebody who has not accepted; the game may start by it.

    Without ``host`` it is the clock that seats it.
    """
    left, name = seat.name, name_for(work, seat, opponents.every()[character].name)
    seat.account_id, seat.robot, seat.name = None, character, name
    seat.status, seat.answered_at = SeatStatus.ACCEPTED, work.now
    seat.holder += 1
    work.session.flush()
    if host is None:
        audit_log.write(work, "robot-sits", robot=seat.name)
    elif left:
        audit_log.write(work, "seats-robot", seat=work.seat_of(host.id), account=host, robot=seat.name, other=left)
    else:
        audit_log.write(work, "gives-robot", seat=work.seat_of(host.id), account=host, robot=seat.name)
    start_if_complete(work)


def _named(player: Invited, is_host: bool, guest: Account) -> str:
    """What a seat is called until its invitation is accepted: nothing that the host does not know, but that it is a
    program."""
    if guest.program:
        return guest.name
    typed = validation.as_person(validation.one_line(player.name))
    return typed or (guest.name if is_host else called(validation.address(player.address)))


def name_for(work: GameWork, seat: Seat, name: str) -> str:
    """What somebody is called in this seat: nobody else in the game has the same name."""
    return validation.distinct(name, {other.name.casefold() for other in work.seats if other.number != seat.number})


def start_if_complete(work: GameWork) -> None:
    """Deal, when everybody has accepted. One person among robots, for whom nobody waits, has no end of time."""
    players = work.seats
    if work.game.status != GameStatus.OPEN or any(seat.status != SeatStatus.ACCEPTED for seat in players):
        return
    terms.close(work)
    if sum(not seat.robot for seat in players) <= 1:
        work.game.time_control = NO_LIMIT
    sheet = work.sheet
    for seat, colour in zip(players, sheet.colours, strict=False):
        seat.colour, seat.reserve_seconds = colour, work.game.bank_seconds
    chance = NotedChance(SeededChance(work.game.seed, DEAL))
    step = sheet.start([seat.colour for seat in players], chance, work.game.options)
    work.game.status, work.game.started_at, work.game.version = GameStatus.RUNNING, work.now, 0
    if work.game.lesson:
        lessons.begin(work, step, chance)
        return
    for seat in players:
        if seat.account_id is not None:
            key = f"game-started:{work.game.id}:{seat.number}"
            work.write(NewLetter(GameStarted(), key, seat.account_id, game=work.game, seat=seat, version=0))
    entry = progress.Entry("", "", MoveCause.START, sheet.turn(step.state), sheet.phase(step.state))
    progress.write_down(work, entry, step, chance)


def rematch(session: Session, game_id: str) -> str | None:
    again = Game.rematch_of == game_id, Game.rematch_of != literal_column("''"), Game.status != GameStatus.CANCELLED
    return session.scalar(select(Game.id).where(*again))


def _note_opened(work: GameWork, host: Account | None) -> None:
    host_id = host.id if host else None
    audit_log.write(work, "opened", seat=work.seat_of(host_id), account=host)
    if work.game.rematch_of:
        before = work.at(queries.game(work.session, work.game.rematch_of))
        audit_log.write(before, "rematch", seat=before.seat_of(host_id), account=host)


def _new_id(office: Office, session: Session) -> str:
    while True:
        made = "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in office.entropy(ID_LENGTH))
        if session.get(Game, made) is None:
            return made
