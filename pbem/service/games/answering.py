"""Who answers, and where the game stands: what one has to know of a game to take in orders that a link has sent."""

from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, select
from sqlalchemy.orm import aliased

from pbem.engine import Value
from pbem.service.base import NoSuch, Office
from pbem.service.games import views
from pbem.store.statuses import GameStatus
from pbem.store.tables import Account, Game, Seat
from pbem.store.time_controls import zone_named
from pbem.views.games import SeatView


class GameProgress(Value):
    """Where a game stands that has been dealt. ``turn``: of the game; ``waiting_for``: the seat that is asked;
    ``lesson``: whether emails explain its questions; ``unlisted``: whether it is in no public list;
    ``robot_thinks``: whether a robot is asked that answers at once."""

    id: str
    running: bool
    version: int
    turn: int
    waiting_for: str
    lesson: bool = False
    unlisted: bool = False
    robot_thinks: bool = False


class Player(Value):
    """A seat of such a game, and the zone and language of its player: UTC and none for a seat that nobody has."""

    game: GameProgress
    seat: SeatView
    zone: ZoneInfo
    language: str


_OF_SEAT = (
    Seat.number, Seat.colour, Seat.name, Seat.status, Seat.account_id, Seat.holder, Seat.robot, Seat.talk_read
)  # fmt: skip
_ROBOT = aliased(Seat)
_ROBOT_THINKS = select(_ROBOT.id).where(
    _ROBOT.game_id == Game.id,
    _ROBOT.colour == Game.to_act,
    _ROBOT.robot != "",
    Game.robot_seconds + Game.grace_seconds == 0,
)
_PLAYER = (
    select(*_OF_SEAT)
    .add_columns(Game.id, Game.status.label("stands"), Game.version, Game.turn, Game.to_act, Game.host_id, Game.lesson)
    .add_columns(Game.unlisted, _ROBOT_THINKS.exists().label("robot_thinks"))
    .add_columns(Account.zone, Account.language)
    .select_from(Game)
    .join(Seat, Seat.game_id == Game.id)
    .outerjoin(Account, Account.id == Seat.account_id)
    .where(Game.id == bindparam("game"), Game.started_at.is_not(None), Seat.colour == bindparam("colour"))
)


def player(office: Office, game_id: str, colour: str) -> Player:
    """The player of a seat, read in one statement. Raises :class:`NoSuch`, for a game that has not begun as well."""
    with office.read() as asked:
        row = asked.execute(_PLAYER, {"game": game_id, "colour": colour}).one_or_none()
    if row is None:
        raise NoSuch(f"Game {game_id} has no player {colour}.")
    running = row.stands == GameStatus.RUNNING
    stand = GameProgress(
        row.id,
        running,
        row.version,
        row.turn,
        row.to_act if running else "",
        bool(row.lesson),
        row.unlisted,
        running and row.robot_thinks,
    )
    return Player(stand, views.seat_view(row, row.host_id), zone_named(row.zone or "UTC"), row.language or "")
