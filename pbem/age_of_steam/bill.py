"""The end of the turn as figures: what is to be paid, what with, and what is left (sections VI to VIII)."""

from __future__ import annotations

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.moves import Seat
from pbem.engine.overview import Line, Overview
from pbem.engine.text import Say, count_say, say


def bill(rules: Rules, state: State, seat: Seat) -> Overview:
    """What the turn ends with if the player gains no income any more."""
    player, due = state.players[seat], rules.expenses(state, seat)
    means = say(
        "${cash} and income {income}: ${n}", cash=player.cash, income=player.income, n=player.cash + player.income
    )
    return Overview(
        say("At the end of this turn"),
        (),
        (
            Line(say("You pay"), (_due(state, seat, due),)),
            Line(say("You have"), (means,)),
            Line(say("Then"), (left(rules, state, seat, player.cash, due),)),
        ),
        say("This assumes no more deliveries. Each step of income adds $1."),
    )


def _due(state: State, seat: Seat, due: int) -> Say:
    player = state.players[seat]
    shares = count_say("{n} share", "{n} shares", player.shares)
    if due == player.shares + player.engine:
        return say("${due}: {shares}, engine {engine}", due=due, shares=shares, engine=player.engine)
    return say("${due}", due=due)


def left(rules: Rules, state: State, seat: Seat, cash: int, due: int) -> Say:
    """What is left of ``cash`` when ``due`` dollars are paid at the end of the turn, as things stand."""
    income = state.players[seat].income
    rest = cash + income - due
    if rest < 0:
        lowered = rules.lowered_income(state, seat, -rest)
        if lowered < 0:
            return say("${short} short: you would be out of the game", short=-rest)
        return say("${short} short: income {income} becomes {lowered}", short=-rest, income=income, lowered=lowered)
    if income < 0:
        return say("${left} left, but income {income}: you would be out of the game", left=rest, income=income)
    reduced = income - rules.income_reduction(state, income)
    if reduced < income:
        return say(
            "${left} left; income {income}, then {reduced} after income reduction",
            left=rest,
            income=income,
            reduced=reduced,
        )
    return say("${left} left; income {income}", left=rest, income=income)
