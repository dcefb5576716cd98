"""Open tables: anybody can take a seat until the game starts, and on a date that the host chose it is decided.

Whoever is not logged in gets an email with a link, and has the seat when its button is pressed: nobody can fill a table
with addresses that nobody reads, and nobody waits for such a player later.
"""

from datetime import datetime

from sqlalchemy import select

from pbem.engine import Value, say
from pbem.robot import opponents
from pbem.service.base import (
    BadInput,
    GameReader,
    GameWork,
    NewLetter,
    NotNow,
    Office,
    Problem,
    merged,
    rate_limits,
    validation,
)
from pbem.service.base.tokens import BadToken, JoinClaim, SitClaim
from pbem.service.games import opening, table_news, terms
from pbem.service.games.terms import Terms
from pbem.service.letters.kinds.seats import CalledOff, PutOff, SeatAtTable
from pbem.service.people import accounts, blocks, programs
from pbem.service.turns import audit_log
from pbem.store.statuses import GameStatus, SeatsLeft, SeatStatus
from pbem.store.tables import Account, OpenTable, Seat


def join(office: Office, game_id: str, account_id: int, now: datetime, key: str = "") -> None:
    """Take the first free seat of an open table; whoever takes the last one starts the game.

    ``key``: of the link that was followed, for tables that are not in the list. Who sits there already stays. Raises
    :class:`NotNow` with the reason, ``NoSuch``, and :class:`rate_limits.TooMuch`.
    """
    with office.game(game_id, now) as work:
        account = work.session.get_one(Account, account_id)
        _sit_down(work, account, key)
        rate_limits.use(office, work.session, rate_limits.JOINS, account_id, now)


class Visitor(Value):
    """Somebody who is not logged in, by what was typed. ``client``: for the limit, where one holds."""

    name: str
    address: str
    client: str = ""


def ask_for_seat(office: Office, game_id: str, visitor: Visitor, now: datetime, key: str = "") -> None:
    """Email the link that lets somebody sit down who is not logged in.

    Raises :class:`BadInput` with every problem at once and :class:`NotNow` when nobody can join. Nothing is told of the
    address: not whether it is known, and not whether enough letters have gone to it. Raises
    :class:`rate_limits.TooMuch`, too.
    """
    problems, address = validation.introduced(visitor.name, visitor.address)
    if problems:
        raise BadInput(*problems)
    if visitor.client:
        rate_limits.note(office, rate_limits.GUEST_JOINS, visitor.client, now)
    with office.game(game_id, now) as work:
        _free_seat(work, key)
        if (reader := accounts.introduced(office, work, address, visitor.name)) is None:
            return
        letter = SeatAtTable(game_id, key)
        work.write(NewLetter(letter, f"{letter.kind}:{game_id}:{reader.id}:{now.timestamp():.0f}", reader.id))
        audit_log.write(work, "asks-seat", account=reader, visitor=validation.one_line(visitor.name))
        table_news.tell_host(work, reader.id)


def sit(office: Office, claim: SitClaim, now: datetime) -> str:
    """Who reads the mail of the address sits down; returns the secret the browser keeps. Raises :class:`NotNow`."""
    with office.work(now) as begun:
        account = begun.session.get(Account, merged.number_now(begun.session, claim.account))
        if account is None or account.deleted_at is not None:
            raise BadToken
        _sit_down(begun.lock(claim.game), account, claim.key)
        return accounts.remember(office, begun.session, account.id, now)


def linked(office: Office, claim: JoinClaim) -> str:
    """The game that a link is to which was passed on. Raises ``BadToken`` when it was revoked."""
    with office.read() as session:
        row = terms.of(session, claim.game)
        if row is None or not row.link_key or row.link_key != claim.key:
            raise BadToken
        return row.game_id


def may_sit(office: Office, claim: SitClaim, now: datetime) -> bool:
    """Whether a link that was emailed still gives a seat, or its reader has one. Raises ``NoSuch``."""
    with office.look(claim.game, now) as look:
        account_id = merged.number_now(look.session, claim.account)
        if any(seat.account_id == account_id and seat.status in terms.SITTING for seat in look.seats):
            return True
        try:
            _free_seat(look, claim.key)
        except NotNow:
            return False
        return True


