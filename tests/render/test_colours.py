"""Cubes and players have the same colours in pictures, on coins and on pages."""

import re
from pathlib import Path

import pytest

from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine.sheet import SEATS
from pbem.render.marks import mark_svg
from pbem.render.palette import GOODS, PLAYERS
from pbem.steam_power.game import SteamPower

STYLE = (Path(__file__).parents[2] / "templates/static/site.css").read_text()
PLAIN = "black"
"""The colour of a cube without a class of its own."""


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


def test_only_black_cubes_go_without_a_style_of_their_own() -> None:
    assert {colour for colour in GOODS if f".cube.{colour} " not in STYLE} == {PLAIN}


def test_every_colour_that_a_seat_can_have_has_a_livery_and_a_coin() -> None:
    assert set(SEATS) == set(PLAYERS)
    assert {*AgeOfSteam.colours, *SteamPower.colours} <= set(PLAYERS)


@pytest.mark.parametrize("seat", PLAYERS)
def test_the_coin_on_pages_has_the_colours_of_the_picture(seat: str) -> None:
    drawn = {digits.lower() for digits in re.findall(r"#[0-9A-Fa-f]{6}", mark_svg(seat))}
    assert {_hex(PLAYERS[seat].core), _hex(PLAYERS[seat].on)} <= drawn
