"""What the picture marks of the last submission."""

from tests.age_of_steam.table import Table, position, sheet_of
from tests.age_of_steam.test_move_goods import CHAIN

WAY = (("S10", 1, 4), ("R11", 1, 4))
"""From Evansville to Cincinnati."""


def marked(table: Table, seat: str, orders: str) -> dict[str, object]:
    """The marks that are not empty, without the figures in the table."""
    before = table.state
    table.play(seat, orders)
    marks = table.sheet.marks(before, table.state, table.events)
    names = ("laid", "route", "cube", "taken_from", "brought_to", "new_city", "special", "grown")
    return {name: getattr(marks, name) for name in names if getattr(marks, name)}


def test_a_link_that_was_bought_is_marked() -> None:
    detroit = sheet_of("detroit")
    table = Table(position(sheet=detroit), sheet=detroit)
    assert marked(table, "blue", "build link Midtown-Downtown") == {"special": "link:1"}


def test_a_new_city_is_marked() -> None:
    table = Table(position(blue={"action": "urbanization"}))
    assert marked(table, "blue", "build city A N5") == {"new_city": "N5"}


def test_every_tile_of_a_build_is_marked_by_itself() -> None:
    laid = marked(Table(position()), "blue", "build P3 NW-S; R3 N-S")
    assert laid == {"laid": ((("P3", 3, 5),), (("R3", 0, 3),))}


def test_a_delivery_is_marked_with_its_whole_way() -> None:
    table = Table(position("move_goods", track=CHAIN, cubes={"T9": "blue red"}))
    marks = marked(table, "blue", "move blue T9 > Q12")
    assert marks == {"cube": "blue", "taken_from": "T9", "brought_to": "Q12", "route": WAY}


def test_the_table_marks_the_figures_that_changed() -> None:
    table = Table(position())
    before = table.state
    table.play("blue", "build P3 NW-S")
    assert table.sheet.marks(before, table.state, table.events).cells == {("blue", "cash")}
