"""The land of a board is kept small, and exactly as it was drawn."""

import subprocess
import sys

import pytest
from PIL import Image

from pbem.render.canvas import Ground
from pbem.render.palette import INK


def test_a_ground_is_laid_as_it_was_drawn() -> None:
    many = Image.linear_gradient("L").resize((300, 300))
    whole = Image.merge("RGB", (many, many.rotate(90), many.rotate(180)))
    found = Ground(whole.size, lambda: whole)
    page = Image.new("RGB", (200, 200), INK)
    found.onto(page, (-150, 20))
    assert page.crop((0, 20, 150, 200)).tobytes() == whole.crop((150, 0, 300, 180)).tobytes()
    assert page.getpixel((10, 10)) == page.getpixel((190, 100)) == INK


FREED = """
import sys
from pbem.render import land

def held():
    return int(open("/proc/self/statm").read().split()[1]) // 256

for _ in range(3):  # the C library learns from what is given back to it
    large = [bytearray(1_000_000) for _ in range(40)]
    del large
small, large = [], []
for _ in range(40):
    large.append(bytearray(1_000_000))
    small.append(bytearray(100_000))  # too large for a gap that was left between earlier things
before = held()
del large
if sys.argv[1] == "given back":
    land.give_back()
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
