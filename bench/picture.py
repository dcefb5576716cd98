"""A board picture late in a game, beside nothing but the deflate of its pixels.

The floor is the same pixels, as numbers of the palette in the rows of the PNG, through zlib-ng at level 5:
drawing and finding the colours come on top. The floor of the size is zlib-ng's best level. Each late picture is one
that was not drawn before: the caches are warm from the pictures before it, as on a server. The first picture of a map
finds nothing kept at all. All times are those of the processor.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from functools import _lru_cache_wrapper
from io import BytesIO

from PIL import Image
from zlib_ng import zlib_ng

from bench.late import records
from bench.row import Row
from pbem.engine import catalog
from pbem.engine.record import replay
from pbem.rails.scene import Marks, Scene
from pbem.render import board_png
from pbem.render.page import PICTURES

FIRST_RUNS = 5
LATE = 24
"""Positions at the end of the game: half warm the caches, half are measured."""
LARGEST = 160.0
LEVEL, BEST = 5, 9
MOST_LATE, MOST_FIRST = 5.0, 30.0
"""How many times the floor."""


def measure() -> list[Row]:
    """Medians of the times, the largest of the sizes."""
    positions = late_scenes()
    first = []
    for _ in range(FIRST_RUNS):
        forget()
        first.append(seconds(lambda: board_png(positions[0])))
    for scene in positions[: LATE // 2]:
        board_png(scene)
    times, floors, sizes, best = [], [], [], []
    for scene in positions[LATE // 2 :]:
        drawn: list[bytes] = []
        times.append(seconds(lambda: drawn.append(board_png(scene))))  # noqa: B023 - called at once
        rows = rows_of(drawn[0])
        floors.append(seconds(lambda: zlib_ng.compress(rows, LEVEL)))  # noqa: B023
        sizes.append(len(drawn[0]))
        best.append(len(zlib_ng.compress(rows, BEST)))
    late, floor = statistics.median(times), statistics.median(floors)
    name, whole = f"deflate of its pixels, zlib-ng {LEVEL}", statistics.median(first)
    return [
        Row("late board picture", 1000 * late, "ms", name, 1000 * floor, most=MOST_LATE),
        Row("first picture of a map", 1000 * whole, "ms", name, 1000 * floor, most=MOST_FIRST),
        Row(
            "size of a late board picture",
            max(sizes) / 1000,
            "KB",
            f"zlib-ng {BEST}",
            max(best) / 1000,
            limit=LARGEST,
            note=f"largest of {len(sizes)}",
        ),
    ]


def late_scenes() -> list[Scene]:
    """The last positions of a kept game, each with what its last order changed."""
    sheet, record = catalog.sheet("age-of-steam", "rust_belt"), records()[0]
    scenes = []
    before = None
    for played in replay(sheet, record):
        if played.passed_over or played.step is None:
            continue
        marks: Marks | None = sheet.marks(before, played.state, played.step.events) if before is not None else None
        scenes.append(sheet.scene(played.state, subtitle="Age of Steam", marks=marks))
        before = played.state
    return scenes[-LATE:]


def forget() -> None:
    """Empty every cache of the renderer."""
    for kept in gc.get_objects():
        if isinstance(kept, _lru_cache_wrapper) and kept.__module__.startswith("pbem.render"):
            kept.cache_clear()
    PICTURES.clear()


def rows_of(png: bytes) -> bytes:
    """The pixels of a picture as a PNG has them before the deflate: rows of numbers of the palette, not filtered."""
    with Image.open(BytesIO(png)) as picture:
        if picture.mode != "P":
            raise RuntimeError(f"the picture has no palette: {picture.mode}")
        (width, _), pixels = picture.size, picture.tobytes()
    return b"".join(b"\0" + pixels[at : at + width] for at in range(0, len(pixels), width))


def seconds(work: Callable[[], object]) -> float:
    """How long the processor takes for something."""
    start = time.process_time()
    work()
    return time.process_time() - start
