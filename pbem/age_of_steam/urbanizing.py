"""Placing a New City on a town, or where a map allows it on another New City (section 7.9)."""

from __future__ import annotations

from collections import Counter

from pbem.age_of_steam.events_build import CityPlaced, LinkCompleted
from pbem.age_of_steam.events_goods import CubesReturned
from pbem.age_of_steam.moves import Urbanize
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.events import Event
from pbem.engine.moves import Seat
from pbem.engine.phase import Step
from pbem.engine.text import Place, Word
from pbem.engine.values import replace
from pbem.rails.hexes import opposite
from pbem.rails.judging import no
from pbem.rails.track import Chain, Link, with_owner


def urbanize(rules: Rules, state: State, seat: Seat, step: Urbanize) -> Step[State]:
    """Place the New City; chains that pointed at the town now reach a City (R43 to R45).

    Raises ``Refused``. The caller checks that nothing was placed before (R42).
    """
    if state.players[seat].action != "urbanization":
        raise no("New City Tiles", "Only the holder of Urbanization places a New City.")
    if step.letter not in rules.board.new_cities:
        raise no("New City Tiles", "There is no New City {letter} in this game.", letter=step.letter)
    if step.letter in state.new_cities:
        raise no("New City Tiles", "New City {letter} is on the board already.", letter=step.letter)
    if step.letter not in {city.letter for city in rules.new_cities_free(state, seat)}:
        raise no("New City Tiles", "New City {letter} is out of the game.", letter=step.letter)
    if step.hex not in rules.urbanizable(state, seat):
        raise no("New City Tiles", "{hex} is not a town that can take a New City.", hex=Place(step.hex))
    replaced = next((letter for letter, label in state.new_cities.items() if label == step.hex), "")
    _judge_keep(state, step, replaced)
    track = {hex_: segments for hex_, segments in state.track.items() if hex_ != step.hex}
    after = replace(state, track=track, new_cities={**state.new_cities, step.letter: step.hex})
    completed = [] if replaced else _completed(rules, state, after, step.hex)
    after, links = _connect(rules, after, seat, completed)
    after = rules.on_urbanized(after, seat, step)
    placed = CityPlaced(seat, step.letter, step.hex, replaced)
    return Step(after, (placed, *links, *_returned(state, after, step.hex)))


def _judge_keep(state: State, step: Urbanize, replaced: str) -> None:
    """R122: only cubes that lie on a New City that is replaced can be kept or not."""
    if step.keep is None:
        return
    if not replaced:
        raise no(
            "R122", "Only where a New City is replaced are cubes kept or not; {hex} has none.", hex=Place(step.hex)
        )
    lacking = Counter(step.keep) - Counter(state.cubes.get(step.hex, ()))
    if lacking:
        raise no("R122", "These cubes do not lie on {hex}: {cubes}.", hex=Place(step.hex), cubes=_words(lacking))


def _returned(before: State, after: State, hex_: str) -> tuple[Event, ...]:
    """The cubes that the New City sent back into the bag."""
    gone = Counter(before.cubes.get(hex_, ())) - Counter(after.cubes.get(hex_, ()))
    return (CubesReturned(hex_, tuple(sorted(gone.elements()))),) if gone else ()


def _words(cubes: Counter[str]) -> tuple[Word, ...]:
    return tuple(map(Word, sorted(cubes.elements())))


def _connect(rules: Rules, after: State, seat: Seat, chains: list[Chain]) -> tuple[State, tuple[Event, ...]]:
    """Give the sections that the New City completes to their owners (R43, R44), those that nobody gets last."""
    events = []
    for chain in sorted(chains, key=lambda c: (c.owner or rules.completed_by_city(after, seat, c)) is None):
        owner = chain.owner or rules.completed_by_city(after, seat, chain)
        if owner != chain.owner:
            after = replace(after, track=with_owner(after.track, chain.pieces, owner))
        link = Link((chain.ends[0] or "", chain.ends[1] or ""), owner, chain.pieces)
        events.append(LinkCompleted(owner, link.ends, rules.link_points(after, link)))
    return after, tuple(events)


def _completed(rules: Rules, before: State, after: State, town: str) -> list[Chain]:
    """The chains that pointed at a side of the town where it had no exit; not those that loop back to it (R45)."""
    old, net = rules.net(before), rules.net(after)
    chains = [
        net.chain(beyond, segment)
        for beyond, segment, side in net.leaving(town)
        if old.segment(town, opposite(side)) is None
    ]
    return [chain for chain in chains if chain.complete]
