"""Carries out the actions that lay no track (sections 5 to 8); raises :class:`Refused`, and changes nothing then."""

from collections.abc import Sequence
from typing import ClassVar

from pbem.engine import Place as At
from pbem.engine import Seat, Step, Value, Who, Word, replace, say
from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.engine.moves import no
from pbem.rails.board import Label
from pbem.rails.position_lines import NUMBER, FieldLine, Lines
from pbem.steam_power.contracts import ContractTile
from pbem.steam_power.events import (
    CashTaken,
    CityFlipped,
    ContractFulfilled,
    ContractsDrawn,
    ContractsSeen,
    ContractStolen,
    FactoryBuilt,
    LastRoundBegan,
    StolenSeen,
)
from pbem.steam_power.moves import Contract, Draw, Factory
from pbem.steam_power.payments import Market, Way, ordered, told
from pbem.steam_power.railways import Railways
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import VICTORY, CityTile, State

DRAWN = 2


class Stealing(Value):
    """Contracts still to be drawn from hands of the seat's choice (SP-R37)."""

    missing: int
    lines: ClassVar[Lines] = {"missing": FieldLine("Contracts still to draw", NUMBER)}


# factory --------------------------------------------------------------------------------------------------


def build_factory(rules: Rules, state: State, order: Factory, *, bonus: bool) -> Step[State]:
    """Put a factory of the company on a City, with cubes from the stock."""
    tile = _judge_site(rules, state, order.city)
    cubes = _cubes(rules, state, tile, order, bonus=bonus)
    built = state.with_city(order.city, replace(tile, factory=state.company, cubes=cubes))
    return Step(built, (FactoryBuilt(state.company, order.city, tile.colour, cubes),))


def _judge_site(rules: Rules, state: State, city: Label) -> CityTile:
    tile = state.cities.get(city)
    if tile is None:
        raise no("Build a Factory", "{city} is not a City.", city=At(city))
    if tile.colour == VICTORY:
        raise no("Build a Factory", "{city} is a victory City; there are no factories on those.", city=At(city))
    if tile.flipped:
        raise no("SP-R26", "The factory in {city} is used up; no other can be built there.", city=At(city))
    if tile.factory is not None:
        raise no("SP-R26", "{city} has a factory already.", city=At(city))
    if rules.groups[city] not in rules.railways(state).open_groups:
        raise no("SP-R25", "No complete connection leads to {city} yet.", city=At(city))
    if state.factories(state.company) >= rules.factories:
        raise no("SP-R26", "All {n} factories are on the board.", n=rules.factories)
    if not state.stock(tile.colour):
        raise no("SP-R24", "The stock holds no {colour} cube for {city}.", colour=Word(tile.colour), city=At(city))
    return tile


def _cubes(rules: Rules, state: State, tile: CityTile, order: Factory, *, bonus: bool) -> int:
    """How many cubes come onto the City (SP-R24, SP-R40)."""
    possible = cube_choices(rules, state, tile.colour, bonus=bonus)
    if order.cubes is None:
        return min(rules.factory_cubes, possible[-1])
    if order.cubes not in possible:
        raise no("SP-R40", "A factory here gets {possible} cubes, not {n}.", possible=possible, n=order.cubes)
    return order.cubes


def cube_choices(rules: Rules, state: State, colour: str, *, bonus: bool) -> tuple[int, ...]:
    stock = state.stock(colour)
    if not bonus:
        return (min(rules.factory_cubes, stock),)
    return tuple(n for n in rules.bonus_cubes if n <= stock) or (stock,)


def factory_sites(rules: Rules, state: State, railways: Railways) -> list[Label]:
    """The Cities on which the company may put a factory."""
    if state.factories(state.company) >= rules.factories:
        return []
    return [
        label
        for label, tile in state.cities.items()
        if tile.colour != VICTORY
        and tile.factory is None
        and rules.groups[label] in railways.open_groups
        and state.stock(tile.colour)
    ]


# contract -------------------------------------------------------------------------------------------------


def way_of(rules: Rules, state: State, order: Contract) -> Way:
    """The way in which an order gets the cubes of a contract."""
    return ordered(Market(rules, state, state.company), _held(rules, state, order.number), order, state.cash)


def _held(rules: Rules, state: State, number: int) -> ContractTile:
    if number not in state.players[state.seat].hand:
        raise no("Fulfil a Contract", "You do not hold contract {number}.", number=number)
    return rules.contracts[number]


