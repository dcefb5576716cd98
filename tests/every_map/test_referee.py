"""The referee of random play sees what is wrong in a game, and nothing else."""

from collections.abc import Callable
from itertools import islice

import pytest

from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.state import State
from pbem.engine import Step, catalog, replace
from tests.every_map.games import deal, play
from tests.every_map.watched import QUICK, watch
from tests.referee import Referee

ORDERS = 40
"""By then there is track on the board, and the first goods have been moved."""


def played() -> tuple[Referee, list[tuple[str, str, Step[State]]]]:
    """A referee who has seen all of a game but its last order, which comes last in the list."""
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    assert isinstance(sheet, AgeOfSteam)
    dealt = deal(sheet, 0, 3)
    orders = [(one.seat, one.order, one.step) for one in islice(play(sheet, 0, dealt), ORDERS)]
    referee = Referee(sheet, dealt)
    for order in orders[:-1]:
        referee.watch(*order)
    return referee, orders


def without_a_cube(state: State) -> State:
    colour = next(colour for colour, count in state.bag.items() if count)
    return replace(state, bag={**state.bag, colour: state.bag[colour] - 1})


def with_a_dollar(state: State) -> State:
    seat = state.order[0]
    return state.with_player(seat, cash=state.players[seat].cash + 1)


def with_a_share(state: State) -> State:
    seat = state.order[0]
    return state.with_player(seat, shares=state.players[seat].shares + 1)


def without_track(state: State) -> State:
    hex_ = next(hex_ for hex_, lying in state.track.items() if lying)
    return replace(state, track={label: lying for label, lying in state.track.items() if label != hex_})


def with_somebody_elses_link(state: State) -> State:
    hex_, (segment, *others) = next((hex_, lying) for hex_, lying in state.track.items() if lying and lying[0].owner)
    other = next(seat for seat in state.order if seat != segment.owner)
    return replace(state, track={**state.track, hex_: (segment._replace(owner=other), *others)})


@pytest.mark.parametrize(
    ("spoiled", "sentence"),
    [
        (without_a_cube, "cubes appeared or vanished"),
        (with_a_dollar, "cash of"),
        (with_a_share, "points of|shares of"),
        (without_track, "track was removed|is no link|hangs on nothing|reaches no City"),
        (with_somebody_elses_link, "points of"),
    ],
)
def test_what_is_wrong_in_a_position_is_named(spoiled: Callable[[State], State], sentence: str) -> None:
    referee, orders = played()
    seat, order, step = orders[-1]
    with pytest.raises(AssertionError, match=sentence):
        referee.watch(seat, order, Step(spoiled(step.state), step.events))


def test_what_is_right_passes() -> None:
    referee, orders = played()
    referee.watch(*orders[-1])


def test_players_have_the_colours_of_cubes_and_are_none() -> None:
    """Western U.S. notes whom the builder may give the bonus of the Transcontinental railroad."""
    assert watch(catalog.sheet("age-of-steam", "western_us"), 4, 225, QUICK) > 100
