"""The icons of the installed site, drawn from the favicon.

``python -m tests.web.icons`` draws them anew after the favicon has changed. Only this command writes: no test run does.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from PIL import Image, ImageDraw

from pbem.settings.paths import templates_folder
from pbem.web.interfaces.installing import BAND, ICONS

Point = tuple[float, float]

SIDE = 24.0
"""Of the favicon, in its own units."""
FINER, STEPS = 4, 64
"""How much larger it is drawn before it is made smaller, and the pieces of a curve."""
SAFE = 0.66
"""The part of a maskable icon that the sign takes: phones may cut away what lies outside a circle of 80 %."""
ON_BAND = {"#24433c": "#e9ecd9", "#f2f6f3": "#24433c"}
"""Colours of the favicon, and what they become on the band, as at the head of every page."""


def drawn(side: int, purpose: str) -> Image.Image:
    """The icon, ``side`` pixels wide and high: on nothing, or, where it may be cut to a shape, on the band."""
    maskable, large = purpose == "maskable", side * FINER
    canvas = Image.new("RGBA", (large, large), BAND if maskable else "#0000")
    scale = large / SIDE * (SAFE if maskable else 1)
    shift = (large - SIDE * scale) / 2
    draw = ImageDraw.Draw(canvas)
    for path, values in _paths():
        points, width = list(_points(path)), float(values.get("stroke-width", 0))
        colour = values["stroke"] if width else values["fill"]
        outline = list(_band(points, width)) if width else points
        placed = [(x * scale + shift, y * scale + shift) for x, y in outline]
        draw.polygon(placed, fill=ON_BAND.get(colour, colour) if maskable else colour)
    return canvas.resize((side, side), Image.Resampling.LANCZOS)


def _paths() -> Iterator[tuple[str, dict[str, str]]]:
    """The paths of the favicon, with their attributes."""
    for path in ET.parse(templates_folder() / "static" / "favicon.svg").getroot():
        yield path.attrib["d"], path.attrib


def _points(path: str) -> Iterator[Point]:
    """What a path goes through; it knows the commands of the favicon: M, L, h, l, H, Q, z."""
    here: Point = (0.0, 0.0)
    for command, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        n = [float(number) for number in re.findall(r"-?\d*\.?\d+", rest)]
        match command:
            case "M" | "L":
                here = (n[0], n[1])
            case "l" if len(n) == 2:
                here = (here[0] + n[0], here[1] + n[1])
            case "h":
                here = (here[0] + n[0], here[1])
            case "H":
                here = (n[0], here[1])
            case "Q":
                (x, y), (a, b, c, d) = here, n
                for step in range(1, STEPS):
                    t = step / STEPS
                    u = 1 - t
                    yield u * u * x + 2 * u * t * a + t * t * c, u * u * y + 2 * u * t * b + t * t * d
                here = (c, d)
            case "z":
                continue
            case _:
                raise ValueError(f"the favicon has a command that is not known here: {command}")
        yield here


def _band(points: list[Point], width: float) -> Iterator[Point]:
    """The outline of a line that is so wide, with flat ends."""
    sides: list[tuple[Point, Point]] = []
    for number, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(number - 1, 0)], points[min(number + 1, len(points) - 1)]
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        dx, dy = (ay - by) / length * width / 2, (bx - ax) / length * width / 2
        sides.append(((x + dx, y + dy), (x - dx, y - dy)))
    yield from (left for left, _ in sides)
    yield from (right for _, right in reversed(sides))


def write(folder: Path) -> None:
    """Draw and write all of them."""
    for name, side, purpose in ICONS:
        drawn(side, purpose).save(folder / name, optimize=True)


if __name__ == "__main__":
    write(templates_folder() / "static")
