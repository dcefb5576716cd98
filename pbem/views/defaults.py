"""What a game asks now, with what really happens when the time for the answer is over: the host may have chosen that
no safe order is played then.
"""

from pbem.engine import Question, Say, replace, say
from pbem.views.games import GameView


def question(game: GameView) -> Question:
    """The open question of a game that has started and is not over."""
    asked = game.sheet.question(game.state)
    at_zero = game.time_control.at_zero if game.time_control else "default"
    return replace(asked, otherwise=_otherwise(asked.otherwise, at_zero, game.seat_offered))


def _otherwise(safe: Say, at_zero: str, offered: bool) -> Say:
    """To follow "if you do not answer". A seat is offered once; when nobody has taken it, the safe order is played."""
    if at_zero == "caretaker":
        return say("a caretaker plays for you until you are back")
    if at_zero == "substitute" and not offered:
        return say("your seat is offered to a substitute, and the game waits for one as long again")
    return safe
