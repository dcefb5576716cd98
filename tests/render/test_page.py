"""How a page is laid out: nothing is cut, nothing is left empty."""

from dataclasses import replace
from itertools import groupby

import pytest

from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.rails.scene import Scene
from pbem.render.geometry import map_geometry
from pbem.render.page import HIGHEST, laid_out, page_picture
from pbem.render.palette import PAPER
from pbem.render.pieces import moved
from pbem.render.places import Places
from pbem.render.players import _figure_columns
from pbem.render.spans import span
from pbem.render.type import width
from tests.render.scenes import SLUGS, late, opening

NOTES = (
    "Only complete links may be built.",
    "Terminals take the colour dealt to them; nothing passes through.",
    "Engineer: the dearest tile of the turn costs half, rounded up.",
    "One cube from the bag every turn.",
)
EMPTY = 90
"""Rows of paper alone that still look meant."""


def alone(scene: Scene) -> Scene:
    """The scene with one player and no last turn, as in a solo game."""
    return replace(scene, players=scene.players[:1], turns=None)


def longest_gap(scene: Scene) -> int:
    """The most rows of paper one under the other."""
    picture = page_picture(scene)
    inner = picture.crop((6, 6, picture.width - 6, picture.height - 6))
    plain = bytes(PAPER) * inner.width
    rows = [inner.crop((0, y, inner.width, y + 1)).tobytes() == plain for y in range(inner.height)]
    return max(len(list(run)) for blank, run in groupby(rows) if blank)


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize(("notes", "solo"), [((), False), (NOTES, True)])
def test_no_band_of_a_page_is_empty(slug: str, notes: tuple[str, ...], solo: bool) -> None:
    scene = replace(opening(slug), notes=notes)
    assert longest_gap(alone(scene) if solo else scene) < EMPTY


@pytest.mark.parametrize("slug", SLUGS)
def test_the_key_ends_above_the_frame_and_under_all_else(slug: str) -> None:
    for scene in (opening(slug), late(slug), replace(late(slug), notes=NOTES)):
        sheet = laid_out(scene)
        assert sheet.key_top + 40 * len(sheet.key) + 20 <= sheet.height
        assert sheet.key_top > sheet.frame.top


def test_a_map_without_a_display_or_with_one_half_has_less_beside_the_board() -> None:
    scene = replace(opening("barbados"), notes=NOTES)
    assert not scene.dark
    both = replace(scene, dark=scene.light)
    without = replace(scene, light=())
    tops = [laid_out(one).key_top for one in (without, scene, both)]
    assert tops == sorted(set(tops))


def test_a_board_shorter_than_its_panels_has_notes_and_key_under_it() -> None:
    sheet = laid_out(replace(opening("pittsburgh"), notes=NOTES))
    assert sheet.tall
    assert sheet.notes[1] > sheet.board[1]
    assert sheet.notes[2] == sheet.key_wide < 1000


def test_a_high_board_has_the_key_in_its_column() -> None:
    sheet = laid_out(replace(opening("st_lucia"), notes=NOTES))
    assert sheet.tall
    assert not sheet.key
    assert sheet.key_top > sheet.notes[1]


@pytest.mark.parametrize("slug", SLUGS)
def test_no_page_is_higher_than_an_email_can_show(slug: str) -> None:
    scene = late(slug)
    notes = replace(scene, notes=NOTES * 2)
    assert laid_out(scene).height <= HIGHEST
    assert laid_out(notes).height <= HIGHEST + 60


def test_names_of_towns_stand_clear_of_ferries() -> None:
    sheet = catalog.sheet("age-of-steam", "heavy_cardboard")
    scene = sheet.scene(sheet.start(sheet.colours[:3], SeededChance(bytes(32), "deal"), {}).state)
    places = Places(scene, map_geometry(scene.board).frame)
    named, ferries = dict(places.names), [link for link in scene.links if link.hex]
    assert len(ferries) == 2
    for ferry in ferries:
        way, (x, y) = span(places.lattice, ferry, places.at)
        for label in set(ferry.joins) & set(named):
            left, top, right, bottom = moved(named[label].box, *places.at(label))
            assert not any(left < x + px < right and top < y + py < bottom for px, py in way.points), label


def test_figures_of_a_table_stand_apart_from_those_of_contracts_done() -> None:
    scene = opening("northern_italy")
    rows = tuple(replace(row, cells={"factories": "10", "done": "10 / 9"}, progress=(10, 9)) for row in scene.players)
    columns = (("factories", "Factories"), ("done", "Done"))
    figures, _ = _figure_columns(replace(scene, players=rows, columns=columns), 0, 17)
    left = figures[1].place - width("10 / 9", "bold", 24)
    assert left - figures[0].place >= 24
