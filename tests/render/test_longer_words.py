"""Words of another language may be longer by two fifths: those of the table of players stay apart."""

import unicodedata
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine import catalog, replace
from pbem.language import reading
from pbem.rails.scene import Scene
from pbem.rails.sheet import MapSheet
from pbem.render.display import draw_supply
from pbem.render.key import entries
from pbem.render.players import TABLE, draw_cards, draw_table
from pbem.render.sketch import Sketch
from pbem.render.type import MISSING, WEIGHTS, Mask, font, in_our_letters, mask, width
from tests.render.scenes import late
from tests.speaking import angled, spoken_as

STEAM_POWER = ("Cash", "In hand", "Trains", "Factories", "Done", "Points")


def longer(text: str) -> str:
    return text + "oe" * round(len(text) * 0.2)


def age_of_steam() -> Scene:
    scene = late()
    players = tuple(
        replace(row, name="Ana", cells={**row.cells, "action": longer("Urbanization")}) for row in scene.players
    )
    return replace(scene, columns=tuple((key, longer(head)) for key, head in scene.columns), players=players)


def steam_power() -> Scene:
    keys = ("cash", "hand", "trains", "factories", "done", "points")
    cells = dict(zip(keys, ("$18", "10", "17", "14", "5", "22"), strict=True))
    players = tuple(replace(row, name="Benjamin", cells=cells, progress=(5, 8)) for row in late().players)
    heads = tuple((key, longer(head)) for key, head in zip(keys, STEAM_POWER, strict=True))
    left_over = ("black", "black", "white", "white", "white", "orange", "gray", "gray", "purple") * 2
    return replace(
        late(), columns=heads, players=players, progress=longer("contracts"), left_over=left_over,
        stock=(("black", 30), ("white", 28), ("orange", 17), ("gray", 25)), bag=longer("bag: 9 contracts"),
    )  # fmt: skip


@pytest.mark.parametrize("scene", [age_of_steam, steam_power])
@pytest.mark.parametrize("wide", [True, False], ids=["table", "cards"])
def test_no_word_of_the_players_covers_another(scene: Callable[[], Scene], wide: bool) -> None:
    page = Sketch(TABLE + 40, 600)
    if wide:
        draw_table(page, scene(), 20, 0)
    else:
        draw_cards(page, scene(), 20, 0, 400)
    assert_apart(page)


def test_no_word_of_the_stock_covers_a_tile() -> None:
    page = Sketch(440, 200)
    draw_supply(page, steam_power(), 20, 0, 400)
    assert_apart(page)


def assert_apart(page: Sketch) -> None:
    """Nothing that is written lies upon anything else that is written."""
    boxes = [touch[2:] for touch in page.touches if isinstance(touch[0], Mask)]
    assert len(boxes) > 8
    for one, other in combinations(boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, f"{one} lies upon {other}"
    assert all(box[0] >= 0 and box[2] <= page.width for box in boxes)


def test_the_letters_of_colours_are_told_to_who_reads_another_language() -> None:
    scene = late()
    words = {entry.text for entry in entries(scene)}
    with spoken_as(angled), reading("pl"):
        told = {entry.text for entry in entries(scene)}
    assert {"«red»", "«blue»", "«purple»", "«yellow»", "«black»"} <= told
    assert not words & {"red", "blue"}


def names() -> set[str]:
    """All names of Cities, towns and maps."""
    found: set[str] = set()
    for sheet in catalog.sheets():
        assert isinstance(sheet, MapSheet)
        found |= {sheet.board.name, *sheet.board.towns.values(), *(city.name for city in sheet.board.cities.values())}
    return found


def _box(text: str, weight: str) -> bytes:
    return bytes(font(weight, 40).getmask(text))


@pytest.mark.parametrize("weight", WEIGHTS)
def test_every_letter_of_every_name_can_be_drawn(weight: str) -> None:
    letters = {letter for name in names() for form in (name, name.upper()) for letter in form} - {" "}
    assert {"ł", "ö", "Ł", "ź"} <= letters
    assert {letter for letter in letters if _box(letter, weight) == _box(MISSING, weight)} == set()
    assert {letter for letter in letters if in_our_letters(letter) != letter} == set()


@pytest.mark.parametrize(
    ("name", "written"),
    [("王小明", "WangXiaoMing"), ("Łukasz Иванов", "Łukasz Ivanov"), ("Γιώργος", "Giorgos"), ("さくら", "sakura"),
     ("김철수", "GimCheolSu"), ("שלום", "slvm"), ("Jose\u0301", "José"), ("😀", ":grinning:"), ("\U0010ffff", "?")],
)  # fmt: skip
def test_letters_that_the_font_lacks_are_written_in_latin_ones(name: str, written: str) -> None:
    assert in_our_letters(name) == written
    for weight in WEIGHTS:
        assert width(name, weight, 20) == width(written, weight, 20)
        assert mask(name, weight, 20).key == mask(written, weight, 20).key
        assert not any(_box(letter, weight) == _box(MISSING, weight) for letter in written)


@given(st.text(max_size=30))
def test_no_text_is_drawn_as_boxes(text: str) -> None:
    written = in_our_letters(text)
    assert bool(written.strip()) == bool(text.strip())
    assert all(letter.isascii() or _box(letter, "regular") != _box(MISSING, "regular") for letter in written)


def test_names_are_written_in_whole_letters() -> None:
    """An accent of its own would be drawn beside its letter."""
    assert {name for name in names() if unicodedata.normalize("NFC", name) != name} == set()
