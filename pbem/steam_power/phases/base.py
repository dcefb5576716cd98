"""What the phases share."""

from __future__ import annotations

from pbem.engine.chance import Chance
from pbem.engine.moves import Move
from pbem.engine.phase import Step
from pbem.engine.values import replace
from pbem.rails.sheet import AskingPhase, MapSheet
from pbem.steam_power.laying import run
from pbem.steam_power.moves import Draw, Factory, Track
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import State
from pbem.steam_power.taking import Stealing, build_factory, draw, judge_draw


class SteamPowerPhase(AskingPhase[Rules, State]):
    """A moment in which a seat of Steam Power is asked."""


class SteamPowerSheet(Rules, MapSheet[State, SteamPowerPhase]):
    """A rule sheet with these phases."""


def go_on(step: Step[State]) -> Step[State]:
    """After an order: choose a hand to draw from, else the next action."""
    waiting = isinstance(step.state.scratch, Stealing)
    return Step(replace(step.state, phase="draw" if waiting else "actions"), step.events)


def dry_run(rules: Rules, state: State, move: Move, *, bonus: bool) -> None:
    """Try an action that a bonus can give as well, and change nothing. Raises :class:`Refused`."""
    match move:
        case Track(operations):
            run(rules, state, operations)
        case Factory():
            build_factory(rules, state, move, bonus=bonus)
        case Draw():
            judge_draw(state, move)


def take(rules: Rules, state: State, move: Move, chance: Chance, *, bonus: bool) -> Step[State]:
    """Carry out an action that a bonus can give as well. Raises :class:`Refused`."""
    match move:
        case Track(operations):
            laid = run(rules, state, operations)
            return go_on(Step(laid.state, laid.events))
        case Factory():
            return go_on(build_factory(rules, state, move, bonus=bonus))
        case Draw():
            return go_on(draw(state, move, chance))
    raise TypeError(move)
