"""What commands share that play series of games on paper."""

import argparse
import json
import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pbem.cli._terminal import Failure, Progress
from pbem.robot import series
from pbem.robot.matches import Mean
from pbem.robot.series import Another, Series

FIRST_LOOK = 10
"""Values before which no series ends early: their standard error says too little."""
R = TypeVar("R")


def opened(
    path: Path | None, about: Mapping[str, object], seed: str, read: Callable[[Any], R]
) -> tuple[Series[R], str]:
    """The series in a file, or a new one, and its seed: the one that was asked for, that of the file, or a new one.

    Raises :class:`Failure` when the file holds something else.
    """
    try:
        seed = seed or _seed_of(path) or secrets.token_hex(8)
        kept = Series({**about, "seed": seed}, read, path)
        kept.load()
    except (Another, OSError) as error:
        raise Failure(str(error)) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Failure(f"{path} does not hold a series of games.") from error
    return kept, seed


def _seed_of(path: Path | None) -> str:
    if path is None or not path.exists():
        return ""
    with path.open(encoding="utf-8") as file:
        head = file.readline()
    return str(json.loads(head)["seed"]) if head else ""


def played_on(
    kept: Series[R], one: Callable[[int], R], args: argparse.Namespace, title: str, ends: Callable[[], bool]
) -> None:
    """Play what is missing, with a line of progress, until ``ends`` says that it is decided."""
    progress = Progress("games")
    for _ in series.run(kept, one, args.games, args.jobs):
        progress(title, len(kept.found), args.games)
        if ends():
            break
    progress.end()


def decided(values: Callable[[], Sequence[float]], until: float | None) -> bool:
    """Whether the mean of these values is ``until`` standard errors away from 0."""
    if until is None or len(found := values()) < FIRST_LOOK:
        return False
    mean = Mean.of(found)
    return abs(mean.value) > until * mean.error


def error_of(mean: Mean | None) -> str:
    if mean is None:
        return "–"
    return f"{mean.value:.1f}" if math.isinf(mean.error) else f"{mean.value:.1f} ± {mean.error:.1f}"
