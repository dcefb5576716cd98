"""Fitting the weights of reviews: what is put into samples comes out of them."""

import random

import pytest

from bench.review import (
    BINS,
    FOLDS,
    Sample,
    calibration,
    correlation,
    expected,
    left_out,
    likeliest,
    ridge,
    solved,
    standard_error,
)
from pbem.robot.review.value import FEATURES

SEATS = ("red", "blue", "green")
WEIGHTS = [6.0, -3.0, *[0.0] * (len(FEATURES) - 2)]


@pytest.fixture
def samples() -> list[Sample]:
    """Games of three, in which points follow from two features and noise, and the most points win."""
    luck, found = random.Random(7), []
    for game in range(200):
        rows = [[luck.gauss(0, 1) for _ in FEATURES] for _ in SEATS]
        points = [40 + sum(w * f for w, f in zip(WEIGHTS, row, strict=True)) + luck.gauss(0, 4) for row in rows]
        best = points.index(max(points))
        found += [
            Sample(game, 4, seat, tuple(row), value, float(place == best))
            for place, (seat, row, value) in enumerate(zip(SEATS, rows, points, strict=True))
        ]
    return found


def test_equations_are_solved() -> None:
    assert solved([[2.0, 1.0], [1.0, 3.0]], [5.0, 10.0]) == pytest.approx([1.0, 3.0])


def test_weights_come_out_as_they_were_put_in(samples: list[Sample]) -> None:
    fitted = ridge(samples)
    assert fitted["points"] == pytest.approx(40, abs=1)
    assert fitted["weights"] == pytest.approx(WEIGHTS, abs=0.8)
    assert expected(fitted, tuple(fitted["means"])) == pytest.approx(fitted["points"])


def test_chances_of_games_that_were_left_out_come_true(samples: list[Sample]) -> None:
    left_out(samples)
    assert correlation(samples) == pytest.approx(0.85, abs=0.06)
    assert likeliest(samples) == pytest.approx(4, abs=1)
    bins = calibration(samples)
    assert sum(one["n"] for one in bins) == len(samples)
    assert {one["to"] for one in bins} <= set(BINS)
    assert all(abs(one["mean"] - one["won"]) < 3 * one["se"] for one in bins)


def test_what_is_expected_of_a_game_does_not_follow_from_it(samples: list[Sample]) -> None:
    left_out(samples)
    before = [sample.expected for sample in samples if sample.game % FOLDS == 0]
    for sample in samples:
        if sample.game % FOLDS == 0:
            sample.points += 1000
    left_out(samples)
    assert [sample.expected for sample in samples if sample.game % FOLDS == 0] == before


def test_forecasts_of_one_game_that_come_true_together_count_as_one() -> None:
    features = (0.0,) * len(FEATURES)
    found = [Sample(game, turn, "red", features, 0.0, float(game % 2)) for game in range(10) for turn in range(5)]
    for sample in found:
        sample.chance = 0.5
    once = standard_error(found[::5])
    assert once == pytest.approx(0.5 / 10**0.5)
    assert standard_error(found) == pytest.approx(once)
    for sample in found:
        sample.won = float(sample.turn % 2)
    assert standard_error(found) == pytest.approx(0.5 / 50**0.5)
