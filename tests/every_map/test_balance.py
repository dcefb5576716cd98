"""What a question says of the end of the turn is what the phases at its end do, on every sheet that has a bill."""

import pytest

from pbem.age_of_steam.events import Eliminated, IncomeLowered
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases import CollectIncome, PayExpenses
from pbem.age_of_steam.state import State
from pbem.engine import Seat, Step, catalog
from pbem.engine.chance import SeededChance
from pbem.engine.overview import Balance
from tests.every_map.games import deal, seed_of
from tests.every_map.random_player import RandomPlayer

SHEETS = [sheet for sheet in catalog.sheets() if isinstance(sheet, AgeOfSteam)]
GAMES = (1, 2, 3)
"""Rash players are soon short of money, thrifty ones last longer."""


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.slug)
def test_the_balance_agrees_with_the_phases_that_take_the_bill(sheet: AgeOfSteam) -> None:
    seen = {True: 0, False: 0}
    for number in GAMES:
        state: State = deal(sheet, number, max(sheet.player_counts()))
        players = RandomPlayer(sheet, seed_of(number), rash=number < max(GAMES))
        while (seat := sheet.to_act(state)) is not None:
            balance = sheet.balance(state, seat)
            if balance is not None:
                check(sheet, state, seat, balance)
                seen[balance.short] += 1
            state = players.play(state)[1].state
    assert seen[False] > 10


def check(sheet: AgeOfSteam, state: State, seat: Seat, balance: Balance) -> None:
    paid = at_the_end(sheet, state)
    is_short = any(isinstance(event, IncomeLowered | Eliminated) and event.seat == seat for event in paid.events)
    assert balance.short == is_short, str(balance.line)
    if not is_short:
        assert balance.line.values["rest"] == paid.state.players[seat].cash


def at_the_end(sheet: AgeOfSteam, state: State) -> Step[State]:
    """Income is collected and bills are paid as things stand."""
    collect, pay = (
        next(phase for phase in sheet.phases if isinstance(phase, kind)) for kind in (CollectIncome, PayExpenses)
    )
    chance = SeededChance(b"balance", "")
    return pay.begin(sheet, collect.begin(sheet, state, chance).state, chance)


def test_what_is_put_together_is_taken_off_first() -> None:
    (sheet,) = (sheet for sheet in SHEETS if sheet.slug.endswith("rust_belt"))
    state = deal(sheet, 1, 4)
    seat = sheet.to_act(state)
    assert seat is not None
    cash = state.players[seat].cash
    dear = sheet.balance(state, seat, cash)
    assert dear is not None
    assert dear.short
    assert str(dear.line).startswith(f"Cash ${cash} − this order ${cash} + income 0 − bill $3: $3 short: ")
