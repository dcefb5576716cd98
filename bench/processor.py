"""Whose processor time it is: of the benchmark itself, and of the programs that it has started."""

from __future__ import annotations

from collections.abc import Mapping

import psutil

OURS = "the benchmark"
NAMES = {"postgres": "PostgreSQL", "redis-server": "Redis", "valkey-server": "Redis"}
OTHERS = "pbem"
"""Every other program that was started."""


def spent() -> dict[str, float]:
    """Seconds of the processor that each has had so far: this process, PostgreSQL, Redis, and what is left, by name.

    Of processes that have ended those are counted whose parent is still there, as for PostgreSQL.
    """
    this = psutil.Process()
    found = [(OURS, _own(this))]
    found += [(NAMES.get(child.name(), OTHERS), _with_all_below(child)) for child in this.children()]
    return {name: sum(seconds for other, seconds in found if other == name) for name in dict(found)}


def _own(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _with_all_below(process: psutil.Process) -> float:
    """Also of what has ended below it."""
    ended = process.cpu_times()
    below = sum(_with_all_below(child) for child in process.children())
    return _own(process) + float(ended.children_user + ended.children_system) + below


def between(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """What each has had since; of who was not there before all."""
    return {name: seconds - before.get(name, 0.0) for name, seconds in after.items()}


def in_words(seconds: Mapping[str, float], turns: int) -> str:
    """Milliseconds of each for one turn, the most first."""
    parts = sorted(((1000 * spent / turns, name) for name, spent in seconds.items()), reverse=True)
    return ", ".join(f"{name} {milliseconds:.1f} ms" for milliseconds, name in parts)
