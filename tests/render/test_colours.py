"""Cubes and players have the same colours in pictures, on coins and on pages."""

import io
import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine import replace
from pbem.engine.moves import SEATS
from pbem.rails.scene import Scene
from pbem.render import clear_png, map_png, map_svg
from pbem.render import palette as p
from pbem.render.palette import GOODS, PLAYERS, Colour, rgb
from pbem.render.signs import mark_svg
from pbem.steam_power.game import SteamPower
from pbem.views.clear_colours import CLEAR, clear, cleared
from tests.render.eyes import EYES, contrast, difference
from tests.render.scenes import late

STYLE = (Path(__file__).parents[2] / "templates/static/site.css").read_text()


def _styled(colour: str) -> dict[str, str]:
    """What the style sheet says of a cube of this colour, as six digits."""
    found: dict[str, str] = {}
    for name in ("", f".{colour}"):
        rule = re.search(rf"^\.cube{re.escape(name)} {{(.*)}}$", STYLE, re.MULTILINE)
        found |= dict(re.findall(r"(?<![-\w])(background|color): (#\w+)", rule[1] if rule else ""))
    return {
        key: value if len(value) == 7 else "#" + "".join(2 * digit for digit in value[1:])
        for key, value in found.items()
    }


def _hex(colour: tuple[int, ...]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour[:3])


@pytest.mark.parametrize("colour", GOODS)
def test_a_cube_on_a_page_has_the_colours_of_a_cube_in_a_picture(colour: str) -> None:
    assert _styled(colour) == {"background": _hex(GOODS[colour].fill), "color": _hex(GOODS[colour].on)}


def test_every_colour_that_a_seat_can_have_has_a_livery_and_a_coin() -> None:
    assert set(SEATS) == set(PLAYERS)
    assert {*AgeOfSteam.colours, *SteamPower.colours} <= set(PLAYERS)


@pytest.mark.parametrize("seat", PLAYERS)
def test_the_coin_on_pages_has_the_colours_of_the_picture(seat: str) -> None:
    drawn = {digits.lower() for digits in re.findall(r"#[0-9A-Fa-f]{6}", mark_svg(seat))}
    assert {_hex(PLAYERS[seat].core), _hex(PLAYERS[seat].on)} <= drawn


SIX = ("red", "blue", "purple", "yellow", "black", "white")
STEAM_POWER = ("black", "white", "orange", "gray", "purple")


def of(colour: Colour) -> Colour:
    """What stands for a colour."""
    return rgb(clear("#{:02x}{:02x}{:02x}".format(*colour)))


def nearest(colours: Iterable[Colour]) -> float:
    """How far apart the two are that look most alike to whoever sees them worst (CIEDE2000)."""
    pairs = combinations(colours, 2)
    return min(difference(one, other, eye) for one, other in pairs for eye in EYES)


@pytest.mark.parametrize(
    ("usual", "least"),
    [
        ([p.GOODS[name].fill for name in SIX], 23),
        ([p.GOODS[name].fill for name in STEAM_POWER], 23),
        ([livery.core for livery in p.PLAYERS.values()], 17),
    ],
    ids=["goods", "goods of Steam Power", "players"],
)
def test_colours_are_farther_apart_than_the_usual_for_all_eyes(usual: Sequence[Colour], least: float) -> None:
    assert nearest(usual) < nearest(map(of, usual))
    assert nearest(map(of, usual)) > least


def test_letters_and_symbols_can_be_read_on_them() -> None:
    assert min(contrast(of(good.fill), good.on) for good in p.GOODS.values()) >= 4.5
    assert min(contrast(of(livery.core), livery.on) for livery in p.PLAYERS.values()) >= 3.9


def test_every_colour_that_is_exchanged_belongs_to_a_good_or_a_player() -> None:
    goods = {colour for good in p.GOODS.values() for colour in (good.fill, good.edge)}
    assert {rgb(code) for code in CLEAR} <= goods | {livery.core for livery in p.PLAYERS.values()}
    assert not set(CLEAR) & {code.lower() for code in CLEAR.values()}, "exchanged twice it would be another colour"


@pytest.fixture(scope="module")
def scene() -> Scene:
    return late()


def test_a_picture_differs_in_its_colours_and_in_nothing_else(scene: Scene) -> None:
    usual = map_png(scene)
    other = clear_png(usual)
    assert len(other) == len(usual)
    before, after = Image.open(io.BytesIO(usual)), Image.open(io.BytesIO(other))
    after.verify()
    after = Image.open(io.BytesIO(other))
    assert before.tobytes() == after.tobytes()
    red = p.GOODS["red"].fill
    assert red in colours(before)
    assert red not in colours(after)
    assert of(red) in colours(after)
    assert len(colours(before) - colours(after)) < 40


def colours(picture: Image.Image) -> set[Colour]:
    found = picture.convert("RGB").getcolors(1 << 20) or []
    return {colour for _, colour in found if isinstance(colour, tuple)}  # type: ignore[misc] # three numbers


def test_svg_and_marks_are_exchanged_too(scene: Scene) -> None:
    usual = map_svg(scene)
    assert "#c62f1b" in usual
    assert "#c62f1b" not in cleared(usual)
    assert len(cleared(usual)) == len(usual)
    assert cleared(mark_svg("red")) != mark_svg("red")


def test_a_board_without_labels_has_the_names_of_towns_and_no_labels(scene: Scene) -> None:
    bare = map_svg(replace(scene, hex_labels=False))
    label = next(label for label in scene.board.hexes if f">{label}<" in map_svg(scene))
    assert f">{label}<" not in bare
    assert any(f">{name}<" in bare for name in scene.towns.values())


def test_bad_pictures_are_refused() -> None:
    out = io.BytesIO()
    Image.new("RGB", (40, 40)).save(out, "PNG")
    with pytest.raises(ValueError, match="no list of colours"):
        clear_png(out.getvalue())
