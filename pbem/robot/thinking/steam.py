"""The decisions of Steam Power with others: each action by what the position after it is worth."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter

from pbem.engine.moves import Seat
from pbem.engine.sheet import Choice, Question, Sheet, State
from pbem.engine.text import Place, Say, say
from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.robot.reasons import Until
from pbem.robot.thinking.decision import Decision, Option, decided, misjudged, ranked
from pbem.robot.thinking.railway import ACTION, View, drawn, view, worth
from pbem.robot.trying import after
from pbem.robot.walks import beside, part_of, price_of, walks

LONGEST_WAY, A_TURN = 4, 2
"""Tiles of a connection that is thought of, and operations of an action."""
CROSSING_PRICE = 2
RICH, FULL_HAND = 20, 9
"""Dollars and contracts that are plenty."""
TRIED = 24
"""Connections that are shown to the judge at the most."""


@dataclass(frozen=True, slots=True)
class Rails:
    """Tiles between two Cities, in the order in which they are laid, with their prices."""

    start: Label
    goal: Label
    tiles: tuple[str, ...]
    prices: tuple[int, ...]


def steam(sheet: Sheet, state: State, question: Question, slip: float, luck: random.Random) -> Decision:
    """The action after which the position is worth most. ``slip``: points by which it errs."""
    seat = question.seat
    seen = view(sheet, state, seat)
    seen = replace(seen, left=max(seen.left - 1, 0))
    options = [option for choice in question.choices for option in _choice(sheet, state, seat, seen, choice)]
    if question.builder:
        prefix = "bonus " if question.phase == "bonus" else ""
        options += _track(sheet, state, seat, seen, prefix, lambda: luck.gauss(0, slip) if slip else 0.0)
    options = [option for option in options if not _hoards(seen, option.order)] or options
    return decided(misjudged(options, slip, luck) if slip else ranked(options), len(options), Until.GAME)


def _hoards(seen: View, order: str) -> bool:
    """Whether an order only gathers more of what there is plenty of: games in which all wait would never end."""
    return (order == "cash" and seen.cash >= RICH) or (order.startswith("draw") and len(seen.hand) >= FULL_HAND)


def _choice(sheet: Sheet, state: State, seat: Seat, seen: View, choice: Choice) -> Iterator[Option]:
    words = choice.order.removeprefix("bonus ").split()
    if words[0] == "draw":
        done = [n for player in sheet.position(state)["players"].values() for n in player["done"]]
        why = say("Draws contracts: its hand offers less than two new ones would on average.")
        yield Option(choice.order, worth(seen) + drawn(seen, done), why)
        return
    then = after(sheet, state, seat, choice.order)
    if then is None:
        return
    seen_by_all = words[0] == "contract"
    yield Option(choice.order, worth(_again(sheet, then, seat, seen)), _why(choice, words), open=seen_by_all)


def _again(sheet: Sheet, then: State, seat: Seat, seen: View) -> View:
    """The view after an action, as if the same time were left."""
    return replace(view(sheet, then, seat, seen.groups), left=seen.left)


def _why(choice: Choice, words: Sequence[str]) -> Say:
    match words:
        case ["contract", number, *_]:
            return say("Fulfils contract {number}: its cubes are as cheap as they get.", number=number)
        case ["factory", city, *_]:
            return say("A factory in {city}: cubes for its contracts, and others pay for theirs.", city=Place(city))
        case ["cash", *_]:
            return say("Takes money: nothing that it could pay for brings more.")
    return say("Nothing else promises more.")


# track --------------------------------------------------------------------------------------------------


def _track(
    sheet: Sheet, state: State, seat: Seat, seen: View, prefix: str, error: Callable[[], float]
) -> Iterator[Option]:
    """The connection that seems to be worth most of those that the judge allows. ``error``: in points, of each."""
    scene: Scene = sheet.scene(state)
    valued: list[tuple[float, tuple[Rails, ...]]] = []
    ways = list(_ways(scene, seen))
    for way in ways:
        if sum(way.prices[:A_TURN]) <= seen.cash:
            actions = -(-len(way.tiles) // A_TURN)
            later = worth(seen.with_line(way.start, way.goal, sum(way.prices)))
            valued.append((later - ACTION * (actions - 1), (way,)))
    short = sorted((entry for entry in valued if len(entry[1][0].tiles) == 1), key=itemgetter(0), reverse=True)[:TRIED]
    for first in short:
        (one,) = first[1]
        for other in ways:
            if _fits(one, other, seen):
                both = seen.with_line(one.start, one.goal, one.prices[0])
                valued.append((worth(both.with_line(other.start, other.goal, other.prices[0])), (one, other)))
    seeming = [(value + error(), value, chosen) for value, chosen in valued]
    for _, value, chosen in sorted(seeming, key=itemgetter(0), reverse=True)[:TRIED]:
        order = f"{prefix}track {'; '.join([tile for way in chosen for tile in way.tiles][:A_TURN])}"
        if after(sheet, state, seat, order) is not None:
            places = tuple(dict.fromkeys(Place(city) for way in chosen for city in (way.start, way.goal)))
            yield Option(order, value, say("Builds towards a connection of {places}.", places=places))
            return


def _fits(one: Rails, other: Rails, seen: View) -> bool:
    """Whether another connection of one tile can be built in the same action, and is another one."""
    if len(other.tiles) != 1 or {one.start, one.goal} == {other.start, other.goal}:
        return False
    network = {seen.groups[end] for line in seen.lines if line.owner == seen.company for end in line.ends}
    if seen.groups[other.start] not in (network or {seen.groups[one.start], seen.groups[one.goal]}):
        return False
    apart = one.tiles[0].split()[0] != other.tiles[0].split()[0]
    return apart and one.prices[0] + other.prices[0] <= seen.cash


def _ways(scene: Scene, seen: View) -> Iterator[Rails]:
    """Ways between Cities: from the open end if there is one, else from every City of the network; of those between the
    same Cities the two shortest and cheapest."""
    cities = {hex_: plate.label for plate in scene.cities for hex_ in plate.hexes}
    best: dict[tuple[Label, Label], list[Rails]] = {}
    for hex_, edge, start in _begins(scene, seen, cities):
        for steps, end in walks(scene.board, cities, (hex_, edge), LONGEST_WAY, partial(beside, scene)):
            if (goal := cities[end]) != start:
                prices = (CROSSING_PRICE if scene.track.get(label) else price_of(scene, label) for label, _, _ in steps)
                kept = best.setdefault((start, goal), [])
                kept.append(
                    Rails(start, goal, tuple(part_of(step).typed(scene.board) for step in steps), tuple(prices))
                )
                kept.sort(key=lambda one: (-(-len(one.tiles) // A_TURN), sum(one.prices), one.tiles))
                del kept[2:]
    for kept in best.values():
        yield from kept


def _begins(scene: Scene, seen: View, cities: dict[Label, Label]) -> Iterator[tuple[Label, int, Label]]:
    """The sides of hexes over which a way can begin, and the City that it begins at."""
    own = [chain for chain in scene.chains if chain.owner == seen.company]
    for chain in own:
        if not chain.complete and chain.anchor is not None:
            yield from ((hex_, edge, chain.anchor) for hex_, edge in chain.open)
            return
    network = {seen.groups[end] for chain in own if chain.complete for end in chain.ends if end is not None}
    for hex_, city in cities.items():
        if not own or seen.groups[city] in network:
            yield from ((hex_, edge, city) for edge in sorted(scene.board.open_sides.get(hex_, ())))
