"""From one decision to the next, with two phases that count: the flow plays, forces, refuses and takes alternatives."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest
from typing_extensions import override

from pbem.engine import Move, Refusal, Refused, Seat, Step, refuse, replace
from pbem.engine.chance import NO_SEED, Chance, SeededChance
from pbem.engine.flow import FirstLegal, Flow, ListNumber, PlayedUnasked
from pbem.engine.moves import Cancel
from pbem.engine.phase import Forced, Phase

CHANCE = SeededChance(NO_SEED, "1.1")


@dataclass(frozen=True)
class State:
    phase: str = "add"
    turn: int = 1
    over: bool = False
    total: int = 0
    waiting: tuple[Seat, ...] = ("red", "blue")
    orders: int = 0


class Add(Move):
    keyword = "add"
    usage = "add N"
    number: int

    @override
    def __str__(self) -> str:
        return f"add {self.number}"


class Adding(Phase["Rules", State]):
    """Everybody adds one to three; with nine or more only zero."""

    name = "add"
    moves = (Add,)

    @override
    def to_act(self, rules: Rules, state: State) -> Seat | None:
        return state.waiting[0] if state.waiting else None

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        return Forced(Add(0), "A1") if state.total >= 9 else None

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        fits = isinstance(move, Add) and 1 <= move.number <= 3
        return None if fits else replace(refuse("", "One to three."), asks=move == Add(5))

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        assert isinstance(move, Add)
        return Step(dataclasses.replace(state, total=state.total + move.number, waiting=state.waiting[1:]))

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        return [Add(1), Add(2), Add(3)]


class Rules:
    """Turn by turn until twelve."""

    phases: ClassVar = {"add": Adding()}

    def phase_of(self, state: State) -> Adding:
        return self.phases[state.phase]

    def next_phase(self, state: State, chance: Chance) -> Step[State]:
        if state.turn == 3:
            return Step(dataclasses.replace(state, over=True))
        return Step(dataclasses.replace(state, turn=state.turn + 1, waiting=("red", "blue")))

    def count_order(self, state: State) -> State:
        return dataclasses.replace(state, orders=state.orders + 1)


FLOW = Flow(Rules())


def play(state: State, seat: Seat, *moves: Move) -> Step[State]:
    return FLOW.play(state, seat, moves, CHANCE)


def refused(state: State, seat: Seat, *moves: Move) -> Refused:
    with pytest.raises(Refused) as caught:
        play(state, seat, *moves)
    return caught.value


def test_an_order_leads_to_the_next_decision_and_is_counted() -> None:
    step = play(State(), "red", Add(2))
    assert (step.state.total, step.state.waiting, step.state.orders) == (2, ("blue",), 1)
    assert (step.played, FLOW.to_act(step.state)) == ((Add(2),), "blue")


def test_the_next_phase_begins_when_nobody_is_left() -> None:
    step = play(State(waiting=("blue",)), "blue", Add(1))
    assert (step.state.turn, FLOW.to_act(step.state)) == (2, "red")


def test_who_has_no_choice_is_not_asked_and_it_is_told() -> None:
    step = play(State(total=8, turn=3), "red", Add(1))
    assert step.events == (PlayedUnasked("blue", "add 0", "A1", 3, "add"),)
    assert step.state.over
    assert FLOW.to_act(step.state) is None


def test_only_the_seat_to_act_may_play_and_nobody_after_the_end() -> None:
    assert "It is Red's turn" in str(refused(State(), "blue", Add(1)))
    assert "over" in str(refused(State(over=True), "red", Add(1)))
    assert "no order" in str(refused(State(), "red"))


def test_a_submission_is_played_whole_or_not_at_all() -> None:
    error = refused(State(waiting=("red", "red")), "red", Add(1), Add(7))
    assert (error.line, str(error)) == (2, "One to three.")
    assert refused(State(), "red", Add(7)).line == 0


def test_an_order_of_another_moment_is_told_what_is_expected() -> None:
    assert "one of: “add N”" in str(refused(State(), "red", Cancel()))


def test_the_first_legal_alternative_is_played() -> None:
    assert play(State(), "red", FirstLegal((Add(9), Cancel(), Add(3), Add(1)))).played == (Add(3),)
    assert str(refused(State(), "red", FirstLegal((Add(8), Add(9))))) == "One to three."
    assert "None of the alternatives" in str(refused(State(), "red", FirstLegal((Cancel(),))))


def test_an_alternative_that_is_not_clear_ends_the_search() -> None:
    assert str(refused(State(), "red", FirstLegal((Add(5), Add(1))))) == "One to three."


def test_a_number_stands_for_a_line_of_the_list() -> None:
    assert play(State(), "red", ListNumber("add", 2)).played == (Add(2),)
    for number in (0, 4):
        assert "it has 3" in str(refused(State(), "red", ListNumber("add", number)))


def test_alternatives_and_numbers_print_as_they_are_typed() -> None:
    assert str(FirstLegal((Add(1), ListNumber("add", 2)))) == "add 1 | add 2"
