"""The text of a printed board tells all that is printed, on every map and in every language."""

import re
from collections.abc import Iterator

import pytest

from pbem.engine import catalog
from pbem.engine.position_text import COLUMNS, Misread
from pbem.language import reading
from pbem.language.position_letters import read_board
from pbem.rails import board_reader
from pbem.rails.sheet import MapSheet
from tests.every_map.games import deal, every_sheet
from tests.every_map.position_texts import LANGUAGES, board_text_of, names_of, text_of

LARGEST = 4_000
"""Bytes of the text of a board."""
each_sheet = pytest.mark.parametrize("sheet", every_sheet())


@pytest.mark.parametrize("code", LANGUAGES)
@each_sheet
def test_every_board_is_read_back_from_its_text(sheet: MapSheet[object, object], code: str) -> None:  # type: ignore[type-var]
    state = deal(sheet, 1)
    with reading(code):
        text = board_text_of(sheet)
        letter = f"{text_of(sheet, state, names_of(state))}\n\n{text}\n\n-- \nA foot.\n"
    assert max(map(len, text.splitlines())) <= COLUMNS
    assert len(text.encode()) <= LARGEST
    read = read_board(letter, catalog.sheets())
    assert (read.sheet.game, read.sheet.slug) == (sheet.game, sheet.slug)
    assert read.board == board_reader.plain(sheet)
    assert read.board["hexes"].keys() == sheet.board.hexes.keys()


def changed(text: str) -> Iterator[str]:
    """The text with one value changed: a number, a land, a colour, a letter of a name, a line that is missing."""
    for value in re.finditer(r"\d+", text):
        yield f"{text[: value.start()]}{int(value[0]) + 1}{text[value.end() :]}"
    for value in re.finditer(r"\b(plain|mountain|river|water|red|blue|ferry|NE|port|light)\b", text):
        other = {"plain": "hill", "red": "yellow", "NE": "N", "light": "dark"}.get(value[0], "plain")
        yield f"{text[: value.start()]}{other}{text[value.end() :]}"
    for name in re.finditer(r"(?:City|town) (\w)", text):
        yield f"{text[: name.start(1)]}X{text[name.end(1) :]}"
    head, *lines = text.split("\n\nHexes, row by row:\n")[1].splitlines()
    yield from (text.replace(f"\n{line}\n", "\n") for line in (head, *lines) if line and not line.endswith(":"))


@pytest.mark.parametrize("slug", ["southern_us", "detroit", "new_england", "switzerland"])
def test_a_changed_value_is_noticed(slug: str) -> None:
    sheet = catalog.sheet("age-of-steam", slug)
    text = board_text_of(sheet)
    explained = text[: text.index("Hexes, row by row:")]
    tried = 0
    for spoiled in changed(text):
        if spoiled != text and spoiled.startswith(explained):
            with pytest.raises(Misread):
                read_board(spoiled, (sheet,))
            tried += 1
    assert tried


@pytest.mark.parametrize("spoiling", [":", "; ", ", ", " 999999", "\n\n?", " City", "\x00", "…"])
def test_spoiled_text_is_refused_with_a_sentence(spoiling: str) -> None:
    sheet = catalog.sheet("age-of-steam", "heavy_cardboard")
    text = board_text_of(sheet)
    first = text.index("Hexes, row by row:")
    for at in range(first, len(text), 40):
        with pytest.raises(Misread, match=" "):
            read_board(f"{text[:at]}{spoiling}{text[at:]}", (sheet,))
