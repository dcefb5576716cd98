"""Fate: the same seed gives the same, a record plays back what it says and nothing impossible."""

import hashlib
from collections import Counter

import pytest

from pbem.engine.chance import (
    ASKED_FIRST,
    NO_SEED,
    ChanceMismatch,
    LoadedChance,
    NotedChance,
    SeededChance,
    commitment,
    contents,
)

BAG = {"red": 2, "blue": 1}


def seeded(place: str = "1.1") -> SeededChance:
    return SeededChance(NO_SEED, place)


def test_the_same_place_and_purpose_give_the_same_dice_and_others_do_not() -> None:
    once = seeded().dice("light", 20)
    assert seeded().dice("light", 20) == once
    assert seeded().dice("dark", 20) != once
    assert seeded("1.2").dice("light", 20) != once
    assert SeededChance(b"another", "1.1").dice("light", 20) != once


def test_a_second_roll_for_a_purpose_is_another_one() -> None:
    chance = seeded()
    assert chance.dice("light", 20) != chance.dice("light", 20)


def test_dice_show_one_to_six_about_equally_often() -> None:
    counted = Counter(seeded().dice("many", 6000))
    assert sorted(counted) == [1, 2, 3, 4, 5, 6]
    assert all(900 < number < 1100 for number in counted.values())


def test_a_draw_takes_no_more_than_the_bag_holds() -> None:
    assert Counter(seeded().draw("all", BAG, 9)) == Counter(BAG)
    assert len(seeded().draw("two", BAG, 2)) == 2
    assert contents(BAG) == ["blue", "red", "red"]


def test_the_order_does_not_depend_on_how_the_items_are_listed() -> None:
    assert seeded().order("seats", ["a", "b", "c"]) == seeded().order("seats", ["c", "a", "b"])


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(b"seed") == hashlib.sha256(b"seed").hexdigest()


def test_what_was_noted_is_played_back() -> None:
    noted = NotedChance(seeded())
    told = noted.dice("light", 3), noted.draw("deal", BAG, 2), noted.order("seats", ["a", "b"])
    again = LoadedChance(list(noted.notes))
    assert (again.dice("light", 3), again.draw("deal", BAG, 2), again.order("seats", ["a", "b"])) == told


def test_who_is_asked_first_is_told_in_the_record() -> None:
    noted = NotedChance(SeededChance(NO_SEED, "1.1", frozenset({"red"})))
    assert (noted.asks_first("red"), noted.asks_first("blue")) == (True, False)
    assert noted.notes == [{"for": ASKED_FIRST, "order": ["red"]}]


@pytest.mark.parametrize(
    "draw",
    [
        {"for": "light", "dice": [7]}, {"for": "light", "dice": [0]}, {"for": "light", "dice": [True]},
        {"for": "light", "dice": [1, 2]}, {"for": "dark", "dice": [1]}, {"for": "light", "cubes": ["red"]},
    ],
)  # fmt: skip
def test_dice_that_cannot_have_been_rolled_are_refused(draw: dict[str, object]) -> None:
    with pytest.raises(ChanceMismatch):
        LoadedChance([draw]).dice("light", 1)


@pytest.mark.parametrize("cubes", [["blue", "blue"], ["green", "red"], ["red"], ["red", "red", "blue"]])
def test_cubes_that_the_bag_does_not_hold_are_refused(cubes: list[str]) -> None:
    with pytest.raises(ChanceMismatch):
        LoadedChance([{"for": "deal", "cubes": cubes}]).draw("deal", BAG, 2)


def test_a_record_that_ends_too_early_is_refused() -> None:
    with pytest.raises(ChanceMismatch):
        LoadedChance([]).dice("light", 1)
