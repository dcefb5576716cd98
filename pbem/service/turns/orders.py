"""What a submission holds: orders that answer the question, orders that wait for their moment, a cancellation."""

from collections.abc import Sequence

from pbem.engine import Move, Refused, Seat, Sheet, State, Step, Value, replace
from pbem.engine.chance import NO_SEED, Chance, NotedChance, SeededChance
from pbem.engine.standing_orders import StandingOrder


class Tried(Value):
    """An order and the step it led to when it was tried, from this very state."""

    move: Move
    state: State
    step: Step[State]
    drew: bool

    def holds(self, state: State, seat: Seat, chance: Chance, seats: Sequence[Seat]) -> bool:
        """Whether playing it with the dice of the game leads to the same step, so that it need not be played again."""
        others_asked = any(chance.asks_first(other) for other in seats if other != seat)
        return state is self.state and not self.drew and not others_asked


class Sorted(Value):
    """The orders of a submission, judged.

    ``moves`` are played at once, one after the other; ``waiting`` are kept. ``lasting``: the first that waits has
    given one of the moves already (a limit for bids). ``cancels``: earlier standing orders are withdrawn. ``repeated``:
    an order stood there twice that can be played once.
    """

    moves: tuple[Tried, ...]
    waiting: tuple[StandingOrder, ...]
    lasting: bool = False
    cancels: bool = False
    repeated: bool = False


def sort(sheet: Sheet, state: State, seat: Seat, moves: Sequence[Move], *, strict: bool) -> Sorted:
    """Sort the orders of a seat: the first ones may answer the question it is asked, the others wait.

    ``strict``: they answer a question they were sent with, so the first has to be an answer. Raises
    :class:`Refused`, with the line, for an order that is neither legal now nor able to wait. An order that says once
    more what the one before it says, about what is asked once a turn, is passed over.
    """
    cancels = [line for line, move in enumerate(moves) if move.keyword == "cancel"]
    given = [(line, move) for line, move in enumerate(moves, 1) if move.keyword != "cancel"]
    once = [
        (line, move)
        for at, (line, move) in enumerate(given)
        if not (at and given[at - 1][1] == move and _is_asked_once(sheet, state, seat, move))
    ]
    try:
        return replace(_sort(sheet, state, seat, once, bool(cancels), strict), repeated=len(once) < len(given))
    except Refused as refused:
        refused.line = refused.line if len(moves) > 1 else 0
        raise


def _sort(
    sheet: Sheet, state: State, seat: Seat, given: Sequence[tuple[int, Move]], cancels: bool, strict: bool
) -> Sorted:
    played: list[Tried] = []
    kept: list[StandingOrder] = []
    left, first = list(given), state
    while left and not kept and sheet.to_act(state) == seat:
        line, move = left[0]
        if played and _passed_over(
            sheet, first, state, seat, [move for _, move in given[: len(given) - len(left) + 1]]
        ):
            left.pop(0)
            continue
        try:
            answer = _answer(sheet, state, seat, move, strict=strict and not played)
            if answer is None:
                break
            order, lasting = answer
            chance = NotedChance(SeededChance(NO_SEED, sheet.place(state), frozenset({seat})))
            step = sheet.play(state, seat, (order,), chance)
        except Refused as refused:
            refused.line = line
            raise
        played.append(Tried(order, state, step, bool(chance.notes)))
        state = step.state
        left.pop(0)
        if lasting is not None and lasting.moment in sheet.moments(state, seat):
            kept.append(lasting)
        if chance.notes:
            break  # what follows was written without knowing the roll: it waits, and cannot be refused for it
    lasting_kept = bool(kept)
    kept += _wait(sheet, state, seat, left)
    return Sorted(tuple(played), tuple(kept), lasting_kept, cancels)


def _passed_over(sheet: Sheet, first: State, state: State, seat: Seat, moves: Sequence[Move]) -> bool:
    """Whether the last of these orders was for a moment that did not come after the others were played, so that nobody
    was asked: such as an auction in which no other could bid."""
    try:
        *_, order = sheet.take_standing_orders(first, seat, moves)
    except Refused:
        return False
    return order.turn == sheet.turn(state) and order.moment not in sheet.moments(state, seat)


def _is_asked_once(sheet: Sheet, state: State, seat: Seat, move: Move) -> bool:
    """Whether an order is about something that is asked once a turn: those for rounds and actions have numbers."""
    if sheet.to_act(state) == seat and sheet.answers(state, move):
        moments: Sequence[str] = sheet.moments(state, seat)[:1]
    else:
        try:
            moments = [order.moment for order in sheet.take_standing_orders(state, seat, (move,))]
        except Refused:
            return False
    return bool(moments) and not any("." in moment for moment in moments)


def _answer(
    sheet: Sheet, state: State, seat: Seat, move: Move, *, strict: bool
) -> tuple[Move, StandingOrder | None] | None:
    """What an order plays now, and what of it lasts; ``None`` when it is for another moment."""
    if sheet.answers(state, move):
        return move, None
    try:
        (taken,) = sheet.take_standing_orders(state, seat, (move,))
    except Refused:
        if strict:
            return move, None  # the rules say what they expect
        raise
    if taken.every_turn:
        return None
    if taken.moment != sheet.moments(state, seat)[0] or taken.turn != sheet.turn(state):
        return (move, None) if strict else None
    spoken = sheet.due_order(state, taken)
    return None if spoken is None else (spoken, taken if taken.lasting else None)


def _wait(sheet: Sheet, state: State, seat: Seat, left: Sequence[tuple[int, Move]]) -> Sequence[StandingOrder]:
    if not left:
        return ()
    try:
        return sheet.take_standing_orders(state, seat, [move for _, move in left])
    except Refused as refused:
        refused.line = left[max(refused.line, 1) - 1][0]
        raise
