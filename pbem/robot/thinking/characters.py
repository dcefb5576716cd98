"""The robots one can play against: how long each thinks, what it likes, how often it slips."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pbem.engine.text import Say, say

HASTY, QUICK, STRONG = 150, 400, 3000
"""Outlooks that are looked at for one build."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Values in victory points unless said otherwise.

    ``track_money``: dollars it expects to spend on track in a turn to come. ``phantom``: length of deliveries, as a
    part of the engine, that builds and cubes it cannot see yet will bring; ``phantom_part``: how much of what is
    missing to that it believes in. ``keeps``, ``contested``: the chance that a cube which only it, or others too can
    deliver is still there a turn later. ``foreign``: income steps that a step for somebody else costs. ``rival``: what
    a step for all others costs beside a step of its own. ``engine_cost``: the part of a delivery that raising the
    engine costs on average. ``cash``: a dollar left in the end.
    ``spare``: dollars it likes to keep. ``risk``: the chance that its best delivery of a turn is taken away.
    ``order_value``, ``first_move``, ``first_build``, ``production``, ``turn_order``: what these are worth besides what
    the outlook sees. ``bid_part``: how much of the worth of the first place it bids.
    """

    track_money: float = 6.0
    phantom: float = 0.6
    phantom_part: float = 0.6
    keeps: float = 0.95
    contested: float = 0.7
    foreign: float = 0.4
    rival: float = 0.35
    engine_cost: float = 0.4
    cash: float = 0.05
    spare: float = 1.0
    risk: float = 0.12
    order_value: float = 0.6
    bid_part: float = 0.7
    first_move: float = 0.5
    first_build: float = 0.5
    production: float = 0.5
    turn_order: float = 0.3


STANDARD = Weights()


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
