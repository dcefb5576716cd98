"""A board picture late in the game, beside encoding the same pixels in full colour.

Each late picture is one that was not drawn before: the caches are warm from the pictures before it, as on a server.
The first picture of a map finds nothing kept at all.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from functools import _lru_cache_wrapper
from io import BytesIO

from PIL import Image

from bench.players import recorded
from bench.row import Row
from pbem import catalog
from pbem.engine.record import replay
from pbem.rails.scene import Marks, Scene
from pbem.render import board_png
from pbem.render.page import PICTURES, page_picture

FIRST_RUNS = 5
LATE = 24
"""Positions at the end of the game: half warm the caches, half are measured."""
LARGEST = 160.0


def measure() -> list[Row]:
    """Medians; the floor of both times is an RGB PNG of the same pixels at level 6."""
    positions = late_scenes()
    first, first_floor = [], []
    for _ in range(FIRST_RUNS):
        forget()
        first.append(seconds(lambda: board_png(positions[0])))
        first_floor.append(floor(positions[0]))
    for scene in positions[: LATE // 2]:
        board_png(scene)
    times, floors, sizes = [], [], []
    for scene in positions[LATE // 2 :]:
        times.append(seconds(lambda: sizes.append(len(board_png(scene)))))  # noqa: B023 - called at once
        floors.append(floor(scene))
    name = "RGB PNG, level 6"
    late, late_floor = statistics.median(times), statistics.median(floors)
    return [
        Row("late board picture", 1000 * late, "ms", name, 1000 * late_floor, most=1.0),
        Row(
            "first picture of a map",
            1000 * statistics.median(first),
            "ms",
            name,
            1000 * statistics.median(first_floor),
            most=4.0,
        ),
        Row("late board picture", max(sizes) / 1000, "KB", limit=LARGEST, note=f"largest of {len(sizes)}"),
    ]


def late_scenes() -> list[Scene]:
    """The last positions of the recorded game, or of one that robots play, each with what its last order changed."""
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    scenes = []
    before = None
    for played in replay(sheet, recorded(sheet)):
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


def floor(scene: Scene) -> float:
    """Seconds for encoding the same pixels in full colour."""
    picture = page_picture(scene)
    return seconds(lambda: rgb_png(picture))


def rgb_png(picture: Image.Image) -> None:
    """Encode in full colour at level 6."""
    picture.save(BytesIO(), "PNG", compress_level=6)


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