def _sit_down(work: GameWork, account: Account, key: str) -> None:
    own = work.seat_of(account.id)
    if own is not None and own.status == SeatStatus.ACCEPTED:
        return
    programs.may_sit(work.game, account)
    seat = own if own is not None and own.status == SeatStatus.INVITED else None
    if seat is None:
        seat = _free_seat(work, key)
        if blocks.between(work.session, account.id, [work.game.host_id, *(other.account_id for other in work.seats)]):
            raise NotNow(say("You cannot take a seat at this table."))
        _expected(work, account)
        seat.account_id, seat.name = account.id, opening.name_for(work, seat, account.name)
        seat.holder += 1
    elif account.program:
        seat.name = opening.name_for(work, seat, account.name)
    seat.status, seat.answered_at = SeatStatus.ACCEPTED, work.now
    work.session.flush()
    audit_log.write(work, "joined", seat=seat)
    table_news.tell_host(work, account.id)
    opening.start_if_complete(work)


def _expected(work: GameWork, account: Account) -> None:
    """Raises :class:`NotNow` for somebody who does not fit the terms of the table; they bind everybody but its host."""
    table = _table(work)
    if account.id == work.game.host_id or table.experience not in terms.LEAST_GAMES:
        return
    if (why := terms.too_new(table.experience, terms.finished_games(work.session, account.id))) is not None:
        raise NotNow(why)


def _free_seat(work: GameReader, key: str) -> Seat:
    if work.game.status == GameStatus.CANCELLED:
        raise NotNow(say("This game was called off."))
    if work.game.status != GameStatus.OPEN:
        raise NotNow(say("The last seat has just been taken, and the game has started."))
    table = terms.of(work.session, work.game.id)
    if table is None or not (table.listed or (key and key == table.link_key)):
        raise NotNow(say("This table is no longer open to anybody."))
    free = [seat for seat in work.seats if seat.status == SeatStatus.VACANT]
    if not free:
        raise NotNow(say("All seats are taken. Those who are invited have not answered yet."))
    return free[0]


def leave(office: Office, game_id: str, account_id: int, now: datetime) -> None:
    """Stand up again before the game starts. Raises :class:`NotNow`."""
    with office.game(game_id, now) as work:
        seat = work.seat_of(account_id)
        if seat is None or seat.status == SeatStatus.DECLINED:
            return
        if work.game.status != GameStatus.OPEN or terms.of(work.session, game_id) is None:
            raise NotNow(say("You can leave a table only before the game starts. In a running game you can resign."))
        if work.game.host_id == account_id:
            raise NotNow(say("You are the host. Call the game off instead."))
        audit_log.write(work, "left-table", seat=seat)
        table_news.tell_host(work, account_id)
        opening.free(work, seat)


def change(office: Office, game_id: str, host_id: int, wished: Terms, now: datetime) -> None:
    """The host changes what was chosen for an open table, or opens a game that has not started.

    ``wished.seats``: how many anybody can take from now on. Raises :class:`NotNow`, and :class:`BadInput` with every
    problem at once.
    """
    with office.game(game_id, now) as work:
        host = _host(work, host_id)
        problems = terms.problems(wished, work.game.opened_at, now)
        taken = [seat for seat in work.seats if seat.status in (SeatStatus.ACCEPTED, SeatStatus.INVITED)]
        counts = work.sheet.player_counts()
        players = len(taken) + wished.seats
        if players not in counts:
            sentence = say(
                "{map} is for {least} to {most} players; there are {n}.",
                map=work.sheet.name, least=counts[0], most=counts[-1], n=players,
            )  # fmt: skip
            problems.append(Problem("seats", sentence))
        if not wished.programs and any(validation.is_program(seat.name) for seat in taken):
            problems.append(Problem("programs", say("A program has a seat at this table already.")))
        if problems:
            raise BadInput(*problems)
        opening.set_free_seats(work, wished.seats)
        terms.write(office, work, wished)
        work.game.programs = wished.programs
        audit_log.write(work, "changed-table", seat=work.seat_of(host_id), account=host)


def decide(office: Office, game_id: str, host_id: int, if_free: SeatsLeft, now: datetime) -> None:
    """The host changes what happens on the date when seats are still free. Raises :class:`NotNow`."""
    with office.game(game_id, now) as work:
        _host(work, host_id)
        _table(work).if_free = if_free


def new_link(office: Office, game_id: str, host_id: int, now: datetime) -> None:
    """Make the link that was passed on void and another one valid. Raises :class:`NotNow` for others than the host."""
    with office.game(game_id, now) as work:
        _host(work, host_id)
        _table(work).link_key = office.secret(9)


