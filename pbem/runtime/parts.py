"""What a server consists of, and the start of all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from pbem.runtime.processes import Processes

FORKING = "pbem.runtime.forking"
"""The program that forks the parts."""


@dataclass(frozen=True, slots=True)
class Part:
    """``python -m MODULE WORDS…``, which stands back behind others by ``nice``."""

    name: str
    module: str
    words: Sequence[str] = ()
    nice: int = 0


def start(processes: Processes, parts: Sequence[Part]) -> None:
    """Start a process that forks the parts and ends with them; when one ends, it ends all and says which."""
    logs = "" if processes.logs is None else str(processes.logs)
    processes.python("server", "-m", FORKING, logs, msgspec.json.encode(parts).decode())
