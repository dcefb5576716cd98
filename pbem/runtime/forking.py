"""The parts of the server, forked from one process that has loaded what they need: ``python -m pbem.runtime.forking``.

A process needs most of a second of the processor to load pbem, and 50 MB to hold it. Here that is done once: parts
that are forked begin at once, and share the memory of what was loaded as long as nobody writes to it. Then each runs
as it does by hand: it reads its settings, opens its own database and log, and is told the same words.

Nothing may be loaded here that begins a thread or opens a connection: a fork would have half of it.
"""

import gc
import os
import runpy
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

import msgspec

from pbem.runtime.processes import ENDING, Ended, Part, Processes, Stopped, stoppable

COMMON = ("pbem.service", "pbem.web", "workers.copies", "workers.jobs", "workers.backups")
"""What more than one part imports, with all that it stands on."""
OF = MappingProxyType({
    "celery": ("celery.bin.celery", "celery.worker.worker", "celery.concurrency.solo", "kombu.transport.filesystem"),
    "gunicorn": ("gunicorn.app.wsgiapp", "gunicorn.arbiter", "pbem.runtime.webworker"),
})  # fmt: skip
"""What the programs import only as they begin. None of these reads settings."""


def main(logs: str, parts: Sequence[Part]) -> None:
    """Be the process that :func:`start_parts` starts; returns in the parts, too, when they have ended."""
    gc.disable()
    load(parts, OF)
    gc.freeze()  # a look at all objects would write to each: they would be shared no longer
    processes = Processes(os.environ, Path(logs) if logs else None, ENDING * 2 / 3)
    for part in parts:
        if processes.fork(part.name):
            gc.enable()
            become(part)
            return
    with stoppable(), processes:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        processes.check()


def load(parts: Sequence[Part], of: Mapping[str, Sequence[str]]) -> None:
    """Import what the parts need, and all sheets."""
    for module in (*COMMON, *(module for part in parts for module in of.get(part.module, ()))):
        import_module(module)
    import_module("pbem.engine.catalog").sheets()


def become(part: Part) -> None:
    """Run the program of a part in this process, to its end."""
    os.nice(part.nice)
    sys.argv[1:] = part.words
    runpy.run_module(part.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1], msgspec.json.decode(sys.argv[2], type=list[Part]))
    except Stopped:
        pass
    except Ended as ended:
        sentence, _, last_words = str(ended).partition("\n")
        sys.exit(f"{last_words}\n{sentence}".strip())
