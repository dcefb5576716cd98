"""The position as others see it, and the final table (section 11)."""

from typing import Any

from pbem.age_of_steam.phases.base import AgeOfSteamSheet
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.age_of_steam.words import points
from pbem.engine import Seat
from pbem.engine.sheet import Standing


def position(sheet: AgeOfSteamSheet, state: State, viewer: Seat | None = None) -> dict[str, Any]:
    """One JSON object; places are labels, exits directions as seen, ``accepts`` the colours dealt to places."""
    scores = points(sheet, state)
    return {
        "turn": state.turn,
        "phase": sheet.phase(state),
        "to_act": sheet.to_act(state),
        "order": list(state.order),
        "players": {
            seat: {
                "cash": player.cash,
                "income": player.income,
                "shares": player.shares,
                "engine": player.engine,
                "action": player.action,
                "out": player.out > 0,
                "points": scores.get(seat),
            }
            for seat, player in state.players.items()
        },
        "cubes": {label: sorted(cubes) for label, cubes in state.cubes.items() if cubes},
        "display": {column: list(boxes) for column, boxes in state.display.items()},
        "new_cities": dict(state.new_cities),
        "bag": {colour: count for colour, count in state.bag.items() if count},
        "track": sheet.net(state).as_seen,
        "links": {key: owner for key, owner in state.links.items() if owner is not None},
        **({"accepts": {label: list(colours) for label, colours in state.accepts.items()}} if state.accepts else {}),
        "over": state.over,
    }


def standings(rules: Rules, state: State) -> tuple[Standing, ...]:
    """Places by points, ties shared (R61); then the eliminated, later turn and higher income first (R66)."""
    links = rules.links(state)
    parts = {seat: rules.score(state, seat, links) for seat in state.order}
    worth = {seat: (sum(n for _, n in parts[seat]), *rules.tie_break(state, seat, links)) for seat in state.order}
    table = []
    for seat in sorted(state.order, key=lambda s: worth[s], reverse=True):
        place = 1 + sum(1 for other in worth.values() if other > worth[seat])
        score = worth[seat][0] if rules.scored else None
        table.append(Standing(seat, place, score, False, parts[seat]))
    gone = [seat for seat in state.seats if state.players[seat].out]
    rank = {seat: (-state.players[seat].out, -state.players[seat].income) for seat in gone}
    for seat in sorted(gone, key=lambda s: rank[s]):
        place = 1 + len(state.order) + sum(1 for other in gone if rank[other] < rank[seat])
        table.append(Standing(seat, place, None, True))
    return tuple(table)
