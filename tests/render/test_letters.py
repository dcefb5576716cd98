"""The font of the pictures has every letter of every name, in all its weights."""

import unicodedata

import pytest

from pbem.engine import catalog
from pbem.rails.sheet import MapSheet
from pbem.render.type import WEIGHTS, mask

MISSING = "\U0010ffff"
"""A character that no font has: drawn as the empty box that stands for all of these."""


def names() -> set[str]:
    """All names of Cities, towns and maps."""
    found: set[str] = set()
    for sheet in catalog.sheets():
        assert isinstance(sheet, MapSheet)
        found |= {sheet.board.name, *sheet.board.towns.values(), *(city.name for city in sheet.board.cities.values())}
    return found


@pytest.mark.parametrize("weight", WEIGHTS)
def test_every_letter_of_every_name_can_be_drawn(weight: str) -> None:
    box = mask(MISSING, weight, 40).image.tobytes()
    letters = {letter for name in names() for form in (name, name.upper()) for letter in form} - {" "}
    assert {"ł", "ö", "Ł", "ź"} <= letters
    assert {letter for letter in letters if mask(letter, weight, 40).image.tobytes() == box} == set()


def test_names_are_written_in_whole_letters() -> None:
    """An accent of its own would be drawn beside its letter."""
    assert {name for name in names() if unicodedata.normalize("NFC", name) != name} == set()
