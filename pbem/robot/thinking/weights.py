"""What a thinking robot holds to be worth how much: set by hand."""

from __future__ import annotations

from dataclasses import dataclass


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
