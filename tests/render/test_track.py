"""Track, coins and the marks of the players."""

from itertools import combinations
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageStat

from pbem.rails.hexes import TOWN
from pbem.rails.tiles import PICTURES
from pbem.rails.track import Segment
from pbem.render import mark_svg
from pbem.render.geometry import Lattice, curve
from pbem.render.palette import GOODS, INK, NOBODY, PLAYERS, TERRAIN
from pbem.render.signs import SYMBOLS, coin
from pbem.render.sketch import Sketch
from pbem.render.track import PERIODS, bumper, hex_track, meeting

FLAT = Lattice.of_radius("flat-top", 48)
POINTY = Lattice.of_radius("pointy-top", 48)
GROUND = TERRAIN["plain"].fill


def drawn(lattice: Lattice, *segments: Segment) -> Image.Image:
    part = hex_track(lattice, segments)
    page = Sketch(part.width, part.height)
    page.rectangle((0, 0, part.width - 1, part.height - 1), GROUND)
    page.lay(part, page.width // 2, page.height // 2)
    return page.picture()


def difference(first: Image.Image, second: Image.Image) -> float:
    return float(sum(ImageStat.Stat(ImageChops.difference(first, second)).mean))


def test_no_two_players_share_a_symbol() -> None:
    symbols = [livery.symbol for livery in PLAYERS.values()]
    assert len(set(symbols)) == len(symbols)
    assert set(symbols) == set(SYMBOLS)


def test_rhythm_and_shade_tell_players_apart_without_colour() -> None:
    """Two liveries with the same rhythm differ in the lightness of core or inlay."""
    assert {livery.rhythm for livery in PLAYERS.values()} == {*PERIODS, "line", "plain"}
    for first, second in combinations(PLAYERS, 2):
        one, other = (drawn(FLAT, Segment(0, 3, seat)).convert("L") for seat in (first, second))
        assert difference(one, other) > 0.4, (first, second)


def test_coins_differ_without_colour() -> None:
    for first, second in combinations(PLAYERS, 2):
        one, other = (coin(seat, 20).whole().convert("LA").getchannel("L") for seat in (first, second))
        assert difference(one, other) > 5, (first, second)


def test_goods_have_letters_of_their_own() -> None:
    assert len({good.letter for good in GOODS.values()}) == len(GOODS)


@pytest.mark.parametrize("seat", PLAYERS)
def test_a_mark_is_valid_svg_with_the_core_of_its_player(seat: str) -> None:
    root = ElementTree.fromstring(mark_svg(seat))
    assert root.get("viewBox") == "0 0 20 20"
    assert "#{:02x}{:02x}{:02x}".format(*PLAYERS[seat].core) in mark_svg(seat)
    assert len(list(root)) > 3


@pytest.mark.parametrize("lattice", [FLAT, POINTY])
@pytest.mark.parametrize("edge", range(6))
@pytest.mark.parametrize("seat", ["yellow", "blue", "pink"])
def test_no_seam_shows_where_two_hexes_meet(lattice: Lattice, edge: int, seat: str) -> None:
    """Across a joint both sides of the core look as they look in the middle of a piece."""
    step = (round(2 * lattice.side(edge)[0]), round(2 * lattice.side(edge)[1]))
    sketch = Sketch(400, 400)
    sketch.rectangle((0, 0, 399, 399), GROUND)
    straight = Segment(edge % 3, edge % 3 + 3, seat)
    for number in range(-1, 2):
        sketch.lay(hex_track(lattice, (straight,)), 200 + number * step[0], 200 + number * step[1])
    page = sketch.picture()
    x, y = lattice.side(edge)
    length = (x * x + y * y) ** 0.5
    nx, ny = -y / length, x / length
    off = 0.052 * lattice.r  # between inlay and casing
    for along in range(-3, 4):
        for side in (off, -off):
            place = (200 + x + along * x / length + nx * side, 200 + y + along * y / length + ny * side)
            pixel = page.getpixel((round(place[0] - 0.5), round(place[1] - 0.5)))
            assert isinstance(pixel, tuple)
            shade = sum(pixel) / 3
            darkest, lightest = sorted((sum(PLAYERS[seat].core) / 3, sum(INK) / 3))
            assert darkest - 12 <= shade <= lightest + 12, (along, side, pixel)


def test_every_tile_picture_can_be_drawn_in_both_orientations() -> None:
    for lattice in (FLAT, POINTY):
        for picture in PICTURES:
            segments = tuple(Segment(a, b, "red") for a, b in sorted(picture))
            assert difference(drawn(lattice, *segments), Image.new("RGB", drawn(lattice).size, GROUND)) > 5


def test_the_straight_piece_lies_over_the_gentle_one() -> None:
    page = drawn(FLAT, Segment(0, 3, "red"), Segment(2, 4, None))
    way = curve(FLAT, 0, 3)
    (x, y), _ = way.at(meeting(way, curve(FLAT, 2, 4)) or 0)
    assert page.getpixel((round(page.width / 2 + x), round(page.height / 2 + y))) == PLAYERS["red"].core


def test_an_unfinished_end_has_a_bar_across_the_track() -> None:
    part = bumper(FLAT, 0).whole()
    row = [part.getpixel((x, part.height // 2)) for x in range(part.width)]
    dark = [pixel for pixel in row if pixel == (*INK, 255)]
    assert len(dark) == pytest.approx(0.41 * FLAT.r, abs=2)


def test_nobodys_track_is_hollow() -> None:
    page = drawn(FLAT, Segment(0, 3, None))
    assert page.getpixel((page.width // 2, page.height // 2)) == NOBODY


def test_a_town_has_all_its_exits_in_one_picture() -> None:
    one, two = drawn(FLAT, Segment(TOWN, 0, "red")), drawn(FLAT, Segment(TOWN, 0, "red"), Segment(TOWN, 3, "blue"))
    top, bottom = (0, 0, one.width, one.height // 2 - 14), (0, one.height // 2 + 14, one.width, one.height)
    assert difference(one.crop(top), two.crop(top)) == 0
    assert difference(one.crop(bottom), two.crop(bottom)) > 5
