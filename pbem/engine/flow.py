"""From one decision to the next: phases in their order, forced moves played unasked, orders played whole."""

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from typing_extensions import override

from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.engine.moves import Move, Refusal, Refused, Seat, no, refuse
from pbem.engine.phase import Phase, Step
from pbem.engine.text import Typed, Who, Word, say, to_reader
from pbem.engine.values import replace


class GameState(Protocol):
    @property
    def turn(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def over(self) -> bool: ...


S = TypeVar("S", bound=GameState)


class FlowSheet(Protocol[S]):
    def phase_of(self, state: S) -> Phase[Any, S]: ...
    def next_phase(self, state: S, chance: Chance) -> Step[S]: ...
    def count_order(self, state: S) -> S: ...


class PlayedUnasked(Event):
    """A decision without a choice was settled for a seat; ``rule`` is the automatic resolution (A1…A20)."""

    sentence = say("{player} had no choice: {order}.")
    seat: Seat
    order: str
    rule: str
    turn: int
    phase: str


to_reader("{player} had no choice: {order}.", player="You had no choice: {order}.")


class FirstLegal(Move):
    """Alternatives with ``|``: the first one that is legal when the time comes is played."""

    keyword = "|"
    usage = "ORDER | ORDER"
    moves: tuple[Move, ...]

    @override
    def __str__(self) -> str:
        return " | ".join(map(str, self.moves))


class ListNumber(Move):
    """``move 3``: the third line of the list that was sent with this position."""

    keyword = "number"
    usage = "KEYWORD N"
    word: str
    number: int

    @override
    def __str__(self) -> str:
        return f"{self.word} {self.number}"


class Flow(Generic[S]):
    """Plays orders on a rule sheet. ``rules`` is what the phases are given."""

    def __init__(self, rules: FlowSheet[S]) -> None:
        self.rules = rules

    def to_act(self, state: S) -> Seat | None:
        """The seat that is asked, ``None`` when the game is over."""
        return None if state.over else self.rules.phase_of(state).to_act(self.rules, state)

    def settle(self, state: S, chance: Chance) -> Step[S]:
        """Go on until a seat has a choice or the game is over; forced moves are played on the way."""
        events: tuple[Event, ...] = ()
        while not state.over:
            phase = self.rules.phase_of(state)
            seat = phase.to_act(self.rules, state)
            if seat is None:
                step = phase.end(self.rules, state, chance)
                if not step.state.over:
                    step = self.rules.next_phase(step.state, chance).after(step.events)
            else:
                forced = phase.forced(self.rules, state, seat)
                if forced is None:
                    break
                step = phase.apply(self.rules, state, seat, forced.move, chance)
                events += (PlayedUnasked(seat, str(forced.move), forced.rule, state.turn, state.phase),)
            state, events = step.state, events + step.events
        return Step(state, events)

    def play(self, state: S, seat: Seat, moves: Sequence[Move], chance: Chance) -> Step[S]:
        """Play one submission whole; raises :class:`Refused` (with ``line``) and changes nothing otherwise."""
        if not moves:
            raise no("", "There is no order in your text.")
        events: tuple[Event, ...] = ()
        played: tuple[Move, ...] = ()
        for line, move in enumerate(moves, 1):
            try:
                step = self._play_one(state, seat, move, chance)
            except Refused as refused:
                refused.line = line if len(moves) > 1 else 0
                raise
            state, events, played = step.state, events + step.events, played + step.played
        return Step(self.rules.count_order(state), events, played)

    def _play_one(self, state: S, seat: Seat, move: Move, chance: Chance) -> Step[S]:
        if state.over:
            raise no("", "The game is over.")
        asked = self.to_act(state)
        if asked != seat:
            raise no("", "It is {other}'s turn in {phase}, not yours.", other=Who(asked or ""), phase=Word(state.phase))
        phase = self.rules.phase_of(state)
        move = self._chosen(phase, state, seat, move)
        if not isinstance(move, phase.moves):
            raise no(
                "",
                "“{order}” is not an order for this moment; in {phase} the game expects one of: {usages}.",
                order=Typed(str(move)),
                phase=Word(state.phase),
                usages=tuple(say("“{order}”", order=Typed(kind.usage)) for kind in phase.moves),
            )
        step = phase.play(self.rules, state, seat, move, chance)
        after = self.settle(step.state, chance).after(step.events)
        return replace(after, played=(move,))

    def _chosen(self, phase: Phase[Any, S], state: S, seat: Seat, move: Move) -> Move:
        match move:
            case FirstLegal(moves):
                refusal: Refusal | None = None
                for alternative in moves:
                    alternative = self._chosen(phase, state, seat, alternative)
                    if not isinstance(alternative, phase.moves):
                        continue
                    refusal = phase.refuse(self.rules, state, seat, alternative)
                    if refusal is None:
                        return alternative
                    if refusal.asks:
                        break
                raise Refused(refusal or refuse("", "None of the alternatives is an order for this moment."))
            case ListNumber(word, number):
                listed = [m for m in phase.legal(self.rules, state, seat) or () if m.keyword == word]
                if not 1 <= number <= len(listed):
                    raise no(
                        "",
                        "There is no line {number} in the list; it has {lines}.",
                        number=number,
                        lines=len(listed),
                    )
                return listed[number - 1]
        return move
