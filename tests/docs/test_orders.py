"""``docs/orders.md`` shows only orders that can be read."""

import re
from pathlib import Path

import pytest

from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine import catalog
from pbem.engine.chance import DEAL, SeededChance
from pbem.engine.flow import FirstLegal

PAGE = Path(__file__).parents[2] / "docs" / "orders.md"
SHEET = catalog.sheet("age-of-steam", "rust_belt")
STATE = SHEET.start(["green", "red", "blue"], SeededChance(bytes(32), DEAL), {}).state


AHEAD = "## Standing orders"
ENGLAND = catalog.sheet("steam-power", "northern_england")


def shown() -> list[str]:
    """The orders of the page: the first column of its tables, steps with ``build`` before them, and its examples."""
    orders: list[str] = []
    step = False
    for line in PAGE.read_text().partition(AHEAD)[0].splitlines():
        step = line.startswith("| step") or (step and line.startswith("|"))
        if line.startswith("    "):
            orders.append(line.strip())
        elif line.startswith("| `"):
            order = line.split("`")[1]
            orders.append(f"build {'S10 SW-NE; ' if order in ('more', 'max 9') else ''}{order}" if step else order)
    return orders


@pytest.mark.parametrize("order", shown())
def test_an_order_on_the_page_can_be_read_and_reads_back(order: str) -> None:
    (move,) = SHEET.parse(STATE, order, {})
    assert SHEET.parse(STATE, str(move), {}) == (move,)


@pytest.mark.parametrize("order", shown())
def test_an_order_on_the_page_is_played_in_some_phase(order: str) -> None:
    (move,) = SHEET.parse(STATE, order, {})
    kinds = {kind for phase in AgeOfSteam.phases for kind in phase.moves}
    assert {type(part) for part in (move.moves if isinstance(move, FirstLegal) else (move,))} <= kinds


def test_the_page_shows_every_keyword_of_the_base_game() -> None:
    keywords = {re.split(r"\W", order)[0] for order in shown()}
    assert keywords == {"action", "bid", "build", "drop", "issue", "loco", "move", "pass", "produce"}


def waiting() -> list[str]:
    """The orders of the chapter about orders ahead of time."""
    chapter = PAGE.read_text().partition(AHEAD)[2].partition("\n## ")[0]
    return [line.split("`")[1].replace("\\|", "|") for line in chapter.splitlines() if line.startswith("| `")]


@pytest.mark.parametrize("order", waiting())
def test_an_order_that_may_wait_can_be_taken(order: str) -> None:
    if order.startswith("contract"):
        state = ENGLAND.start(["green", "red", "blue"], SeededChance(bytes(32), DEAL), {}).state
        assert len(ENGLAND.parse(state, order, {})) == 1
        return
    (taken,) = SHEET.take_standing_orders(STATE, "blue", SHEET.parse(STATE, order, {}))
    assert taken.turn == 1
