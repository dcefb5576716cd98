"""Every option that is offered with a map changes something there."""

from collections.abc import Mapping

import pytest
from typing_extensions import override

from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine import Sheet, State, catalog, replace
from pbem.engine.chance import SeededChance
from pbem.engine.record import Record, start
from pbem.engine.sheet import Option
from tests.every_map.games import every_sheet, seed_of
from tests.every_map.random_player import RandomPlayer

NUMBER = 2
MOST_GAMES = 8
ELSEWHERE = {"east_west_bonus"}
"""Asked for only with a delivery from one coast to the other, which random play does not make; see the tests of R80."""
LISTED = (3, 4)
"""Turns in which all that could be built is listed."""
HIGH = 50


class Watched(dict[str, str]):
    """Options that remember what was asked for."""

    def __init__(self, values: Mapping[str, str]) -> None:
        super().__init__(values)
        self.asked: set[str] = set()

    @override
    def get(self, key: str, default: str = "") -> str:  # type: ignore[override]
        self.asked.add(key)
        return super().get(key, default)


def dealt(sheet: Sheet, options: Mapping[str, str]) -> State:
    return sheet.start(sheet.colours[: sheet.player_counts()[0]], SeededChance(seed_of(NUMBER), "deal"), options).state


def deals_otherwise(sheet: Sheet, option: Option) -> bool:
    """Whether a choice changes what is dealt."""
    deals = [replace(dealt(sheet, {option.key: choice}), options={}) for choice in option.choices]
    return any(deal != deals[0] for deal in deals)


@pytest.mark.parametrize("sheet", every_sheet())
def test_every_option_that_is_offered_is_one_the_rules_ask_for(sheet: Sheet) -> None:
    """In games that are played to their end, at the deal, or with an income that random players do not reach."""
    options = Watched({option.key: option.default for option in sheet.options()})
    idle = {option.key for option in sheet.options() if not deals_otherwise(sheet, option)} - ELSEWHERE
    for number in range(MOST_GAMES):
        if not idle - options.asked:
            return
        play(sheet, options, number)
    assert idle - options.asked == set()


def play(sheet: Sheet, options: Watched, number: int) -> None:
    """A game to its end with these options."""
    state, players = replace(dealt(sheet, {}), options=options), RandomPlayer(sheet, seed_of(number), rash=False)
    while not sheet.over(state):
        if sheet.phase(state) in ("build_track", "actions") and sheet.turn(state) in LISTED:
            sheet.placements(state)
        state = players.play(state)[1].state
    if isinstance(sheet, AgeOfSteam):
        sheet.income_reduction(state, HIGH)


@pytest.mark.parametrize("slug", ["detroit", "detroit_solo"])
def test_detroit_has_a_reduction_table_of_its_own(slug: str) -> None:
    """R134: the option of R55 is not offered, and a record from before that names it is read."""
    sheet = catalog.sheet("age-of-steam", slug)
    assert isinstance(sheet, AgeOfSteam)
    assert "reduction_table" not in {option.key for option in sheet.options()}
    chosen = {"reduction_table": "first_edition"}
    for income in range(60):
        state = replace(dealt(sheet, {}), options=chosen)
        assert sheet.income_reduction(state, income) == sheet.income_reduction(dealt(sheet, {}), income)
    record = Record(sheet.game, slug, chosen, sheet.colours[: sheet.player_counts()[0]], (), seed_of(1))
    assert start(sheet, record)[0].state.options == chosen
