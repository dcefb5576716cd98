"""Orders given ahead of time (P1 to P8): which moment each is for, and what it says when that comes.

No phase knows that an order has waited. Each says which orders can wait for it, what must still hold then, and what
an order says when its moment has come (:class:`AgeOfSteamPhase`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.age_of_steam.moves import Always, Pass
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.flow import FirstLegal, ListNumber
from pbem.engine.moves import Cancel, Move, Refused, Resign, Seat, refuse
from pbem.engine.standing_orders import StandingOrder, phase_of
from pbem.engine.text import Say, Typed, Word, say


@dataclass(frozen=True, slots=True)
class SequenceOfPlay:
    """The sequence of play of a rule sheet and where it stands."""

    rules: Rules
    phases: Sequence[AgeOfSteamPhase]
    state: State

    @property
    def now(self) -> AgeOfSteamPhase:
        """The phase that is under way."""
        return self.phase(self.state.phase)

    def phase(self, name: str) -> AgeOfSteamPhase:
        """The phase of this name."""
        return next(phase for phase in self.phases if phase.name == name)

    def moments(self, seat: Seat) -> tuple[str, ...]:
        """What the seat may still be asked for in this turn, the next first."""
        if self.state.over or seat not in self.state.order:
            return ()
        found = list(self.now.moments_left(self.rules, self.state, seat)) if self.now.moves else []
        return (*found, *self._moments(self.phases[self.phases.index(self.now) + 1 :]))

    def every_moment(self) -> tuple[str, ...]:
        """What a seat may be asked for in a whole turn."""
        return self._moments(self.phases)

    def _moments(self, phases: Sequence[AgeOfSteamPhase]) -> tuple[str, ...]:
        asking = (phase for phase in phases if phase.moves)
        return tuple(moment for phase in asking for moment in phase.moments_to_come(self.rules, self.state))

    @property
    def chosen(self) -> bool:
        """Whether the actions of this turn are being taken, or are taken."""
        begun = self.phases[: self.phases.index(self.now) + 1]
        return any(phase.name == "select_actions" for phase in begun)


# taking in --------------------------------------------------------------------------------------------------


def take(play: SequenceOfPlay, seat: Seat, moves: Sequence[Move]) -> tuple[StandingOrder, ...]:
    """The orders with their moments. Raises :class:`Refused` with ``line``."""
    left, again = list(play.moments(seat)), list(play.every_moment())
    taken: list[StandingOrder] = []
    for line, move in enumerate(moves, 1):
        try:
            taken.append(
                _for_every_turn(play, move) if isinstance(move, Always) else _take(play, seat, move, left, again)
            )
        except Refused as refused:
            refused.line = line if len(moves) > 1 else 0
            raise
    return tuple(taken)


def _take(play: SequenceOfPlay, seat: Seat, move: Move, left: list[str], again: list[str]) -> StandingOrder:
    rules, state = play.rules, play.state
    phase = _phase_for(play, move)
    if seat not in state.order:
        raise Refused(refuse("", "You are out of the game."))
    here = next((moment for moment in left if phase_of(moment) == phase.name), None)
    turn = state.turn
    if here is not None:
        left.remove(here)
    elif phase.opens_turn and not play.now.opens_turn and not rules.last_turn(state):
        here = next((moment for moment in again if phase_of(moment) == phase.name), None)
        if here is not None:
            again.remove(here)
            turn += 1
    if here is None:
        raise Refused(
            refuse(
                "",
                "“{order}” came too late for this turn, or is one too many: there will be no more {phase} for you.",
                order=Typed(str(move)),
                phase=Word(phase.name),
            )
        )
    if turn == state.turn:
        _judge_pass(play, seat, move)
    if (refusal := phase.refuse_waiting(rules, state, seat, move)) is not None:
        raise Refused(refusal)
    guard = phase.guard(rules, state, seat, move, chosen=play.chosen)
    return StandingOrder(move, here, moment_words(here), turn, isinstance(move, phase.lasting), guard)


def _judge_pass(play: SequenceOfPlay, seat: Seat, move: Move) -> None:
    """P6: as long as the seat may be asked for the order of players, a pass is not clear."""
    if isinstance(move, Pass) and any(phase_of(moment) == "turn_order" for moment in play.moments(seat)):
        raise Refused(
            refuse("P6", "“pass” could be meant for the auction as well: give it when the auction is over for you.")
        )


def _for_every_turn(play: SequenceOfPlay, move: Always) -> StandingOrder:
    phase = next(phase for phase in play.phases if move.order in phase.always)
    if (refusal := phase.refuse_always(play.rules, move)) is not None:
        raise Refused(refusal)
    return StandingOrder(move, phase.name, say("{phase}, every turn", phase=Word(phase.name)))


def _phase_for(play: SequenceOfPlay, move: Move) -> AgeOfSteamPhase:
    """The phase an order belongs to. Raises :class:`Refused` for one that cannot wait."""
    if any(isinstance(single, ListNumber) for single in (move.moves if isinstance(move, FirstLegal) else (move,))):
        raise Refused(refuse("", "A number from a list works only for the position it was sent with."))
    for phase in play.phases:
        if phase.takes_waiting(play.rules, move):
            return phase
    if isinstance(move, (Cancel, Resign, *(kind for phase in play.phases for kind in phase.never_waits))):
        raise Refused(refuse("", "“{order}” cannot be given ahead of time.", order=Typed(str(move))))
    raise Refused(refuse("", "No phase of this map takes “{order}”.", order=Typed(str(move))))


def moment_words(moment: str) -> Say:
    """A moment as sentences name it."""
    name, _, number = moment.partition(".")
    if number:
        return say("{phase}, round {n}", phase=Word(name), n=int(number))
    return say("{phase}", phase=Word(name))


def asked_ahead(play: SequenceOfPlay, seat: Seat, moment: str) -> State | None:
    """The position as if the seat were asked now for one of the moments to come in this turn."""
    if moment not in play.moments(seat):
        return None
    return play.phase(phase_of(moment)).imagined(play.state, seat, moment)


# when their moment comes --------------------------------------------------------------------------------------


def due_order(play: SequenceOfPlay, seat: Seat, order: StandingOrder) -> Move | None:
    """The order to be played now, ``None`` when nothing is said. Raises :class:`Refused` when it no longer holds."""
    return play.now.due(play.rules, play.state, seat, order)


def answers(play: SequenceOfPlay, move: Move) -> bool:
    """Whether the order is of the kind that the phase takes."""
    kinds = play.now.moves
    match move:
        case FirstLegal(moves):
            return any(isinstance(alternative, kinds) for alternative in moves)
        case ListNumber(word, _):
            return any(kind.keyword == word for kind in kinds)
    return isinstance(move, kinds)
