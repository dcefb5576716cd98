"""What a reader needs to compute the dice of a finished game again: what was rolled, and out of what was drawn."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.orm import Session, defer

from pbem.engine import BadMove, Refused, Seat, Sheet
from pbem.engine.chance import ASKED_FIRST, Chance, ChanceMismatch, Draw, LoadedChance
from pbem.service.base import NoSuch, Office, queries
from pbem.service.games.views import decoded
from pbem.store.statuses import NOTES, GameStatus
from pbem.store.tables import Game, Move

log = logging.getLogger(__name__)

KINDS = ("dice", "cubes", "order")
"""The keys under which a record keeps what came out."""
Bag = dict[str, int]


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll or draw. ``entry``: of the record, from 0, -1 = the deal; ``number``: of the order in the log; ``at``:
    which of the rolls of its entry it is, from 0."""

    entry: int
    number: int
    turn: int
    seat: Seat
    at: int
    purpose: str
    kind: str
    came: tuple[str, ...]


@dataclass(slots=True)
class WatchedChance:
    """Notes out of what the draws of another chance were made: ``None`` for dice and orders."""

    source: Chance
    bags: list[Bag | None] = field(default_factory=list)

    def dice(self, purpose: str, count: int) -> tuple[int, ...]:
        self.bags.append(None)
        return self.source.dice(purpose, count)

    def draw(self, purpose: str, bag: Mapping[str, int], count: int) -> tuple[str, ...]:
        self.bags.append({name: number for name, number in bag.items() if number})
        return self.source.draw(purpose, bag, count)

    def order(self, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        self.bags.append(None)
        return self.source.order(purpose, items)

    def asks_first(self, seat: str) -> bool:
        asked = self.source.asks_first(seat)
        if asked:
            self.bags.append(None)
        return asked


def rolls(office: Office, game_id: str) -> tuple[Roll, ...]:
    """Every roll and draw of a finished game in its order. Raises :class:`NoSuch` when there is nothing to prove."""
    with office.read() as session:
        _, moves = _counted(session, game_id)
    return tuple(
        _roll(entry, move, at, draw)
        for entry, move in enumerate(moves, -1)
        for at, draw in enumerate(move.chance)
        if draw.get("for") != ASKED_FIRST
    )


def _roll(entry: int, move: Move, at: int, draw: Draw) -> Roll:
    kind = next((kind for kind in KINDS if kind in draw), KINDS[0])
    came = draw.get(kind)
    shown = tuple(map(str, came)) if isinstance(came, list) else ()
    return Roll(entry, move.number, move.turn, move.seat, at, str(draw.get("for")), kind, shown)


def bags(office: Office, game_id: str) -> dict[str, list[Bag | None]]:
    """By entry of the record (``deal`` and numbers from 0) with a draw from a bag: what the bag held before each of its
    rolls and draws, ``None`` for those that need none.

    It follows from the rules, and from orders and draws as they are recorded; an entry that today's rules cannot play
    is left out. Raises :class:`NoSuch` when there is nothing to prove.
    """
    with office.read() as session:
        game, moves = _counted(session, game_id)
        sheet = queries.sheet(game)
        found: dict[str, list[Bag | None]] = {}
        for entry, move in enumerate(moves, -1):
            if any("cubes" in draw for draw in move.chance):
                before = None if entry < 0 else _before(session, game_id, move)
                if (known := _watched(game, sheet, move, before)) is not None:
                    found["deal" if entry < 0 else str(entry)] = known
    return found


def _counted(session: Session, game_id: str) -> tuple[Game, Sequence[Move]]:
    game = queries.game(session, game_id)
    if game.status != GameStatus.OVER or not game.seed:
        raise NoSuch(f"Game {game_id} has no seed to show.")
    counts = (Move.game_id == game_id, Move.taken_back_by.is_(None), Move.cause.not_in(NOTES))
    moves = select(Move).where(*counts).order_by(Move.number).options(defer(Move.state), defer(Move.events))
    return game, session.scalars(moves).all()


def _before(session: Session, game_id: str, move: Move) -> bytes:
    query = select(Move.state).where(Move.game_id == game_id, Move.number == move.number - 1)
    return session.scalars(query).one()


def _watched(game: Game, sheet: Sheet, move: Move, before: bytes | None) -> list[Bag | None] | None:
    chance = WatchedChance(LoadedChance(list(move.chance)))
    try:
        if before is None:
            seats = sheet.position(decoded(sheet, move.state)).get("order") or ()
            sheet.start(tuple(seats), chance, game.options)
        else:
            state = decoded(sheet, before)
            sheet.play(state, move.seat, sheet.parse(state, move.orders, {}), chance)
    except (BadMove, Refused, ChanceMismatch) as refused:
        log.warning("order %s cannot be played again: %s", move.number, refused, extra={"game": game.id})
        return None
    return chance.bags
