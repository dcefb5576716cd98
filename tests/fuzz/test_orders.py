"""Orders that are nearly legal, on every sheet: played or refused with a sentence, and a refusal changes nothing."""

from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.chance import SeededChance
from pbem.engine.moves import BadMove, Move, Refused
from pbem.engine.sheet import Sheet
from pbem.rails.builder import builder_of
from tests.every_map.games import every_sheet
from tests.fuzz.budget import examples
from tests.fuzz.confuse import Confused
from tests.fuzz.mutate import mutated
from tests.fuzz.reached import Reached, orders, positions, seats
from tests.fuzz.sentences import check_said

lucks = st.randoms(use_true_random=False)


confused = cache(lambda sheet: Confused(sheet, seats(sheet)))


@cache
def built_in(sheet: Sheet) -> list[Reached]:
    """The positions in which something can be built."""
    return [place for place in positions(sheet) if sheet.placements(place.state)]


def wished(sheet: Sheet, luck: Random) -> tuple[Reached, str]:
    """A position and an order for it with faults, or one of another position."""
    places = positions(sheet)
    number, other = luck.randrange(len(places)), luck.randrange(len(places))
    order, others = luck.choice(orders(sheet, luck.choice((*[number] * 8, other)))), orders(sheet, number)[:20]
    text = confused(sheet).order(order, luck, *others) if luck.random() < 0.75 else mutated(order, luck, *others)
    return places[number], text


def names_of(sheet: Sheet) -> dict[str, str]:
    """Players whose names are words of orders, or have letters that orders are made of."""
    return dict(zip(seats(sheet), ("to", "J. (Smith) > x", "Müller", "red", "same", "ﬀ"), strict=False))


def read(sheet: Sheet, place: Reached, text: str) -> tuple[Move, ...]:
    """What a text says; nothing when it cannot be read, which is said in a sentence."""
    try:
        moves = sheet.parse(place.state, text, names_of(sheet))
    except BadMove as bad:
        check_said(str(bad.sentence()))
        check_place(bad, text)
        return ()
    written = "\n".join(map(str, moves))
    assert sheet.parse(place.state, written, names_of(sheet)) == moves
    return moves


def check_place(bad: BadMove, text: str) -> None:
    """A complaint names a place in the text, and can be read, stored and sent."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert 1 <= bad.line <= len(lines)
    assert 0 <= bad.column <= len(lines[bad.line - 1])
    assert len(bad.found) <= 40
    assert bad.found.isprintable()
    assert str(bad.sentence()).encode()


@pytest.mark.parametrize("sheet", every_sheet())
@examples(30)
@given(luck=lucks)
def test_an_order_with_faults_is_played_or_refused_in_a_sentence(sheet: Sheet, luck: Random) -> None:
    place, text = wished(sheet, luck)
    before = sheet.encode(place.state)
    if moves := read(sheet, place, text):
        for seat in {place.seat, luck.choice(seats(sheet))}:
            _judge(sheet, place, seat, moves)
    assert sheet.encode(place.state) == before


def _judge(sheet: Sheet, place: Reached, seat: str, moves: tuple[Move, ...]) -> None:
    try:
        step = sheet.play(place.state, seat, moves, SeededChance(b"fuzz", sheet.place(place.state)))
    except Refused as refused:
        check_said(refused.refusal.sentence())
        return
    assert seat == place.seat
    assert sheet.decode(sheet.encode(step.state)) == step.state
    assert all(str(event.text()) for event in step.events)


@pytest.mark.parametrize("sheet", every_sheet())
@examples(10)
@given(luck=lucks)
def test_standing_orders_of_others_with_faults_wait_or_are_refused_in_a_sentence(sheet: Sheet, luck: Random) -> None:
    place, text = wished(sheet, luck)
    if moves := read(sheet, place, text):
        try:
            waiting = sheet.take_standing_orders(place.state, luck.choice(seats(sheet)), moves)
        except Refused as refused:
            check_said(refused.refusal.sentence())
            return
        assert all(str(ahead.words) and ahead.moment for ahead in waiting)


@pytest.mark.parametrize("sheet", every_sheet())
@examples(10)
@given(luck=lucks)
def test_a_draft_shows_what_cannot_be_built_with_the_reason(sheet: Sheet, luck: Random) -> None:
    place = luck.choice(built_in(sheet))
    steps = [mutated(order, luck)[:80] for order in luck.sample(place.orders * 3, 2)]
    draft = builder_of(sheet).draft(place.state, steps)
    assert len(draft.steps) <= len(steps)
    for step in draft.steps:
        check_said(step.refusal.sentence() if step.refusal else "It can be built.")
    builder_of(sheet).tiles_at(place.state, steps, luck.choice(("A1", "E5", "Z99", "", "\x00")))
