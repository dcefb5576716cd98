"""What a robot looks at before it decides: its money, and positions after orders it only tries."""

from dataclasses import dataclass

from pbem.engine import BadMove, Choice, Refused, Sheet, State
from pbem.engine.chance import NO_SEED, SeededChance

LOOK_AHEAD = 30
"""Decisions of others until the robot delivers, at most."""


@dataclass(frozen=True, slots=True)
class Purse:
    """The money of a seat in dollars, and its engine."""

    cash: int
    income: int
    bill: int
    engine: int

    @property
    def spare(self) -> int:
        """What can be spent if nothing more is earned this turn."""
        return self.cash + self.income - self.bill


def purse(sheet: Sheet, state: State, seat: str) -> Purse:
    """The money of a seat; what a game does not have is 0."""
    cells = sheet.figures(state, seat)
    figures = (cells.get(key) for key in ("cash", "income", "bill", "engine"))
    return Purse(*(figure if isinstance(figure, int) else 0 for figure in figures))


def after(sheet: Sheet, state: State, seat: str, order: str) -> State | None:
    try:
        return sheet.play(state, seat, sheet.parse(state, order, {}), SeededChance(NO_SEED, sheet.place(state))).state
    except (BadMove, Refused):
        return None


def next_deliveries(sheet: Sheet, state: State, seat: str) -> tuple[Choice, ...]:
    """What the seat could choose from in its next delivery of this turn; empty when it does not come so far.

    Everybody does what happens to a player who says nothing until then.
    """
    turn, then = sheet.turn(state), state
    for _ in range(LOOK_AHEAD):
        asked = sheet.to_act(then)
        if asked is None or sheet.turn(then) != turn:
            return ()
        if asked == seat and (question := sheet.question(then)).form == "deliver":
            return question.choices
        played = after(sheet, then, asked, str(sheet.default(then)))
        assert played is not None, "a default order is always legal"
        then = played
    return ()


def pays(choice: Choice, seat: str) -> float:
    """What a choice gains for the seat, less a part of what it gains for others."""
    others = sum(steps for other, steps in choice.gains.items() if other != seat)
    return choice.gains.get(seat, 0) - 0.3 * others