def fulfil(rules: Rules, state: State, order: Contract) -> Step[State]:
    """Get all cubes, pay, take the reward; the bonus is the caller's to offer."""
    tile = _held(rules, state, order.number)
    market = Market(rules, state, state.company)
    way = ordered(market, tile, order, state.cash)
    items = tuple(told(market, item) for item in way.items)
    state, flipped = _taken(state, way)
    state = _paid(rules, state, way)
    player = state.players[state.seat]
    hand = tuple(number for number in player.hand if number != tile.number)
    done = (*player.done, tile.number)
    was_last = rules.last_round(state)
    state = state.with_player(state.seat, hand=hand, done=done, cash=player.cash + tile.money)
    fulfilled = ContractFulfilled(
        state.seat, state.company, tile.number, way.price, items, way.payees, tile.money, tile.vp, rules.bank_price
    )
    events: tuple[Event, ...] = (fulfilled, *flipped)
    if rules.last_round(state) and not was_last:
        events += (LastRoundBegan(state.seat, len(done)),)
    return Step(state, events)


def _taken(state: State, way: Way) -> tuple[State, list[CityFlipped]]:
    """The cubes go back to the stock; a City whose last cube goes is flipped (SP-R34)."""
    flipped = []
    for item in way.items:
        if item.source is not None:
            tile = state.cities[item.source]
            state = state.with_city(item.source, replace(tile, cubes=tile.cubes - 1))
            if tile.cubes == 1:
                flipped.append(CityFlipped(item.source, tile.factory or ""))
    return state, flipped


def _paid(rules: Rules, state: State, way: Way) -> State:
    """Owners get their share at once, the bank the rest (SP-R31)."""
    state = state.with_cash(state.seat, -way.price)
    for company, amount in way.payees:
        state = rules.on_paid(state, company, amount)
    return state


# draw and cash --------------------------------------------------------------------------------------------


def victims(state: State) -> tuple[Seat, ...]:
    """The opponents with the most contracts in hand (SP-R37); nobody where no opponent has one."""
    hands = {seat: len(player.hand) for seat, player in state.players.items() if seat != state.seat}
    most = max(hands.values(), default=0)
    return tuple(seat for seat in state.seats if most and hands.get(seat) == most)


def can_draw(state: State) -> bool:
    """Whether there is any contract to draw (SP-R37, SP-R46)."""
    return bool(state.bag or victims(state))


def judge_draw(state: State, order: Draw, count: int = DRAWN) -> None:
    """Whether a draw is legal, and from the hand that it names."""
    if not can_draw(state):
        raise no("SP-R37", "There is no contract left to draw, in the bag or in the hand of another player.")
    if order.victim is None:
        return
    if len(state.bag) >= count:
        raise no("SP-R37", "The bag still holds contracts; you draw from the bag.")
    possible = victims(state)
    if order.victim not in possible:
        raise no(
            "SP-R37",
            "You draw from a hand with the most contracts: {players}.",
            players=tuple(map(Who, possible)) or say("nobody has any"),
        )


def draw(state: State, order: Draw, chance: Chance, count: int = DRAWN) -> Step[State]:
    """Draw from the bag, then from hands; a choice among hands that is still open stands in the scratch."""
    judge_draw(state, order, count)
    step = _from_bag(state, min(count, len(state.bag)), chance)
    state, events, missing, chosen = step.state, step.events, count - min(count, len(state.bag)), order.victim
    while missing and (possible := victims(state)):
        if chosen is None and len(possible) > 1:
            return Step(replace(state, scratch=Stealing(missing)), events)
        stolen = _from_hand(state, chosen or possible[0], chance)
        state, events, missing, chosen = stolen.state, events + stolen.events, missing - 1, None
    return Step(replace(state, scratch=None), events)


def _from_bag(state: State, count: int, chance: Chance) -> Step[State]:
    if not count:
        return Step(state)
    numbers = draw_numbers(chance, "contracts", state.bag, count)
    bag = tuple(number for number in state.bag if number not in numbers)
    hand = tuple(sorted((*state.players[state.seat].hand, *numbers)))
    state = replace(state, bag=bag).with_player(state.seat, hand=hand)
    return Step(state, (ContractsDrawn(state.seat, count, len(bag)), ContractsSeen(state.seat, numbers)))


def _from_hand(state: State, victim: Seat, chance: Chance) -> Step[State]:
    (number,) = draw_numbers(chance, "stolen", state.players[victim].hand, 1)
    state = state.with_player(victim, hand=tuple(n for n in state.players[victim].hand if n != number))
    state = state.with_player(state.seat, hand=tuple(sorted((*state.players[state.seat].hand, number))))
    return Step(state, (ContractStolen(state.seat, victim), StolenSeen(state.seat, victim, number)))


def draw_numbers(chance: Chance, purpose: str, numbers: Sequence[int], count: int) -> tuple[int, ...]:
    return tuple(map(int, chance.draw(purpose, {str(number): 1 for number in numbers}, count)))


def take_cash(rules: Rules, state: State) -> Step[State]:
    amount = rules.cash_action(state)
    state = state.with_cash(state.seat, amount)
    return Step(state, (CashTaken(state.seat, amount, state.cash),))
