"""The robots one can play against: each level slips less than the one before, and the last not at all."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.engine import Say, say

HASTY, QUICK, LONG = 150, 400, 3000
"""Outlooks that are looked at for one build."""
MANY_PLAYERS = 3
"""With so many the Master looks at the next turn, and likes some things more than the outlook says: with two the first
did not help, alone neither was tried."""
FIRST_HALF = 4
"""Turns left after the present one, or more, in the first half of a game of four."""


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
    bid_part: float = 0.95
    first_move: float = 0.5
    first_build: float = 0.5
    production: float = 0.5
    turn_order: float = 0.3


STANDARD = Weights()
NOTHING = say("")


@dataclass(frozen=True, slots=True)
class Tastes:
    """Points that something is worth with many players besides what the outlook sees; found by games (docs/robots.md).

    ``locomotive``; ``early``: the first place in turn order. With :data:`FIRST_HALF` left or more ``share``: each
    share, and ``urbanization``: a New City that is better than none.
    """

    locomotive: float = 0.0
    early: float = 0.0
    share: float = 0.0
    urbanization: float = 0.0


NO_TASTES = Tastes()


@dataclass(frozen=True, slots=True)
class Character:
    """A robot. ``name``, ``level`` and ``manner`` are for people.

    ``budget``: outlooks for one search of builds. ``width``: plans that are gone on with at each length of a build.
    ``follows``: the best of them for which the next turn is looked at as well, with many players.
    ``tastes``: what it likes with many players; ``tastes_on``: the same on the sheets named.
    ``public``: whether it thinks of deliveries over any number of public links, instead of one.
    ``slip``: the deviation of its errors, in points, when it compares what orders are worth; ``steam_slip``: the same
    in Steam Power; ``adapts``: whether both follow its opponent.
    """

    key: str
    name: str = ""
    level: Say | None = None
    manner: Say = NOTHING
    weights: Weights = STANDARD
    budget: int = QUICK
    width: int = 8
    follows: int = 0
    tastes: Tastes = NO_TASTES
    tastes_on: Mapping[str, Tastes] = field(default_factory=dict, hash=False)
    public: bool = False
    slip: float = 0.0
    steam_slip: float = 0.0
    adapts: bool = False


PENNY = Character(
    "penny",
    "Penny",
    say("Novice"),
    say("Adapts to you: plays worse after you lose, and better after you win. Its games are not rated."),
    slip=7.0,
    steam_slip=18.0,
    adapts=True,
)
RUFUS = Character(
    "rufus",
    "Rufus",
    say("Club"),
    say("Beats the Novice in about 8 of 10 games."),
    slip=4.5,
    steam_slip=4.0,
)
CLARA = Character("clara", "Clara", say("Strong"), say("Beats Club in about 8 of 10 games."), slip=1.8, steam_slip=1.5)
MARTA = Character(
    "marta",
    "Marta",
    say("Master"),
    say("Beats Strong in about 8 of 10 games."),
    budget=LONG,
    width=24,
    follows=10,
    tastes=Tastes(locomotive=2.5, early=1.0),
    tastes_on={"finland": Tastes(locomotive=2.5, early=1.0, share=0.7, urbanization=4.0)},
    public=True,
)
CHARACTERS: Mapping[str, Character] = {robot.key: robot for robot in (PENNY, RUFUS, CLARA, MARTA)}
"""By key, the weakest first."""

CARETAKER = Character("caretaker", budget=HASTY, width=5)
"""Has no seat of its own, so it is none of those one can choose. It thinks only briefly: the clock waits for it."""
