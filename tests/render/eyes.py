"""How far apart colours are for different eyes: CIEDE2000 after simulating colour-blindness in linear light.

The matrices are those of Machado, Oliveira and Fernandes (2009) at full strength.
"""

from functools import lru_cache
from itertools import starmap
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

from pbem.render.palette import Colour

Triple = tuple[float, float, float]
EYES: dict[str, tuple[Triple, Triple, Triple]] = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def contrast(one: Colour, other: Colour) -> float:
    """As WCAG has it: 1 to 21."""
    less, more = sorted((_luminance(one), _luminance(other)))
    return (more + 0.05) / (less + 0.05)


def difference(one: Colour, other: Colour, eye: str) -> float:
    """CIEDE2000 of two colours as these eyes see them: 2 is just to be seen, 100 is black on white."""
    return _ciede(_lab(one, eye), _lab(other, eye))


def _linear(channel: int) -> float:
    value = channel / 255
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _luminance(colour: Colour) -> float:
    r, g, b = map(_linear, colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@lru_cache(maxsize=256)
def _lab(colour: Colour, eye: str) -> Triple:
    seen = (_linear(channel) for channel in colour)
    light = tuple(seen)
    r, g, b = (min(1.0, max(0.0, sum(a * c for a, c in zip(row, light, strict=True)))) for row in EYES[eye])
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _ciede(one: Triple, other: Triple) -> float:
    mean = (hypot(*one[1:]) + hypot(*other[1:])) / 2
    grey = 0.5 * (1 - sqrt(mean**7 / (mean**7 + 25**7)))
    (l1, c1, h1), (l2, c2, h2) = starmap(
        lambda light, a, b: (light, hypot(a * (1 + grey), b), degrees(atan2(b, a * (1 + grey))) % 360), (one, other)
    )
    coloured = c1 * c2 != 0
    turn = (h2 - h1 + 180) % 360 - 180 if coloured else 0.0
    hue = h1 + turn / 2 if coloured else h1 + h2
    dl, dc, dh = l2 - l1, c2 - c1, 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    waves = ((0.17, 1, -30), (-0.24, 2, 0), (-0.32, 3, 6), (0.2, 4, -63))
    t = 1 - sum(share * cos(radians(times * hue + by)) for share, times, by in waves)
    sl = 1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    away = (hue - 275 + 180) % 360 - 180
    turned = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-((away / 25) ** 2))))
    return sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + turned * dc / sc * dh / sh)
