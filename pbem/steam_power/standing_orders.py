"""Orders given ahead of time (P9): a turn with alternatives, played when the seat comes up unless it costs more.

No phase knows that an order has waited. Moments: ``actions.1``, ``bonus.1`` (the bonus of the first action),
``actions.2``, ``bonus.2``; ``draw.1`` while a hand to draw from is to be chosen.
"""

from collections.abc import Sequence
from typing import Final

from pbem.engine import Move, Refusal, Refused, Say, Seat, Typed, refuse, replace, say
from pbem.engine.flow import FirstLegal
from pbem.engine.moves import no, raise_for
from pbem.engine.standing_orders import StandingOrder, phase_of
from pbem.steam_power.laying import run
from pbem.steam_power.moves import Bonus, Contract, Place, Track
from pbem.steam_power.payments import Market
from pbem.steam_power.rules import Rules, SteamPowerSheet
from pbem.steam_power.state import State
from pbem.steam_power.taking import way_of

NUMBERS: Final = {1: "first", 2: "second"}


def moments(rules: Rules, state: State, seat: Seat) -> tuple[str, ...]:
    """What the seat may still be asked for in this round, the next first."""
    if seat != state.seat:
        still_to_come = state.seats[state.seats.index(state.seat) + 1 :]
        return every_moment(rules) if seat in still_to_come else ()
    taken = rules.actions - state.left
    later = every_moment(rules)[2 * taken :]
    return later if state.phase == "actions" else (f"{state.phase}.{taken}", *later)


def every_moment(rules: Rules) -> tuple[str, ...]:
    """What a seat may be asked for in a turn of its own."""
    return tuple(f"{phase}.{n}" for n in range(1, rules.actions + 1) for phase in ("actions", "bonus"))


def moments_ahead(rules: Rules, state: State, seat: Seat) -> tuple[int, tuple[str, ...]]:
    """This turn as long as the seat acts in it, then the next one, if there is one."""
    if found := moments(rules, state, seat):
        return state.turn, found
    return state.turn + 1, () if rules.last_round(state) else every_moment(rules)


def asked_ahead(rules: Rules, state: State, seat: Seat, moment: str) -> State | None:
    """The board of now with an action to be taken by the seat; which bonus comes is not known ahead."""
    if moment not in every_moment(rules) or phase_of(moment) != "actions" or seat not in state.companies:
        return None
    left = rules.actions + 1 - int(moment.partition(".")[2])
    return replace(state, seat=seat, company=seat, left=left, phase="actions", scratch=None)


def take(rules: Rules, state: State, seat: Seat, moves: Sequence[Move]) -> tuple[StandingOrder, ...]:
    """The orders with their moments, in this turn of the seat and in its next. Raises :class:`Refused`."""
    raise_for(rules.refuse_standing_orders(state))
    ways = [(state.turn, moment) for moment in moments(rules, state, seat)]
    if not rules.last_round(state):
        ways += [(state.turn + 1, moment) for moment in every_moment(rules)]
    taken: list[StandingOrder] = []
    for line, move in enumerate(moves, 1):
        try:
            at = _place(move, ways)
            turn, moment = ways[at]
            ways = ways[at + 1 :]
            guard = {"prices": [_stated(rules, state, seat, single) for single in _singles(move)]}
            taken.append(StandingOrder(move, moment, moment_said(rules, moment), turn, guard=guard))
        except Refused as refused:
            refused.line = line if len(moves) > 1 else 0
            raise
    return tuple(taken)


def _place(move: Move, ways: Sequence[tuple[int, str]]) -> int:
    """The first moment that an order can be for."""
    phase = "bonus" if all(isinstance(single, Bonus) for single in _singles(move)) else "actions"
    for at, (_, moment) in enumerate(ways):
        if phase_of(moment) == phase:
            return at
    raise no("P9", "You cannot give “{order}” for any of your turns now.", order=Typed(str(move)))


def _singles(move: Move) -> tuple[Move, ...]:
    return move.moves if isinstance(move, FirstLegal) else (move,)


def moment_said(rules: Rules, moment: str) -> Say:
    number = NUMBERS[int(moment.partition(".")[2])]
    if phase_of(moment) == "bonus":
        return say("the bonus of your {number} action", number=number)
    return say("your {number} action", number=number)


# what must still hold -------------------------------------------------------------------------------------


def _stated(rules: Rules, state: State, seat: Seat, move: Move) -> int:
    """What an order costs as the board stands, whether it is legal yet or not. Raises :class:`Refused`."""
    match move:
        case Bonus(Track(operations)) | Track(operations):
            return sum(_tile(rules, state, place) for place in operations if isinstance(place, Place))
        case Contract(number, _, option):
            if option is not None:
                raise no("", "A number from a list works only for the position it was sent with.")
            if number not in state.players[seat].hand:
                raise no("Fulfil a Contract", "You do not hold contract {number}.", number=number)
            return _contract(rules, state, seat, move)
    return 0


def _tile(rules: Rules, state: State, place: Place) -> int:
    if state.track.get(place.hex):
        return rules.crossing_price
    known = rules.board.hexes[place.hex].terrain in rules.terrain_prices
    return rules.terrain_price(place.hex) if known else 0


def _contract(rules: Rules, state: State, seat: Seat, order: Contract) -> int:
    market = Market(rules, state, seat)
    if order.items:
        return sum(rules.bank_price if item.source is None else 1 + len(item.over) for item in order.items)
    return market.cheapest_ways(rules.contracts[order.number])[0].price


# when their moment comes --------------------------------------------------------------------------------


def due_order(rules: SteamPowerSheet, state: State, order: StandingOrder) -> Move:
    """The first legal alternative. Raises :class:`Refused` where none is legal, or it has become dearer."""
    phase, seat = rules.phase_of(state), rules.asked(state)
    refusal: Refusal | None = None
    for move, price in zip(_singles(order.move), order.guard["prices"], strict=True):
        if not isinstance(move, phase.moves):
            continue
        refusal = phase.refuse(rules, state, seat, move)
        if refusal is None:
            _judge_price(_price(rules, state, move), int(price), move)
            return move
        if refusal.asks:
            break
    raise Refused(refusal or refuse("P9", "“{order}” does not answer this question.", order=Typed(str(order.move))))


def _price(rules: Rules, state: State, move: Move) -> int:
    match move:
        case Bonus(Track(operations)) | Track(operations):
            return run(rules, state, operations).price
        case Contract():
            return way_of(rules, state, move).price
    return 0


def _judge_price(price: int, given: int, move: Move) -> None:
    if price > given:
        raise no(
            "P9",
            "“{order}” now costs ${price}; it was given for ${given}.",
            order=Typed(str(move)),
            price=price,
            given=given,
        )
