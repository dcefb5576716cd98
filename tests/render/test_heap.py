"""What glibc is told about memory; elsewhere nothing is told."""

import subprocess
import sys

import pytest

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
