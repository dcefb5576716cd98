"""The land of a board is kept small, and exactly as it was drawn."""

import subprocess
import sys

import pytest
from PIL import Image

from pbem.render.canvas import Canvas, FlatCanvas, Ground
from pbem.render.palette import GRID, INK, PAPER


def test_a_ground_of_too_many_colours_is_kept_as_it_is() -> None:
    many = Image.linear_gradient("L").resize((300, 300))
    whole = Image.merge("RGB", (many, many.rotate(90), many.rotate(180)))
    found = Ground(whole)
    assert found.image.mode == "RGB"
    page = Image.new("RGB", (200, 200), INK)
    found.onto(page, (-150, 20))
    assert page.crop((0, 20, 150, 200)).tobytes() == whole.crop((150, 0, 300, 180)).tobytes()
    assert page.getpixel((10, 10)) == page.getpixel((190, 100)) == INK


def test_colours_that_hardly_differ_are_told_apart() -> None:
    whole = Image.new("RGB", (40, 300), (200, 200, 200))
    for number in range(9):
        whole.paste((200 + number % 3, 200 + number // 3, 201), (4 * number, 100, 4 * number + 3, 280))
    assert Ground(whole).image.convert("RGB").tobytes() == whole.tobytes()


def test_numbered_samples_give_the_picture_that_coloured_ones_give() -> None:
    pictures = []
    for canvas in (
        Canvas(90, 300, scale=2, origin=(0, 0), ground=PAPER),
        FlatCanvas(90, 300, scale=2, origin=(0, 0), ground=PAPER),
    ):
        canvas.polygon([(3.3, 5.2), (80.1, 140.9), (12.0, 290.4)], GRID)
        canvas.stroke([(5, 5), (60, 200)], 7, INK, round_ends=True)
        canvas.box((20, 120, 50.5, 140.2), 4, PAPER)
        canvas.line([(0, 0), (90, 300)], 2, INK)
        pictures.append(canvas.done().tobytes())
    assert pictures[0] == pictures[1]


# memory ------------------------------------------------------------------------------------------------------


FREED = """
import sys
from pbem.render import heap

def held():
    return int(open("/proc/self/statm").read().split()[1]) // 256

for _ in range(3):  # the C library learns from what is given back to it
    large = [bytearray(1_000_000) for _ in range(40)]
    del large
small, large = [], []
for _ in range(40):
    large.append(bytearray(1_000_000))
    small.append(bytes(1000))
before = held()
del large
if sys.argv[1] == "given back":
    heap.give_back()
print(before - held())
"""


def gone(how: str) -> int:
    """Megabytes that go back to the system, of 40 that lay between small things."""
    done = subprocess.run([sys.executable, "-c", FREED, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's own")
def test_what_is_large_goes_back_though_small_things_lie_beside_it() -> None:
    assert gone("given back") >= 35
    assert gone("as it is") < 35
