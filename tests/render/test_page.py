"""How a page is laid out: nothing is cut, nothing is left empty."""

from itertools import groupby

import pytest

from pbem.engine import catalog, replace
from pbem.engine.chance import SeededChance
from pbem.rails.scene import Scene
from pbem.render.coins import span
from pbem.render.geometry import map_geometry
from pbem.render.page import HIGHEST, laid_out, page_sketch
from pbem.render.palette import PAPER
from pbem.render.pieces import moved
from pbem.render.places import Places
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
    picture = page_sketch(scene).picture()
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
