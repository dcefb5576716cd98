"""A board picture late in a game, drawn from the picture before it as on a server, and drawn whole.

Kept pictures are the dearest thing pbem keeps; they have to save what is below. All times are those of the processor.
"""

import statistics
import time

from bench.late import records
from bench.row import Row
from pbem.engine import catalog
from pbem.engine.record import replay
from pbem.rails.scene import Marks, Scene
from pbem.render import board_png, strips

LATE = 24
"""Positions at the end of the game: half warm the caches, half are measured."""
WHOLE_RUNS = 5
TIMES = 1.4
"""How many times as long a whole picture has to take, at least."""


def measure() -> list[Row]:
    """Medians of both, and how they compare."""
    positions = late_scenes()
    whole = []
    board_png(positions[0])
    for scene in positions[:WHOLE_RUNS]:
        strips.forget()
        whole.append(milliseconds(scene))
    times = [milliseconds(scene) for scene in positions][LATE // 2 :]
    late, first = statistics.median(times), statistics.median(whole)
    name = "late board picture, drawn whole beside drawn from the one before"
    return [Row(name, first / late, "times", TIMES, at_least=True, timed=False, note=f"{first:.1f} and {late:.1f} ms")]


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


def milliseconds(scene: Scene) -> float:
    """How long the processor takes for a picture."""
    began = time.process_time()
    board_png(scene)
    return 1000 * (time.process_time() - began)
