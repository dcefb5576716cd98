"""Production that is declined beforehand, on every map that has it: the record says it all, and proves it."""

import random

import pytest
from _pytest.mark import ParameterSet

from pbem import robot
from pbem.engine import BadMove, Refused, Sheet, catalog
from pbem.engine.chance import ASKED_FIRST, NotedChance, SeededChance, commitment
from pbem.engine.record import Entry, Record, digest, replay, result_lines, verify
from pbem.engine.standing_orders import FIRST
from tests.every_map.games import deal, players_of, seed_of

TURNS = 3
ENOUGH_ORDERS = 250


def drawing() -> list[ParameterSet]:
    """The sheets on which it can be declined before anything is drawn."""
    return [pytest.param(sheet, id=sheet.slug) for sheet in catalog.sheets() if _can_decline(sheet)]


def _can_decline(sheet: Sheet) -> bool:
    state = deal(sheet, 1)
    seat = sheet.to_act(state) or ""
    try:
        (order,) = sheet.take_standing_orders(state, seat, sheet.parse(state, "produce decline", {}))
    except (BadMove, Refused):
        return False
    return bool(order.guard.get(FIRST))


def test_most_maps_have_it() -> None:
    """France asks always; Detroit, Heavy Cardboard and St. Lucia have no Production."""
    assert {param.id for param in drawing()} >= {"barbados", "finland", "hungary", "new_england", "poland", "rust_belt"}
    for slug in ("detroit", "detroit_solo", "france", "heavy_cardboard", "st_lucia"):
        assert not _can_decline(catalog.sheet("age-of-steam", slug))


@pytest.mark.parametrize("sheet", drawing())
def test_a_game_with_declined_productions_is_replayed_and_proved(sheet: Sheet) -> None:
    number, luck = 4, random.Random(4)
    state, turns = deal(sheet, number), list[Entry]()
    declined = drawn = 0
    while sheet.turn(state) <= TURNS and not sheet.over(state) and len(turns) < ENOUGH_ORDERS:
        seat = sheet.to_act(state) or ""
        legal = sheet.legal(state) or ()
        if "action production" in legal:
            order = "action production"
        elif "produce decline" in legal:
            order = luck.choice(("produce decline", "produce display"))
            declined, drawn = declined + (order == "produce decline"), drawn + (order == "produce display")
        else:
            order = robot.choose(sheet, state, luck)
        chance = NotedChance(SeededChance(seed_of(number), sheet.place(state), frozenset(players_of(sheet, number))))
        turn, phase = sheet.turn(state), sheet.phase(state)
        state = sheet.play(state, seat, sheet.parse(state, order, {}), chance).state
        turns.append(Entry(turn, phase, seat, order, tuple(chance.notes) or None, digest=digest(sheet, state)))
    record = Record(
        sheet.game, sheet.slug, {}, players_of(sheet, number), tuple(turns), seed_of(number),
        commitment(seed_of(number)), result=result_lines(sheet, state), ended_early=True,
    )  # fmt: skip
    assert declined + drawn > 0
    assert any(draw["for"] == ASKED_FIRST for entry in turns for draw in entry.chance or ())
    assert verify(sheet, record).faults == ()
    for played in replay(sheet, record, store=True):
        assert played.refusal is None
        assert digest(sheet, played.state) == turns[played.number].digest
