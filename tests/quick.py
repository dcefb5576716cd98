"""Whether something is quick, where a machine that stalls for a moment must not make it slow."""

import time
from collections.abc import Callable

TRIES = 3


def is_quick(act: Callable[[], object], seconds: float) -> bool:
    """Whether it takes no longer than ``seconds`` of the processor at least once: the collector of garbage, which has
    much to look at in a process of tests, may come in between."""
    for _ in range(TRIES):
        begin = time.process_time()
        act()
        if time.process_time() - begin < seconds:
            return True
    return False
