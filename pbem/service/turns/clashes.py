"""Orders ahead that their owner's own orders leave nothing to: told with those orders, while others can be sent.

What others do is not looked at: an order that they make void is found out when its moment comes.
"""

from collections.abc import Sequence

from pbem.engine import BadMove, Refused, Say, Seat, Sheet, State, Typed, say, say_from_json
from pbem.engine.chance import NO_SEED, NotedChance, SeededChance
from pbem.engine.standing_orders import StandingOrder
from pbem.store.tables import StandingOrderRow


def found(
    sheet: Sheet, before: State, after: State, seat: Seat, waiting: Sequence[StandingOrderRow]
) -> tuple[Say, ...]:
    """A sentence for each order of this turn that was possible before its owner's own orders, and is not after them.

    ``before``, ``after``: the positions around the orders that were just played, the same where all of them wait.
    """
    turn, moments = sheet.turn(after), sheet.moments(after, seat)
    coming = [row for row in waiting if row.turn == turn and row.moment in moments]
    earlier, told = (before, after), []
    for row in sorted(coming, key=lambda row: (moments.index(row.moment), row.id)):
        then, why = _played(sheet, after, row)
        if then is not None:
            after = then
        elif why is not None and any(_played(sheet, state, row)[0] is not None for state in earlier):
            moment = say_from_json(row.words)
            told.append(
                say(
                    "Your other orders leave “{orders}” nothing to do ({moment}): {why} We ask you then, unless you"
                    " send another line for it.",
                    orders=Typed(row.orders),
                    moment=moment,
                    why=why,
                )
            )
    return tuple(told)


def _played(sheet: Sheet, state: State, row: StandingOrderRow) -> tuple[State | None, Say | None]:
    """The position after an order, as if its seat were asked for its moment now, or why it is not possible; neither
    where that cannot be imagined, or the order says nothing."""
    asked = sheet.asked_ahead(state, row.seat, row.moment)
    if asked is None:
        return None, None
    try:
        (move,) = sheet.parse(asked, row.orders, {})
        order = StandingOrder(move, row.moment, say_from_json(row.words), row.turn, row.lasting, row.guard)
        due = sheet.due_order(asked, order)
        if due is None:
            return None, None
        chance = NotedChance(SeededChance(NO_SEED, sheet.place(asked), frozenset({row.seat})))
        return sheet.play(asked, row.seat, (due,), chance).state, None
    except BadMove as bad:
        return None, bad.sentence()
    except Refused as refused:
        return None, refused.refusal.why
