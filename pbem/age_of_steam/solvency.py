"""Whether a company can pay its bill at the end of the turn, by what is known now (sections VI and VII)."""

from __future__ import annotations

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.moves import Seat


def missing(rules: Rules, state: State, seat: Seat) -> int:
    """Dollars that the company is short of when income is collected and the bill is due as things stand; 0: none."""
    player = state.players[seat]
    return max(0, rules.expenses(state, seat) - player.cash - player.income)


def bankrupt(rules: Rules, state: State, seat: Seat) -> bool:
    """Whether the income of the company would lie below 0 when the bill is paid, so that it is out (R63, R65)."""
    short = missing(rules, state, seat)
    income = rules.lowered_income(state, seat, short) if short else state.players[seat].income
    return income < 0


def saving(rules: Rules, state: State, seat: Seat) -> int:
    """The steps of income that a company has to gain at least in order not to go bankrupt; 0 when none are needed."""
    income, steps = state.players[seat].income, 0
    while bankrupt(rules, state.with_player(seat, income=income + steps), seat):
        steps += 1
    return steps
