"""The two painters show the same: every touch of a sketch is one element, with the same place, room and colours."""

import base64
import io
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser

from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import replay, start
from pbem.rails.scene import Scene
from pbem.render import palette
from pbem.render.canvas import Ground, Part, band
from pbem.render.page import MapPieces, map_pieces, map_sketch, page_sketch
from pbem.render.sketch import Sketch, Touch
from pbem.render.svg import svg
from pbem.render.type import CAP, Mask
from tests.render.scenes import SLUGS, built, delivered, late, opening
from tests.web.browsers import launched

SPACE = "{http://www.w3.org/2000/svg}"
APART = 2.5
"""How far apart, in px, the edge of what one painter shows may be from that of the other."""
MUCH = 0.12
"""A share of the pixels of a part that is an area of it."""
LITTLE = 0.005
"""The share of pixels in which two painters may differ, at the edges of what they draw."""
LARGEST = 200_000
"""Characters of a late board; compressed it has a tenth of them."""
Box = tuple[float, float, float, float]


@cache
def elements(markup: str) -> tuple[dict[str, ElementTree.Element], list[ElementTree.Element]]:
    """What is used by name, and the elements of the touches."""
    root = ElementTree.fromstring(markup)
    defs, drawn = root
    _paper, *touches = drawn
    return {one.get("id", ""): one for one in defs}, touches


