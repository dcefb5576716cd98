"""``docs/dice.md`` is what the program does: its code runs, and it rolls the same."""

import doctest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine import catalog
from pbem.engine.chance import SeededChance, commitment

PAGE = Path(__file__).parents[2] / "docs" / "dice.md"
SEEDS = st.binary(min_size=32, max_size=32)
PLACES = st.from_regex(r"[0-9]{1,2}[.][0-9]{1,3}", fullmatch=True)
PURPOSES = st.sampled_from(["order", "growth-light", "growth-dark", "production", "extra", "deal"])
BAGS = st.dictionaries(st.sampled_from(["red", "blue", "purple", "yellow", "black"]), st.integers(0, 5))


@pytest.fixture(scope="module")
def page() -> dict[str, Callable[..., Any]]:
    """The functions that the page defines, having checked every example on it."""
    functions: dict[str, Any] = {}
    text = PAGE.read_text()
    examples = doctest.DocTestParser().get_doctest(text, functions, "dice.md", str(PAGE), 0)
    outcome = doctest.DocTestRunner().run(examples, clear_globs=False)
    assert outcome.attempted > 8
    assert outcome.failed == 0
    return examples.globs


def test_the_examples_of_the_page_hold(page: dict[str, Callable[..., Any]]) -> None:
    assert commitment(bytes(range(32))) in PAGE.read_text()
    assert callable(page["numbers"])


@given(seed=SEEDS, place=PLACES, purpose=PURPOSES, count=st.integers(0, 12))
def test_the_page_rolls_the_dice_of_the_program(
    page: dict[str, Callable[..., Any]], seed: bytes, place: str, purpose: str, count: int
) -> None:
    chance = SeededChance(seed, place)
    for nth in (1, 2):
        assert page["dice"](page["numbers"](seed, place, purpose, nth), count) == [*chance.dice(purpose, count)]


@given(seed=SEEDS, place=PLACES, purpose=PURPOSES, bag=BAGS, count=st.integers(0, 30))
def test_the_page_draws_the_cubes_of_the_program(
    page: dict[str, Callable[..., Any]], seed: bytes, place: str, purpose: str, bag: dict[str, int], count: int
) -> None:
    cubes = [colour for colour, number in bag.items() for _ in range(number)]
    drawn = SeededChance(seed, place).draw(purpose, bag, count)
    assert page["draw"](page["numbers"](seed, place, purpose), cubes, count) == [*drawn]


@given(seed=SEEDS, seats=st.permutations(["brown", "red", "purple", "pink"]))
def test_the_page_orders_as_the_program(page: dict[str, Callable[..., Any]], seed: bytes, seats: list[str]) -> None:
    order = SeededChance(seed, "deal").order("order", seats)
    assert page["draw"](page["numbers"](seed, "deal", "order"), seats, len(seats)) == [*order]


def test_the_place_counts_submissions_from_nought_after_the_turn() -> None:
    """As the page says; moves played unasked do not count."""
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    state = sheet.start(["green", "red", "blue"], SeededChance(bytes(32), "deal"), {}).state
    for number in range(20):
        assert sheet.place(state) == f"{sheet.turn(state)}.{number}"
        moves = sheet.parse(state, "issue 3" if number < 3 else str(sheet.default(state)), {})
        state = sheet.play(state, sheet.to_act(state) or "", moves, SeededChance(bytes(32), sheet.place(state))).state
