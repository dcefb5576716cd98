"""States that nobody has seen: what one player may see with hidden things made up, and what actions lead to."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine import Move, Seat, Step, replace
from pbem.engine.chance import NO_SEED, Chance, SeededChance
from pbem.engine.events import Event, Told
from pbem.engine.moves import raise_for
from pbem.rails.track import track_of
from pbem.steam_power.events import ContractsSeen, StolenSeen
from pbem.steam_power.moves import Bonus, Contract, Draw
from pbem.steam_power.rules import Rules, SteamPowerSheet
from pbem.steam_power.state import CityTile, Player, State

PHASE = "actions"
"""The phase in which the table shows everything; in the others more hangs on what was done before."""


def imagined(rules: Rules, position: Mapping[str, Any], viewer: Seat, options: Mapping[str, str]) -> State | None:
    """The position with an invented bag and invented hands of the others, ``None`` in the middle of an action."""
    if position["phase"] != PHASE or position["to_act"] is None:
        return None
    hands = _hands(rules, position, viewer)
    held = {number for hand in hands.values() for number in hand}
    done = {number for player in position["players"].values() for number in player["done"]}
    unseen = tuple(number for number in rules.contracts if number not in held | done)
    in_bag, seats = position["bag"], tuple(position["order"])
    return State(
        seats=seats,
        companies=rules.companies(seats),
        options=dict(options),
        players={
            seat: Player(player["cash"], hands[seat], tuple(player["done"]))
            for seat, player in position["players"].items()
        },
        cities={
            label: CityTile(tile["colour"], tile["factory"], tile["cubes"])
            for label, tile in position["cities"].items()
        },
        left_over=tuple(position["left_over"]),
        bag=unseen[:in_bag],
        seat=position["to_act"],
        company=position.get("company") or position["to_act"],
        left=position["actions_left"],
        turn=position["turn"],
        track=track_of(rules.board, position["track"]),
        counters=unseen[in_bag : in_bag + position.get("counters", 0)],
        trains=tuple(train for train, count in position.get("train_bag", {}).items() for _ in range(count)),
    )


def dealt_anew(rules: Rules, state: State, viewer: Seat, chance: Chance) -> State:
    """The same position with all contracts that ``viewer`` does not see shuffled: bag, counters, hands of others."""
    others = [seat for seat in state.seats if seat != viewer]
    hands = (number for seat in others for number in state.players[seat].hand)
    heap = iter(chance.order("dealt-anew", [f"{number:03}" for number in (*state.bag, *state.counters, *hands)]))

    def taken(count: int) -> tuple[int, ...]:
        return tuple(sorted(int(next(heap)) for _ in range(count)))

    players = dict(state.players)
    for seat in others:
        players[seat] = replace(players[seat], hand=taken(len(players[seat].hand)))
    return replace(state, players=players, counters=taken(len(state.counters)), bag=taken(len(state.bag)))


def holding(rules: Rules, state: State, seat: Seat, moves: Sequence[Move]) -> State:
    """The same made-up state, but for the contracts that a seat has shown to hold: they change places with others."""
    numbers = [move.number for move in moves if isinstance(move, Contract)]
    for number in numbers:
        spare = next((held for held in state.players[seat].hand if held not in numbers), None)
        if spare is not None:
            state = _exchanged(state, number, spare)
    return state


def _exchanged(state: State, one: int, other: int) -> State:
    """Two contracts that nobody has shown yet in each other's place."""
    hidden = {*state.bag, *state.counters, *(number for player in state.players.values() for number in player.hand)}
    if not {one, other} <= hidden:
        return state
    places = {one: other, other: one}

    def changed(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(places.get(number, number) for number in numbers)

    return replace(
        state,
        bag=tuple(sorted(changed(state.bag))),
        counters=changed(state.counters),
        players={
            seat: replace(player, hand=tuple(sorted(changed(player.hand)))) for seat, player in state.players.items()
        },
    )


def _hands(rules: Rules, position: Mapping[str, Any], viewer: Seat) -> dict[Seat, tuple[int, ...]]:
    """The viewer's own hand, and as many other contracts for each of the others."""
    players = position["players"]
    own = tuple(players[viewer].get("hand", ()))
    done = {number for player in players.values() for number in player["done"]}
    unknown = [number for number in rules.contracts if number not in own and number not in done]
    hands = {viewer: own}
    for seat, player in players.items():
        if seat != viewer:
            hands[seat] = tuple(unknown[: player["contracts"]])
            del unknown[: player["contracts"]]
    return hands


# the actions of a turn before they are sent --------------------------------------------------------------------------


UNKNOWN = SeededChance(NO_SEED, "foreseen")
"""Nothing is drawn with it."""


def foreseen(sheet: SteamPowerSheet, state: State, seat: Seat, moves: Sequence[Move]) -> Step[State] | None:
    """The position after actions of the seat, its hand as it is; ``None`` in a game alone, where a train drawn after
    each action says who acts."""
    if sheet.actions == 1:
        return None
    events: tuple[Event, ...] = ()
    for move in moves:
        draws = isinstance(move.move if isinstance(move, Bonus) else move, Draw)
        step = (_draw if draws else _play)(sheet, state, seat, move)
        state, events = step.state, events + step.events
    return Step(state, events)


def _draw(sheet: SteamPowerSheet, state: State, seat: Seat, move: Move) -> Step[State]:
    phase = sheet.phase_of(state)
    if not isinstance(move, phase.moves):
        return sheet.play(state, seat, (move,), UNKNOWN)  # which refuses it
    raise_for(phase.refuse(sheet, state, seat, move))
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
