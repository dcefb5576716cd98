"""A game against robots from the start page, before anybody has an account: the seat waits for its address.

Until the address is confirmed nobody has the seat: no letters go out but the one that asks for the confirmation, no
webhook is told, nobody votes with it, and the game is in no public list. Whoever began it plays it by a mark of the
browser, which gives no right to anything else; entering somebody else's address gives none to that person's account.

The first game, a lesson by email, is begun here by people who have an account or were invited, too.
"""

from datetime import datetime
from typing import Self

from sqlalchemy import exists, select
from sqlalchemy.orm import Session, aliased

from pbem.engine import Sheet, Value, catalog, replace, say
from pbem.robot import opponents
from pbem.service.base import (
    BadInput,
    GameWork,
    NewLetter,
    NotNow,
    Office,
    Problem,
    merged,
    queries,
    rate_limits,
    validation,
)
from pbem.service.base.task_hints import count_hint
from pbem.service.base.tokens import BadToken, ConfirmClaim, GuestClaim, InvitationClaim
from pbem.service.games import opening
from pbem.service.letters.kinds.accounts import GuestGame
from pbem.service.people import accounts, programs
from pbem.service.turns import audit_log, lessons, progress
from pbem.store.statuses import PLAYING, GameStatus, SeatStatus
from pbem.store.tables import Account, Game, Seat
from pbem.views.accounts import AccountView


class Board(Value):
    """What the start page offers: a sheet and the robots on it; ``lesson``: the game is one, by its key."""

    game: str
    map: str
    robots: tuple[str, ...]
    lesson: str = ""

    def against(self, robot: str) -> Self:
        """The same with this robot in every seat but one; empty for the robots it has."""
        return replace(self, robots=(robot,) * len(self.robots)) if robot and not self.lesson else self

    def new_game(self, guest: str = "") -> opening.NewGame:
        """The game to be opened on it; ``guest``: who plays it without an account, under this name."""
        new = opening.NewGame("", self.game, self.map, (), guest=guest, robots=self.robots, unlisted=bool(guest))
        if not self.lesson:
            return new
        told = lessons.lesson(self.lesson).record
        return replace(new, title=told.source, options=told.options, seed=told.seed, lesson=self.lesson)


BOARDS = (
    Board("age-of-steam", "rust_belt", ("penny", "rufus", "clara")),
    Board("age-of-steam", "st_lucia", ("rufus",)),
    Board("steam-power", "ireland", ("penny", "rufus")),
    Board("age-of-steam", "barbados", ()),
)
"""Those that the start page offers."""
TABLE = 4
"""At how many seats somebody sits down among robots, where the map allows it."""


def board(name: str) -> Board | None:
    """The one on which a game begins at once on this map, or that of the first game; ``None`` for no map."""
    if name == lessons.FIRST:
        return first_game()
    if catalog.is_own(name):
        try:
            return _of_sheet(catalog.sheet(catalog.GAME_OF_DRAWINGS, name))
        except catalog.UnknownSheet:
            return None
    return next((one for one in (*BOARDS, *map(_of_sheet, catalog.sheets())) if one.map == name), None)


def _of_sheet(sheet: Sheet) -> Board:
    """A board for any map: alone where that can be, else with so few robots that the table is soon full."""
    return Board(sheet.game, sheet.slug, tuple(opponents.every())[: _robots(sheet)])


def _robots(sheet: Sheet) -> int:
    counts = sheet.player_counts()
    return min(max(TABLE, counts[0]), counts[-1]) - 1 if counts[0] > 1 else 0


def last_board(office: Office, account_id: int) -> str:
    """The map of the board on which an account began its last game against robots; the first without any."""
    mine, other = aliased(Seat), aliased(Seat)
    people = exists().where(other.game_id == Game.id, other.number != mine.number, other.robot == "")
    begun = (
        select(Game.map)
        .join(mine, mine.game_id == Game.id)
        .where(mine.account_id == account_id, Game.lesson == "", ~people)
        .order_by(Game.opened_at.desc())
    )
    with office.read() as session:
        last = session.scalar(begun.limit(1)) or ""
    return last if not catalog.is_own(last) and board(last) is not None else BOARDS[0].map


def first_game() -> Board:
    told = lessons.lesson(lessons.FIRST)
    return Board(told.record.game, told.record.map, told.robots, told.key)


def begin_first_game(office: Office, account_id: int, now: datetime) -> str:
    """Open the first game of an account, whose first email leaves at once; returns its id.

    One that is not over is gone on with. Raises :class:`rate_limits.TooMuch`.
    """
    with office.read() as session:
        own = select(Game.id).join(Seat, Seat.game_id == Game.id).where(
            Seat.account_id == account_id, Game.lesson == lessons.FIRST, Game.status.in_(PLAYING)
        )  # fmt: skip
        running = session.scalar(own.order_by(Game.opened_at).limit(1))
    return running or opening.open_game(office, account_id, first_game().new_game(), now)


