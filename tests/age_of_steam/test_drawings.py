"""Maps that somebody might draw are played beside the referee, and are the same map wherever their text goes."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import read_record, verify, write_record
from tests.age_of_steam.drawings import draw
from tests.every_map.watched import SENSIBLE, WHOLE, watch
from tests.fuzz.sentences import examples

lucks = st.randoms(use_true_random=False)


def drawn(luck: Random) -> str:
    """A drawing without fault: a place in a lake is drawn again."""
    while True:
        text = draw(luck)
        faults = catalog.check("drawn", text).faults
        if not faults:
            return text
        assert all("cannot be reached" in str(fault.sentence) for fault in faults), faults


@examples(50)
@given(luck=lucks)
def test_a_drawn_map_is_played_to_its_end_beside_the_referee(luck: Random) -> None:
    sheet = catalog.own("age-of-steam", drawn(luck))
    sensible = luck.random() < 0.5
    number = luck.randrange(1, 10_000) * SENSIBLE if sensible else luck.randrange(10_000) * SENSIBLE + 1
    assert watch(sheet, luck.choice(sheet.player_counts()), number, WHOLE) > 0


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2000))
def test_many_drawn_maps_are_played_to_their_end(number: int) -> None:
    luck = Random(number)
    sheet = catalog.own("age-of-steam", drawn(luck))
    for players in sheet.player_counts():
        assert watch(sheet, players, number * (SENSIBLE if players % 2 else 1), WHOLE) > 0


@examples(20)
@given(luck=lucks)
def test_a_record_is_proved_with_the_map_that_it_holds(luck: Random) -> None:
    sheet = catalog.own("age-of-steam", drawn(luck))
    record, _ = play(sheet, sheet.player_counts()[0], str(luck.randrange(1000)))
    again = read_record(json.dumps(write_record(record)))
    assert again.map == sheet.slug
    assert verify(catalog.of_record(again), again).faults == ()
