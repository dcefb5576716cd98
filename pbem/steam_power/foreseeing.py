"""What the actions of a turn lead to before they are sent: everything but the contracts that a draw will bring."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.chance import NO_SEED, SeededChance
from pbem.engine.events import Event, Told
from pbem.engine.moves import Move, Refused, Seat
from pbem.engine.phase import Step
from pbem.engine.values import replace
from pbem.steam_power.events import ContractsSeen, StolenSeen
from pbem.steam_power.moves import Bonus, Contract, Draw
from pbem.steam_power.rules import SteamPowerSheet
from pbem.steam_power.state import State

UNKNOWN = SeededChance(NO_SEED, "foreseen")
"""Nothing is drawn with it."""


def foreseen(sheet: SteamPowerSheet, state: State, seat: Seat, moves: Sequence[Move]) -> Step[State] | None:
    """The position after actions of the seat, its hand as it is; ``None`` in a game alone, where a train drawn after
    each action says who acts."""
    if sheet.actions == 1:
        return None
    events: tuple[Event, ...] = ()
    for move in moves:
        step = _draw(sheet, state, seat, move) if _draws(move) else _play(sheet, state, seat, move)
        state, events = step.state, events + step.events
    return Step(state, events)


def _draws(move: Move) -> bool:
    return isinstance(move.move if isinstance(move, Bonus) else move, Draw)


def _draw(sheet: SteamPowerSheet, state: State, seat: Seat, move: Move) -> Step[State]:
    """A draw that is judged and not made."""
    phase = sheet.phase_of(state)
    if not isinstance(move, phase.moves):
        return sheet.play(state, seat, (move,), UNKNOWN)  # which refuses it
    if (refusal := phase.refuse(sheet, state, seat, move)) is not None:
        raise Refused(refusal)
    left = state.left if state.phase == "bonus" else state.left - 1
    return Step(replace(state, left=left, phase="actions", scratch=None))


def _play(sheet: SteamPowerSheet, state: State, seat: Seat, move: Move) -> Step[State]:
    """The action alone: after the last one nothing goes on to the next player."""
    phase = sheet.phase_of(state)
    if not isinstance(move, phase.moves):
        return sheet.play(state, seat, (move,), UNKNOWN)
    return phase.play(sheet, state, seat, move, UNKNOWN)


def drawn_cards(sheet: SteamPowerSheet, seat: Seat, events: Sequence[Told]) -> frozenset[str]:
    """The contracts that the seat has drawn, as orders begin that fulfil them."""
    numbers: list[object] = []
    for event in events:
        if event.fields.get("seat") != seat:
            continue
        match event.kind, event.fields:
            case ContractsSeen.__name__, {"numbers": drawn}:
                numbers += drawn  # type: ignore[arg-type] # a list of numbers, as it was stored
            case StolenSeen.__name__, {"number": number}:
                numbers.append(number)
    return frozenset(str(Contract(int(str(number)))) for number in numbers)