def invited(office: Office, claim: InvitationClaim) -> AccountView:
    """Whose invitation it is: who reads it can begin the first game with it, and give no address.

    Raises :class:`NoSuch`, and :class:`NotNow` when the seat has nobody any more.
    """
    with office.read() as session:
        seat = queries.numbered(session, claim.game, claim.number)
        mine = seat.account_id is not None and seat.holder == claim.holder
        account = session.get(Account, seat.account_id) if mine else None
        if account is None:
            raise NotNow(say("The person invited by this link no longer has an account."))
        return accounts.shown(account)


def start(
    office: Office, chosen: str, name: str, address: str, now: datetime, client: str = "", robot: str = ""
) -> GuestClaim:
    """Open a game for somebody without account and email the link that confirms the address.

    ``robot``: who sits in all other seats, instead of the robots of the board.

    Raises :class:`BadInput` with every problem at once. What is known of the address is told to nobody, and when enough
    letters have gone to it, the game is opened without one. ``client``: for the limit of :class:`rate_limits.TooMuch`.
    """
    where, address = _checked(chosen, name, address, robot)
    if client:
        rate_limits.note(office, rate_limits.GUEST_GAMES, client, now)
    claim = GuestClaim(opening.open_game(office, None, where.new_game(name), now), 0)
    _ask_to_confirm(office, claim, address, name, now)
    return claim


def _checked(chosen: str, name: str, address: str, robot: str) -> tuple[Board, str]:
    problems, kept = validation.introduced(name, address)
    if (where := board(chosen)) is None:
        problems.append(Problem("map", say("Choose one of the boards.")))
    if robot and robot not in opponents.every():
        problems.append(Problem("map", say("Choose one of the robots.")))
    if problems or where is None:
        raise BadInput(*problems)
    return where.against(robot), kept


def _ask_to_confirm(office: Office, claim: GuestClaim, address: str, name: str, now: datetime) -> None:
    with office.work(now) as work:
        if (reader := accounts.introduced(office, work, address, name)) is None:
            return
        letter = GuestGame(claim.game, claim.number)
        work.write(NewLetter(letter, f"{letter.kind}:{claim.game}:{claim.number}", reader.id))


def _first_letter(game: GameWork, seat: Seat) -> None:
    """A lesson goes to the archive like every game of somebody we know, and its emails begin."""
    game.game.unlisted = False
    if game.game.status == GameStatus.OVER:
        game.game.count_at = game.now
        game.hints.append(count_hint(game.game.id))
    if game.game.to_act == seat.colour:
        progress.tell_asked(game)


def waits(seat: Seat) -> bool:
    return seat.account_id is None and not seat.robot and seat.status == SeatStatus.ACCEPTED and not seat.holder


def plays(office: Office, claim: GuestClaim, game_id: str, number: int | None = None) -> bool:
    """Whether this is the game, and the seat, of somebody who has not confirmed the address yet."""
    if claim.game != game_id or number not in (None, claim.number):
        return False
    with office.read() as session:
        return _waiting(session, claim)


def _waiting(session: Session, claim: GuestClaim) -> bool:
    if session.get(Game, claim.game) is None:
        return False
    return waits(queries.numbered(session, claim.game, claim.number))


def confirmed(office: Office, claim: GuestClaim) -> str:
    """What the running game is called that was begun on this browser and has its player now; empty for any other."""
    with office.read() as session:
        game = session.get(Game, claim.game)
        if game is None or game.status != GameStatus.RUNNING:
            return ""
        return game.title if queries.numbered(session, game.id, claim.number).account_id is not None else ""


def title_of(office: Office, claim: ConfirmClaim) -> str:
    """What the game is called that a link of confirmation is about. Raises :class:`NoSuch`."""
    with office.read() as session:
        return queries.game(session, claim.game).title


def confirm(office: Office, claim: ConfirmClaim, now: datetime) -> str:
    """Whoever reads the mail of the address takes the seat and the game over; returns the secret the browser keeps.

    What was given to the browser that began it is void from then on. Raises :class:`NotNow` when somebody else has.
    """
    with office.work(now) as work:
        account = work.session.get(Account, merged.number_now(work.session, claim.account))
        if account is None or account.deleted_at is not None:
            raise BadToken
        game = work.lock(claim.game)
        seat = game.numbered(claim.number)
        if seat.account_id != account.id:
            if not waits(seat):
                raise NotNow(say("This game has another player now."))
            programs.may_sit(game.game, account)
            seat.account_id = account.id
            seat.holder += 1
            if game.game.host_id is None and game.game.status != GameStatus.OVER:
                game.game.host_id = account.id
            audit_log.write(game, "confirmed", seat=seat)
            if game.game.lesson:
                _first_letter(game, seat)
        return accounts.remember(office, work.session, account.id, now)
