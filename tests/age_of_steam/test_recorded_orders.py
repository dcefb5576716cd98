"""The orders of recorded games can be read, and print back."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.lexicon import Lexicon
from pbem.age_of_steam.notation import parse
from pbem.engine import catalog
from tests.age_of_steam.typed_orders import VOCABULARY

RECORDS = ("rust_belt-2692", "southern_us-2852", "new_england-2657", "barbados-3038", "st_lucia-3032")


def lexicon(map_: str, *seats: str) -> Lexicon:
    """The words of a map."""
    sheet = catalog.sheet("age-of-steam", map_)
    assert isinstance(sheet, AgeOfSteam)
    return Lexicon(board=sheet.board, seats=seats)


@pytest.mark.parametrize("name", RECORDS)
def test_every_order_of_a_recorded_game_is_read_and_prints_back(
    name: str, recorded_path: Callable[[str], Path]
) -> None:
    record = json.loads(recorded_path(f"{name}.json").read_text())
    words = lexicon(record["map"], *record["players"])
    for entry in record["turns"]:
        moves = parse(entry["orders"], words, VOCABULARY)
        assert parse("\n".join(map(str, moves)), words, VOCABULARY) == moves
        assert [str(move).split()[0] for move in moves] == [entry["orders"].split()[0]]
        for step in entry["orders"].removeprefix("build ").split(";"):
            assert step.split()[0] in str(moves[0])


def test_southern_us_has_a_city_and_a_town_jackson() -> None:
    words = lexicon("southern_us", "red")
    assert parse("build city A Jackson", words, VOCABULARY) == parse("build city A D2", words, VOCABULARY)
    assert parse("move blue Atlanta to Jackson", words, VOCABULARY) == parse("move blue I9 to N0", words, VOCABULARY)