def said(element: ElementTree.Element, named: dict[str, ElementTree.Element]) -> Iterator[tuple[Box, str]]:
    """The boxes of all shapes of an element with their colours."""
    x = y = 0.0
    if element.tag == f"{SPACE}use":
        x, y = float(element.get("x", 0)), float(element.get("y", 0))
        element = named[element.get("href", "")[1:]]
    if moved := re.match(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
        x, y = float(moved[1]), float(moved[2])
    for shape in element.iter():
        if (box := room(shape)) is not None:
            colour = shape.get("fill", "") if shape.get("fill", "none") != "none" else shape.get("stroke", "")
            yield (box[0] + x, box[1] + y, box[2] + x, box[3] + y), colour


def room(shape: ElementTree.Element) -> Box | None:
    """The box of one shape, of a word that of its capitals."""
    found = {key: float(value) for key, value in shape.items() if re.fullmatch(r"-?[\d.]+", value)}
    match shape.tag.removeprefix(SPACE):
        case "rect":
            x, y = found.get("x", 0), found.get("y", 0)
            return x, y, x + found["width"], y + found["height"]
        case "text":
            x, y = found["x"], found["y"]
            return x, y - CAP * found["font-size"], x + found["textLength"], y
        case "circle":
            x, y, r = found["cx"], found["cy"], found["r"]
            return x - r, y - r, x + r, y + r
        case "path":
            half = found.get("stroke-width", 0) / 2
            square = half > 0 and shape.get("stroke-linecap") is None
            ways = map(places, re.findall(r"M[^M]+", shape.get("d", "")))
            points = [point for way in ways for point in (band(way, half) if square else way)]
            xs, ys = zip(*points, strict=True)
            half = 0 if square else half
            return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half
    return None


def places(way: str) -> list[tuple[float, float]]:
    numbers = [float(word) for word in re.findall(r"-?[\d.]+", way)]
    x, y = numbers[:2]
    found = [(x, y)]
    for dx, dy in zip(numbers[2::2], numbers[3::2], strict=False):
        x, y = x + dx, y + dy
        found.append((x, y))
    return found


def joined(boxes: list[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def alike(element: ElementTree.Element, touch: Touch, named: dict[str, ElementTree.Element]) -> bool:
    """Whether an element shows what a touch shows: word for word, or shapes of the same room and colours."""
    what, colour, left, top, right, bottom = touch
    code = "#{:02x}{:02x}{:02x}".format(*colour)
    if isinstance(what, Mask) and element.tag == f"{SPACE}text":
        at = float(element.get("x", 0)), float(element.get("y", 0))
        wide = float(element.get("textLength", 0)) + float(element.get("stroke-width", 0))
        long = abs(wide - (right - left - 4)) < 6
        return at == (left - what.dx, top - what.dy) and element.get("fill") == code and long
    boxes, fills = zip(*said(element, named), strict=True)
    far = max(abs(a - b) for a, b in zip(joined(list(boxes)), (left, top, right, bottom), strict=True))
    if isinstance(what, Ground):
        return far < 16 and areas(what.image.convert("RGBA"), 0.02) <= set(fills)
    if isinstance(what, Part):
        return far < APART and seen(what) <= set(fills)
    # a cut-out has clear margins
    return far < (1 if what is None else 10) and set(fills) == {code}


@cache
def seen(part: Part) -> set[str]:
    """The colours of large areas of a part, as its pixels have them."""
    return areas(part.image, MUCH)


def areas(image: Image.Image, much: float) -> set[str]:
    """The colours of our palette that a share of the opaque pixels has."""
    flat = {*palette.PAGE, palette.PUBLIC, palette.NOBODY, palette.BARRIER} - {palette.PAPER}
    flat |= {colour for kind in (palette.GOODS, palette.PLAYERS) for one in kind.values() for colour in one[:3]}
    flat |= {colour for land in palette.TERRAIN.values() for colour in land}
    colours = image.getcolors(1 << 16) or []
    opaque = [(count, pixel[:3]) for count, pixel in colours if isinstance(pixel, tuple) and pixel[3] == 255]
    total = sum(count for count, _ in opaque)
    return {"#{:02x}{:02x}{:02x}".format(*pixel) for count, pixel in opaque if count > much * total and pixel in flat}


def different(sketch: Sketch) -> list[tuple[bytes, Touch]]:
    """The elements that do not show what is laid there."""
    named, touches = elements(svg(sketch))
    assert len(touches) == len(sketch.touches)
    pairs = zip(touches, sketch.touches, strict=True)
    return [(ElementTree.tostring(one)[:300], touch) for one, touch in pairs if not alike(one, touch, named)]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_touch_of_the_picture_is_one_element_with_the_same_place_room_and_colours(slug: str) -> None:
    sketch = map_sketch(delivered(late(slug)))
    assert different(sketch) == []
    assert len(svg(sketch)) < LARGEST


def test_the_whole_page_with_its_tables_and_its_key_is_the_same_too() -> None:
    assert different(page_sketch(built(late("western_us")))) == []


def test_a_scene_says_every_name_and_label_once() -> None:
    scene = built(late())
    root = ElementTree.fromstring(svg(map_sketch(scene)))
    texts = [text.text for text in root.iter(f"{SPACE}text") if not text.get("stroke")]
    for label in scene.board.hexes:
        dry = scene.board.hexes[label].terrain != "water"
        built_over = any(label in city.hexes for city in scene.cities)
        assert texts.count(label) == (dry and not built_over), label
    for city in scene.cities:
        assert city.name in texts or all(half in texts for half in city.name.split()), city.name


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched("--disable-gpu") as found:
        yield found


@cache
def fonts() -> str:
    """The letters that pages have for boards."""
    folder, rules = Path(__file__).parents[2] / "templates" / "static", []
    for weight, name in ((500, "medium"), (700, "bold")):
        data = base64.b64encode((folder / f"board-{name}.woff2").read_bytes()).decode()
        source = f"src: url(data:font/woff2;base64,{data})"
        rules.append(f"@font-face {{ font-family: 'pbem Board'; font-weight: {weight}; {source} }}")
    return "".join(rules)


def far_apart(browser: Browser, scene: Scene) -> float:
    """The share of pixels that a person would see to differ, once Chromium has painted the SVG."""
    sketch = map_sketch(scene)
    page = browser.new_page(viewport={"width": sketch.width, "height": sketch.height})
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }} {fonts()}</style>{svg(sketch)}")
    page.evaluate("document.fonts.ready")
    shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.close()
    apart = ImageChops.difference(shown, sketch.picture()).convert("L")
    return sum(apart.histogram()[90:]) / (sketch.width * sketch.height)


def test_chromium_paints_the_same_picture(browser: Browser) -> None:
    assert far_apart(browser, delivered(late("st_lucia"))) < LITTLE


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_chromium_paints_the_same_picture_of_every_map(browser: Browser, slug: str) -> None:
    for scene in (opening(slug), delivered(late(slug)), built(late(slug))):
        assert far_apart(browser, scene) < LITTLE


@pytest.mark.parametrize(("game", "slug", "players"), [("age-of-steam", "st_lucia", 2), ("steam-power", "ireland", 3)])
def test_boards_of_a_game_are_the_same_whether_drawn_each_for_itself_or_in_their_order(
    game: str, slug: str, players: int
) -> None:
    sheet = catalog.sheet(game, slug)
    record, _ = play(sheet, players, "a")
    states = [start(sheet, record)[0].state, *(played.state for played in replay(sheet, record))]
    pictures, shared = MapPieces(), dict[str, str]()
    for number, (before, state) in enumerate(pairwise(states)):
        scene = sheet.scene(state, marks=sheet.marks(before, state, ()))
        defs, drawn = pictures.of(scene)
        shared |= defs
        if number % 7 == 0 or number > len(states) - 4:
            alone, touches = map_pieces(scene)
            assert drawn == touches, number
            assert set(alone) <= set(shared.values()), number
