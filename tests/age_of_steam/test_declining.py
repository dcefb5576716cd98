"""Production declined beforehand (R58 iii): its holder is asked before anything is drawn."""

from typing import Any

import pytest

from maps.hungary.rules import Hungary
from maps.poland.rules import Poland
from pbem.age_of_steam.events_goods import CubesDrawn, DiceRolled, ProductionDeclined
from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine.chance import ASKED_FIRST, ChanceMismatch, Draw, LoadedChance, NotedChance, SeededChance
from tests.age_of_steam.table import RUST_BELT, Table, dice, position

NO_LUCK = dice(6, 6, 6, dark=(6, 6, 6))
ASKED: Draw = {"for": ASKED_FIRST, "order": ["blue"]}
SHEETS = [RUST_BELT, Poland(), Hungary()]
BAG = {"red": 5, "blue": 5}


def asked_first(sheet: AgeOfSteam = RUST_BELT, drawn: tuple[Draw, ...] = (), **more: Any) -> Table:
    """The holder of Production is asked before the draw; Hungary has rolled its dice before."""
    first, then = ([*NO_LUCK], []) if isinstance(sheet, Hungary) else ([], NO_LUCK)
    holder = {"action": "production"}
    state = position("goods_growth", sheet=sheet, blue=holder, rolls=[*first, ASKED], **{"bag": BAG, **more})
    return Table(state, sheet=sheet, rolls=[*drawn, *then])


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.slug)
def test_who_declines_draws_nothing_and_the_game_goes_on(sheet: AgeOfSteam) -> None:
    table = asked_first(sheet)
    bag, display = table.state.bag, table.state.display
    table.play("blue", "produce decline")
    assert [event.seat for event in table.told(ProductionDeclined)] == ["blue"]
    assert (table.state.bag, table.state.display, table.state.turn) == (bag, display, 2)
    assert table.told(CubesDrawn) == []
    assert len(table.told(DiceRolled)) == (0 if isinstance(sheet, Hungary) else 2)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.slug)
def test_who_thinks_better_of_it_draws_and_is_asked_as_usual(sheet: AgeOfSteam) -> None:
    cubes = {"rust_belt": ["red", "blue"], "poland": ["red"], "hungary": ["red", "red", "blue", "blue"]}[sheet.slug]
    table = asked_first(sheet, ({"for": "production", "cubes": cubes},))
    assert table.legal == ("produce display", "produce decline")
    assert str(sheet.default(table.state)) == "produce display"
    question = sheet.question(table.state)
    assert (question.seat, str(question.act)) == ("blue", "Draw cubes or decline")
    assert [choice.order for choice in question.choices] == list(table.legal)
    table.play("blue", str(sheet.default(table.state)))
    assert table.asked == "blue"
    assert "produce decline" not in table.legal
    assert table.refusal("blue", "produce decline").rule


def test_other_orders_are_told_that_nothing_is_drawn_yet() -> None:
    assert "Nothing is drawn yet" in str(asked_first().refusal("blue", "produce any>L1 any>L2").why)


def test_nobody_is_asked_where_nothing_could_be_drawn() -> None:
    """A8: an empty bag, or no empty box."""
    chance = SeededChance(bytes(32), "1.1", frozenset({"blue"}))
    state = position("goods_growth", blue={"action": "production"}, bag={}, rolls=[])
    phase = RUST_BELT.phase_of(state)
    assert RUST_BELT.to_act(phase.begin(RUST_BELT, state, chance).state) is None


def test_only_the_holder_is_asked() -> None:
    chance = NotedChance(SeededChance(bytes(32), "1.1", frozenset({"green"})))
    state = position("goods_growth", bag=BAG)
    holder = state.with_player("blue", action="production")
    begun = RUST_BELT.phase_of(state).begin(RUST_BELT, holder, chance).state
    assert len(begun.scratch.drawn) == 2
    assert [note["for"] for note in chance.notes] == ["production"]


def test_a_record_says_that_somebody_was_asked_first() -> None:
    chance = NotedChance(SeededChance(bytes(32), "1.1", frozenset({"blue"})))
    assert chance.asks_first("blue")
    assert not chance.asks_first("green")
    assert chance.notes == [ASKED]
    again = LoadedChance(list(chance.notes))
    assert not again.asks_first("green")
    assert again.asks_first("blue")
    assert not again.asks_first("blue")
    with pytest.raises(ChanceMismatch):
        LoadedChance([ASKED]).dice("growth-light", 3)
