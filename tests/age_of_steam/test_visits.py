"""Several placements of one build on the same hex, as the one placement that leads to the same tile (R23)."""

from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.visits import Visits, at_once, priced
from tests.age_of_steam.table import RUST_BELT, position


def placed(tile: str, old: str, *added: tuple[int, int], turned: dict[tuple[int, int], tuple[int, int]]) -> Placement:
    return Placement("S10", tile, old, added, tuple(turned.items()))


def test_track_that_is_turned_twice_was_turned_once() -> None:
    first = placed("gentle", "straight", turned={(0, 3): (0, 2)})
    second = placed("acute", "gentle", turned={(0, 2): (0, 1)})
    assert at_once(first, second) == placed("acute", "straight", turned={(0, 3): (0, 1)})


def test_track_that_was_added_and_turned_was_added_as_it_lies_in_the_end() -> None:
    first = placed("straight", "", (0, 3), turned={})
    second = placed("gentle", "straight", turned={(0, 3): (0, 2)})
    assert at_once(first, second) == placed("gentle", "", (0, 2), turned={})


def test_track_that_lay_there_before_and_is_turned_by_the_second_counts_as_turned() -> None:
    first = placed("cross_straight_straight", "straight", (1, 4), turned={})
    second = placed("cross_gentle_straight", "cross_straight_straight", turned={(0, 3): (0, 2)})
    assert at_once(first, second) == placed("cross_gentle_straight", "straight", (1, 4), turned={(0, 3): (0, 2)})


def test_track_that_is_turned_back_was_not_turned() -> None:
    first = placed("gentle", "straight", turned={(0, 3): (0, 2)})
    second = placed("straight", "gentle", turned={(0, 2): (0, 3)})
    assert at_once(first, second).turned == ()


def test_the_third_visit_of_a_hex_goes_on_from_the_second() -> None:
    """R23: a hex is one visit, with all that was paid for it."""
    state = position()
    first = placed("straight", "", (0, 3), turned={})
    second = placed("gentle", "straight", turned={(0, 3): (0, 2)})
    third = placed("acute", "gentle", turned={(0, 2): (0, 1)})
    paid = 0
    visits: Visits = ()
    for placement in (first, second, third):
        price, visits = priced(RUST_BELT, state, "blue", visits, placement)
        paid += price
    (visit,) = visits
    assert (visit.placement, visit.paid) == (placed("acute", "", (0, 1), turned={}), paid)
