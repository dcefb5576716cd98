"""Whether orders could be played now, without playing them."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.chance import NO_SEED, SeededChance
from pbem.engine.moves import BadMove, Move, Refused, Seat, placed
from pbem.language import orders
from pbem.views.games import GameView


@dataclass(frozen=True, slots=True)
class Check:
    """``words``: why not when ``bad``, else the orders in canonical notation."""

    bad: bool
    words: str
    moves: tuple[Move, ...] = ()


def check(game: GameView, seat: Seat, text: str) -> Check:
    """Judge orders of the seat that is asked."""
    try:
        moves = orders.parse(game.sheet, game.state, text, game.names)
        game.sheet.play(game.state, seat, moves, SeededChance(NO_SEED, "check"))
    except (BadMove, Refused) as error:
        return Check(True, why(game, error))
    return Check(False, "; ".join(map(str, moves)), moves)


def why(game: GameView, error: BadMove | Refused) -> str:
    """Why orders cannot be played, with the place where they fail."""
    if isinstance(error, BadMove):
        return error.sentence().read(game.voice)
    refusal = error.refusal
    return placed(refusal.sentence(game.voice), error.line, refusal.step, refusal.whole).read(game.voice)
