"""Balance reports: seats are blamed for more than chance and for nothing else, and a seed always plays the same."""

import random
from collections.abc import Sequence

import pytest

from pbem.engine import Sheet, catalog
from pbem.robot.balance.figures import figures, medians
from pbem.robot.balance.games import Game, play
from pbem.robot.balance.student import quantile, within
from tests.drawn import SMALL

COUNTS = (3, 4, 5)
GAMES = 20


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return catalog.own(catalog.GAME_OF_DRAWINGS, SMALL)


def game(points: Sequence[int], **changes: object) -> Game:
    nothing = {"orders": (1,), "money": (), "cubes": 10, "delivered": 5, "ridden": 5, "built": 1, "uses": {}}
    values = {"points": tuple(points), "out": (False,) * len(points), "track": (), **nothing, **changes}
    return Game(**values)  # type: ignore[arg-type] # the values of a game


def simulated(luck: random.Random, better: int = 0) -> list[Game]:
    """A report of a fair map; with four players one seat may be ``better``."""
    return [
        game([round(luck.gauss(70, 20)) + better * (players == 4 and seat == 2) for seat in range(players)])
        for players in COUNTS
        for _ in range(GAMES)
    ]


@pytest.mark.parametrize(
    ("probability", "degrees", "value"),
    [(0.975, 1, 12.7062), (0.975, 2, 4.30265), (0.95, 3, 2.35336), (0.975, 4, 2.77645), (0.995, 19, 2.86093)],
)
def test_quantiles_are_those_of_tables(probability: float, degrees: int, value: float) -> None:
    assert quantile(probability, degrees) == pytest.approx(value, rel=1e-5)
    assert (1 + within(value, degrees)) / 2 == pytest.approx(probability, abs=1e-5)


@pytest.mark.parametrize(("games", "bound"), [(20, 3.3), (10, 3.8)])
def test_the_bound_for_twelve_seats_is_that_of_the_design(games: int, bound: float) -> None:
    assert round(quantile(1 - 0.05 / (2 * 12), games - 1), 1) == bound


def test_a_fair_map_is_blamed_in_at_most_seven_of_a_hundred_reports() -> None:
    luck = random.Random(35)
    assert 0 < sum(bool(figures(simulated(luck)).unfair) for _ in range(300)) <= 21


def test_a_seat_that_is_ten_points_better_is_found() -> None:
    luck = random.Random(10)
    calm = [
        game([round(luck.gauss(70, 6)) + 10 * (seat == 2) for seat in range(players)])
        for players in COUNTS
        for _ in range(GAMES)
    ]
    found = figures(calm).unfair
    assert {(players, place) for players, place, seat in found if seat.mean > 0} == {(3, 3), (4, 3), (5, 3)}


def test_few_games_say_nothing_about_seats() -> None:
    found = figures([game((100, 0, 0)) for _ in range(4)])
    assert (found.unfair, found.judged) == ((), False)
    assert figures([game((100,)) for _ in range(GAMES)]).judged is False
    assert figures([]).counts == ()


def test_bankruptcies_goods_and_places_are_looked_at_beyond_their_bounds() -> None:
    poor = [game((50, -25), out=(False, True), cubes=100, delivered=29) for _ in range(2)]
    rich = [game((50, 40), uses={"A1": (1, 0, 0), "B2": (0, 1, 2)}, track=("C3",)) for _ in range(18)]
    found = figures(poor + rich, [("A1",), ("B2", "B4"), ("D1",)])
    assert (found.out, found.players, found.much_bankrupt) == (2, 40, False)
    assert figures(poor + rich[:10]).much_bankrupt
    assert [(use.label, round(use.all, 1), use.look) for use in found.uses] == [
        ("B2", 2.7, False), ("A1", 0.9, False), ("D1", 0, True),
    ]  # fmt: skip
    assert found.track == {"C3": 0.9}
    assert found.delivered == (2 * 29 + 18 * 5) / (2 * 100 + 18 * 10)
    assert figures(poor).counts[0].look
    assert not figures(rich).counts[0].look


def test_money_is_the_median_of_those_who_are_left() -> None:
    rows = [((10, 1, 2), None), ((20, 3, 2), None), ((60, 5, 4), (7, 7, 7))]
    assert medians([game((1, 2), money=(row,)) for row in rows]) == (((20, 3, 2), (7, 7, 7)),)
    assert medians([game((1, 2), money=((None, None),))]) == ((None, None),)


def test_a_seed_always_plays_the_same_games_and_another_one_others(sheet: Sheet) -> None:
    looks: list[int] = []
    first = play(sheet, 3, "seed", 0, lambda: looks.append(1))
    assert first == play(sheet, 3, "seed", 0, lambda: None)
    assert first not in (play(sheet, 3, "seed", 1, lambda: None), play(sheet, 3, "other", 0, lambda: None))
    assert len(looks) == sum(first.orders)
    assert (first.players, len(first.orders), len(first.money)) == (3, 2, 2)
    assert first.delivered == sum(begin for begin, _, _ in first.uses.values())
    assert first.ridden == sum(end + passing for _, end, passing in first.uses.values())
    assert first.track
    assert first.cubes >= 7