def revoke_link(office: Office, game_id: str, host_id: int, now: datetime) -> None:
    """Make the link that was passed on void. Raises :class:`NotNow` for others than the host."""
    with office.game(game_id, now) as work:
        _host(work, host_id)
        _table(work).link_key = ""


def list_it(office: Office, game_id: str, host_id: int, listed: bool, now: datetime) -> None:
    """Put the table into the list of open tables, or take it out. Raises :class:`NotNow` for others than the host."""
    with office.game(game_id, now) as work:
        _host(work, host_id)
        _table(work).listed = listed


def fill_now(office: Office, game_id: str, host_id: int, now: datetime) -> None:
    """The host gives all seats to robots that nobody has taken, and the game starts. Raises :class:`NotNow`."""
    with office.game(game_id, now) as work:
        host = _host(work, host_id)
        _table(work)
        if not any(seat.account_id is not None and seat.status == SeatStatus.ACCEPTED for seat in work.seats):
            raise NotNow(say("Nobody sits at this table yet. Robots do not play without people."))
        _fill(work, host)


def due(office: Office, now: datetime) -> list[str]:
    with office.read() as session:
        query = select(OpenTable.game_id).where(OpenTable.fill_at <= now).order_by(OpenTable.fill_at)
        return list(session.scalars(query.limit(200)))


def come_to_date(office: Office, game_id: str, now: datetime) -> bool:
    """The date of a table has come: robots sit down, it waits another week, or it is called off.

    Returns whether it was so. A table at which no person sits, or that has waited long enough, is called off.
    """
    with office.game(game_id, now) as work:
        table = terms.of(work.session, game_id)
        if table is None or table.fill_at > now:
            return False
        later = table.fill_at + terms.WEEK
        people = [seat for seat in work.seats if seat.account_id is not None and seat.status == SeatStatus.ACCEPTED]
        if table.if_free == SeatsLeft.ROBOTS and people:
            _fill(work, None)
        elif table.if_free == SeatsLeft.WAIT and max(later, now) <= work.game.opened_at + terms.LONGEST:
            _put_off(work, table, people)
        else:
            _call_off(work, people)
        return True


def _fill(work: GameWork, host: Account | None) -> None:
    """Robots take every seat that nobody has taken, the strongest first; those who are invited come too late."""
    empty = [seat for seat in work.seats if seat.status != SeatStatus.ACCEPTED]
    sitting = [seat.robot for seat in work.seats if seat.robot]
    people = len(work.seats) - len(sitting) - len(empty)
    if people < 2:
        work.game.grace_seconds = 0
    strongest = list(opponents.every())[::-1]
    characters = [key for key in strongest if key not in sitting] or strongest
    for place, seat in enumerate(empty):
        opening.seat_robot(work, seat, characters[place % len(characters)], host)


def _put_off(work: GameWork, table: OpenTable, people: list[Seat]) -> None:
    while table.fill_at <= work.now:
        table.fill_at += terms.WEEK
    audit_log.write(work, "put-off")
    for account_id in _readers(work, people):
        key = f"put-off:{work.game.id}:{account_id}:{table.fill_at.date()}"
        work.write(NewLetter(PutOff(table.fill_at), key, account_id, game=work.game, seat=work.seat_of(account_id)))


def _call_off(work: GameWork, people: list[Seat]) -> None:
    free = sum(seat.status != SeatStatus.ACCEPTED for seat in work.seats)
    work.game.status, work.game.ended_at = GameStatus.CANCELLED, work.now
    terms.close(work)
    audit_log.write(work, "called-off")
    for account_id in _readers(work, people):
        key = f"called-off:{work.game.id}:{account_id}"
        work.write(NewLetter(CalledOff(free), key, account_id, game=work.game, seat=work.seat_of(account_id)))


def _readers(work: GameWork, people: list[Seat]) -> list[int]:
    found = {seat.account_id for seat in people} | {work.game.host_id}
    return sorted(account_id for account_id in found if account_id is not None)


def _host(work: GameWork, host_id: int) -> Account:
    host = work.host(host_id)
    if work.game.status != GameStatus.OPEN:
        raise NotNow(say("The game has started or was called off; the table can no longer be changed."))
    return host


def _table(work: GameWork) -> OpenTable:
    table = terms.of(work.session, work.game.id)
    if table is None:
        raise NotNow(say("This game is not open to anybody."))
    return table
