"""The robots one can play against: how long each thinks, what it likes, how often it slips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pbem.engine.text import Say, say
from pbem.robot.thinking.weights import STANDARD, Weights

HASTY, QUICK, STRONG = 150, 400, 3000
"""Outlooks that are looked at for one build."""


@dataclass(frozen=True, slots=True)
class Character:
    """A robot. ``name`` and ``manner`` are for people.

    ``budget``: outlooks for one search of builds. ``width``: plans that are gone on with at each length of a build.
    ``tastes``: points that an action is worth to it besides. ``slip``: how far it misjudges what things are worth.
    """

    key: str
    name: str
    manner: Say
    weights: Weights = STANDARD
    budget: int = QUICK
    width: int = 8
    tastes: Mapping[str, float] = field(default_factory=dict)
    slip: float = 0.0


PENNY = Character(
    "penny",
    "Penny",
    say("Spends little, likes to move first, sometimes errs."),
    weights=replace(STANDARD, spare=STANDARD.spare + 2, risk=2 * STANDARD.risk),
    tastes={"first-move": 1.5},
    slip=2.0,
)
RUFUS = Character(
    "rufus",
    "Rufus",
    say("Likes to turn towns into Cities."),
    weights=replace(STANDARD, bid_part=1.3 * STANDARD.bid_part),
    tastes={"urbanization": 1.5},
)
CLARA = Character(
    "clara",
    "Clara",
    say("Plays no favourites and thinks longest: beats three plain robots in 99 of 100 games on the Rust Belt."),
    budget=STRONG,
    width=24,
)
CHARACTERS: Mapping[str, Character] = {robot.key: robot for robot in (PENNY, RUFUS, CLARA)}
"""By key, the weakest first."""

CARETAKER = Character(
    "caretaker",
    "The caretaker",
    say("Plays for somebody who is away, and thinks only briefly, because the clock waits for it."),
    budget=HASTY,
    width=5,
)
"""Has no seat of its own, so it is none of those one can choose."""
