"""A surface that is drawn several times too large and then reduced: smooth edges without seams."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from math import hypot

from PIL import Image, ImageDraw
from zlib_ng import zlib_ng

from pbem.render.drawn import Drawn, packed
from pbem.render.palette import Colour
from pbem.render.type import CAP, font, in_our_letters, key_of

Point = tuple[float, float]


class Part:
    """A piece of pictures, cut to what can be seen of it. It is shared: nobody draws on it.

    ``width``, ``height``: of all of it, with its clear margins; ``across``, ``down``: of what can be seen; ``left``,
    ``top``: where that lies from the middle. ``drawn``: what it is made of, counted from ``origin``, which is counted
    from the middle. ``key``: of two parts that look the same it is the same, in every process.

    Its pixels are drawn when they, or what follows from them, are first asked for: who writes elements never asks.
    """

    def __init__(
        self,
        size: tuple[int, int],
        painted: Callable[[], Image.Image],
        drawn: tuple[Drawn, ...] = (),
        origin: Point = (0, 0),
    ) -> None:
        self.width, self.height = size
        self.drawn, self.origin = drawn, origin
        self._painted: Callable[[], Image.Image] | None = painted

    @cached_property
    def _cut(self) -> tuple[Image.Image, int, int]:
        assert self._painted is not None
        whole, self._painted = self._painted(), None
        seen = whole.getbbox() or (0, 0, 1, 1)
        # counted from the middle of the whole
        return whole.crop(seen), seen[0] - self.width // 2, seen[1] - self.height // 2

    @property
    def image(self) -> Image.Image:
        return self._cut[0]

    @property
    def left(self) -> int:
        return self._cut[1]

    @property
    def top(self) -> int:
        return self._cut[2]

    @property
    def across(self) -> int:
        return self.image.width

    @property
    def down(self) -> int:
        return self.image.height

    @cached_property
    def key(self) -> int:
        return key_of(self.image.tobytes(), self.image.size)

    def whole(self) -> Image.Image:
        image = Image.new("RGBA", (self.width, self.height))
        image.paste(self.image, (self.left + self.width // 2, self.top + self.height // 2))
        return image


class Ground:
    """A picture without holes, on which all others lie; shared as they are, and with such a ``key``.

    It is kept packed: boards that were drawn hold on to theirs, and there is one for every map. ``drawn``: tells what
    it is made of, which is much and seldom asked for.
    """

    def __init__(
        self, size: tuple[int, int], painted: Callable[[], Image.Image], drawn: Callable[[], tuple[Drawn, ...]] = tuple
    ) -> None:
        self.size, self.drawn, self._painted = size, drawn, painted

    @cached_property
    def packed(self) -> bytes:
        """It is drawn when its pixels are first asked for."""
        return zlib_ng.compress(self._painted().tobytes(), 3)

    @cached_property
    def key(self) -> int:
        return key_of(self.packed, self.size)

    @property
    def image(self) -> Image.Image:
        """The picture; a millisecond or two, if it was not asked for lately."""
        return _unpacked(self)

    def onto(self, page: Image.Image, place: tuple[int, int]) -> None:
        """Lay it on a page, or as much of it as the page shows."""
        x, y = place
        seen = max(0, -x), max(0, -y), min(self.size[0], page.width - x), min(self.size[1], page.height - y)
        page.paste(self.image.crop(seen), (x + seen[0], y + seen[1]))


@lru_cache(maxsize=2)
def _unpacked(ground: Ground) -> Image.Image:
    """Of the grounds laid last: four million bytes each."""
    return Image.frombytes("RGB", ground.size, zlib_ng.decompress(ground.packed))


class Canvas:
    """Coordinates are px of the finished picture, counted from ``origin`` within it."""

    def __init__(
        self, width: int, height: int, *, scale: int = 3, origin: Point | None = None, ground: Colour | None = None
    ) -> None:
        self._size, self._ground = (width, height), ground
        self._steps: list[Callable[[ImageDraw.ImageDraw], None]] = []
        self.scale = scale
        self.drawn: list[Drawn] = []
        x, y = origin if origin is not None else (width / 2, height / 2)
        self._origin = x - width // 2, y - height // 2
        # whole numbers name the middle of a sample, hence the half
        self._x, self._y = x * scale - 0.5, y * scale - 0.5

    def _at(self, points: Sequence[Point]) -> list[tuple[int, int]]:
        s, x0, y0 = self.scale, self._x, self._y
        return [(round(x * s + x0), round(y * s + y0)) for x, y in points]

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        self.drawn.append(Drawn("polygon", packed(points), 0.0, fill))
        self._polygon(points, fill)

    def _polygon(self, points: Sequence[Point], fill: Colour) -> None:
        at = self._at(points)
        self._steps.append(lambda draw: draw.polygon(at, fill=fill))

    def line(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        """A thin line of straight pieces, cut off square."""
        self.drawn.append(Drawn("line", packed(points), width, fill))
        at, wide = self._at(points), max(1, round(width * self.scale))
        self._steps.append(lambda draw: draw.line(at, fill=fill, width=wide, joint="curve"))

    def stroke(self, points: Sequence[Point], width: float, fill: Colour, *, round_ends: bool = False) -> None:
        """A band along a smooth way, its ends square to the way (or round)."""
        self.drawn.append(Drawn("stroke", packed(points), width, fill, round_ends))
        self._band(points, width, fill)
        if round_ends:
            self._disc(points[0], width / 2, fill)
            self._disc(points[-1], width / 2, fill)

    def flow(self, points: Sequence[Point], widths: Sequence[float], fill: Colour) -> None:
        """A band along a smooth way with a width at each of its points, its far end round."""
        self.drawn.append(
            Drawn("flow", packed((*at, wide) for at, wide in zip(points, widths, strict=True)), 0.0, fill)
        )
        for ends, wide in zip(pairwise(points), widths[1:], strict=True):
            self._band(ends, wide, fill)
            self._disc(ends[1], wide / 2, fill)

    def _band(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        self._polygon(band(points, width / 2), fill)

    def disc(self, centre: Point, radius: float, fill: Colour) -> None:
        self.drawn.append(Drawn("disc", packed([centre]), radius, fill))
        self._disc(centre, radius, fill)

    def _disc(self, centre: Point, radius: float, fill: Colour) -> None:
        (x, y), r = centre, radius
        box = self._box(x - r, y - r, x + r, y + r)
        self._steps.append(lambda draw: draw.ellipse(box, fill=fill))

    def box(self, corners: tuple[float, float, float, float], radius: float, fill: Colour) -> None:
        """A rectangle with round corners: left, top, right, bottom."""
        self.drawn.append(Drawn("box", packed([corners]), radius, fill))
        box, rounded = self._box(*corners), radius * self.scale
        self._steps.append(lambda draw: draw.rounded_rectangle(box, radius=rounded, fill=fill))

    def _box(self, left: float, top: float, right: float, bottom: float) -> tuple[int, int, int, int]:
        s, x, y = self.scale, self._x + 0.5, self._y + 0.5
        # the far sides are inclusive in Pillow
        return (
            round(left * s + x),
            round(top * s + y),
            max(round(left * s + x), round(right * s + x) - 1),
            max(round(top * s + y), round(bottom * s + y) - 1),
        )

    def text(self, centre: Point, text: str, weight: str, size: float, fill: Colour) -> None:
        """A word centred on a point, by the height of its capitals."""
        text = in_our_letters(text)
        self.drawn.append(Drawn("text", packed([centre]), size, fill, text=text, weight=weight))
        x, y = centre
        place = (x * self.scale + self._x + 0.5, (y + size * CAP / 2) * self.scale + self._y + 0.5)
        fine = round(size * self.scale, 2)
        self._steps.append(lambda draw: draw.text(place, text, fill=fill, font=font(weight, fine), anchor="ms"))

    def done(self) -> Image.Image:
        width, height = self._size
        size = (width * self.scale, height * self.scale)
        image = Image.new("RGB", size, self._ground) if self._ground else Image.new("RGBA", size)
        draw = ImageDraw.Draw(image)
        for step in self._steps:
            step(draw)
        return image.reduce(self.scale)

    def part(self) -> Part:
        return Part(self._size, self.done, tuple(self.drawn), self._origin)


def band(points: Sequence[Point], half: float) -> list[Point]:
    """The outline of a band of ``half`` px to each side of a way."""
    if len(points) == 2:  # most bands are sides of hexes
        (ax, ay), (bx, by) = points
        length = hypot(bx - ax, by - ay) or 1.0
        nx, ny = (ay - by) / length * half, (bx - ax) / length * half
        return [(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)]
    left: list[Point] = []
    right: list[Point] = []
    last = len(points) - 1
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(0, i - 1)], points[min(last, i + 1)]
        length = hypot(bx - ax, by - ay) or 1.0
        nx, ny = (ay - by) / length * half, (bx - ax) / length * half
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    right.reverse()
    return left + right


def shifted(points: Sequence[Point], by: float) -> list[Point]:
    """The way ``by`` px to one side of it."""
    return band(points, by)[: len(points)]
