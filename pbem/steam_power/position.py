"""The position as others see it, and the final table (section 10)."""

from typing import Any

from pbem.engine import Seat
from pbem.engine.sheet import Standing
from pbem.steam_power.railways import Railways
from pbem.steam_power.rules import Rules, SteamPowerSheet
from pbem.steam_power.state import COLOURS, State


def position(rules: SteamPowerSheet, state: State, viewer: Seat | None = None) -> dict[str, Any]:
    """One JSON object; hands and bag are numbers of contracts, but ``viewer`` sees the own hand besides."""
    railways = rules.railways(state)
    return {
        "turn": state.turn,
        "phase": rules.phase(state),
        "to_act": rules.to_act(state),
        "actions_left": state.left,
        "order": list(state.seats),
        "players": {seat: _player(rules, state, seat, viewer, railways) for seat in state.seats},
        "cities": {
            label: {"colour": tile.colour, "factory": tile.factory, "cubes": tile.cubes, "flipped": tile.flipped}
            for label, tile in state.cities.items()
        },
        "left_over": list(state.left_over),
        "track": railways.net.as_seen,
        "stock": {colour: state.stock(colour) for colour in COLOURS},
        "bag": len(state.bag),
        "last_round": rules.last_round(state),
        "over": state.over,
        **rules.besides(state, railways),
    }


def _player(rules: Rules, state: State, seat: Seat, viewer: Seat | None, railways: Railways) -> dict[str, Any]:
    player = state.players[seat]
    seen: dict[str, Any] = {
        "cash": player.cash,
        "done": list(player.done),
        "contracts": len(player.hand),
        "points": points(rules, state, seat, railways),
    }
    if seat in state.companies:
        seen |= pieces_left(rules, state, seat, railways)
    if seat == viewer:
        seen["hand"] = list(player.hand)
    return seen


def pieces_left(rules: Rules, state: State, company: Seat, railways: Railways) -> dict[str, int]:
    return {
        "trains": rules.trains - railways.trains(company),
        "factories": rules.factories - state.factories(company),
    }


def points(rules: Rules, state: State, seat: Seat, railways: Railways) -> int:
    """Victory points as they stand now; contracts in hand count nothing."""
    return sum(part for _, part in rules.score(state, seat, railways))


def standings(rules: Rules, state: State) -> tuple[Standing, ...]:
    """Places by points, then by contracts fulfilled; equal ones share (section 10)."""
    railways = rules.railways(state)
    worth = {seat: (points(rules, state, seat, railways), len(player.done)) for seat, player in state.players.items()}
    return tuple(
        Standing(
            seat,
            1 + sum(1 for other in worth.values() if other > worth[seat]),
            worth[seat][0],
            False,
            rules.score(state, seat, railways),
        )
        for seat in sorted(state.seats, key=lambda s: worth[s], reverse=True)
    )
