"""Finland (3 to 6 players).

1. Every City begins with two cubes and the zone Russia with five. Five more cubes wait on the engine track at
   4 links.
2. The thick sides of hexes are large lakes: no track crosses them.
3. Russia and Sweden are zones. Track into a zone ends there as at a City and completes a link. No track starts
   from a zone, and none joins the two zones. Track into Sweden may be built before it opens.
4. Espoo–Helsinki and Helsinki–Vantaa are public track from the start: each use takes one link of the engine and
   pays nobody. They have no owner and score nothing. That the three Cities touch joins none of them.
5. A zone takes cubes of every colour while cubes lie in it. Its cubes are moved out like those of a City.
6. Whoever moves a cube into a zone chooses one of the cubes that lay there; it leaves the game. The cube that was
   moved goes back into the bag. A zone without cubes takes nothing any more.
7. As soon as the first engine reaches 4 links, by Locomotive or by a move, the five waiting cubes go to Sweden.
   From then on, in the same round too, Sweden works like Russia.
"""

from collections import Counter
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam.events_goods import CubesGrew
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.proposals import Delivery
from pbem.age_of_steam.state import State, add_cubes, take_cubes, without_cube
from pbem.age_of_steam.words import cubes_said
from pbem.engine import Place, Refusal, Say, Seat, Step, Value, refuse, replace, say, to_reader
from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.rails.board import Label
from pbem.rails.position_lines import CUBE, FieldLine, Lines, several

ZONE = "zone"
SWEDEN = "A4"
WAITING = 5
OPENING_ENGINE = 4


class SwedensCubes(Value):
    """1. The cubes that wait for the first engine of 4 links; none once Sweden is open."""

    cubes: tuple[str, ...]
    lines: ClassVar[Lines] = {"cubes": FieldLine("Waiting for Sweden", several(CUBE))}


class CubeRemoved(Event):
    """A cube of a zone left the game."""

    sentence = say("{player} removed a {colour} cube from {zone}.")
    seat: Seat
    zone: Label
    colour: str


to_reader("{player} removed a {colour} cube from {zone}.", player="You removed a {colour} cube from {zone}.")


class Finland(AgeOfSteam):
    """Zones that close, and track that belongs to everybody."""

    notes: ClassVar[tuple[Say, ...]] = (
        say("Russia takes every colour while cubes lie there; each delivery removes one of them."),
        say("Sweden opens in the same way when the first engine reaches 4."),
        say("Public track takes one link of the engine and pays nobody."),
    )
    extra: ClassVar[type | None] = SwedensCubes

    def zone(self, node: Label) -> bool:
        """3. Whether a node is one of the zones."""
        city = self.board.cities.get(node)
        return city is not None and ZONE in city.tags

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        """1. The waiting cubes. 4. Public track lies there from the start (R130)."""
        cubes = chance.draw("sweden", state.bag, WAITING)
        public = dict.fromkeys(self.board.connections)
        return replace(state, bag=take_cubes(state.bag, cubes), extra=SwedensCubes(cubes), links=public)

    @override
    def on_opening(self, state: State) -> State:
        """1. The cubes that lie nowhere else wait for Sweden."""
        shown = Counter(state.bag)
        for lying in (*state.cubes.values(), *state.display.values()):
            shown.update(cube for cube in lying if cube is not None)
        waiting = tuple((Counter(self.bag()) - shown).elements())
        return replace(state, extra=SwedensCubes(waiting)) if len(waiting) == WAITING else state

    @override
    def anchors(self, state: State, seat: Seat, node: Label) -> bool:
        """3. Zones end links but start none; so no link can join them (R126)."""
        return not self.zone(node)

    @override
    def unanchored(self, state: State, seat: Seat, label: Label) -> Refusal | None:
        """3. Say it where somebody tries."""
        zone = next((node for node in self.board.neighbours[label] if node is not None and self.zone(node)), None)
        if zone is None:
            return None
        return refuse("R126", "{zone} is a zone: track may end there but not start from it.", zone=Place(zone))

    @override
    def accepts(self, state: State, node: Label) -> tuple[str, ...]:
        """5. Every colour while cubes lie there (R127)."""
        if not self.zone(node):
            return super().accepts(state, node)
        return tuple(self.bag()) if state.cubes.get(node) else ()

    @override
    def delivery_variants(self, state: State, seat: Seat, delivery: Delivery) -> tuple[Delivery, ...]:
        """6. The mover chooses the colour that leaves the zone (R128)."""
        goal = delivery.nodes[-1]
        if not self.zone(goal) or not state.cubes.get(goal):
            return (delivery,)
        return tuple(replace(delivery, remove=colour) for colour in sorted(set(state.cubes[goal])))

    @override
    def after_delivery(self, state: State, seat: Seat, delivery: Delivery) -> Step[State]:
        """6. The removed cube leaves the game (R128)."""
        if delivery.remove is None:
            return Step(state)
        zone, colour = delivery.nodes[-1], delivery.remove
        cubes = {**state.cubes, zone: without_cube(state.cubes[zone], colour)}
        after = replace(state, cubes=cubes, gone=add_cubes(state.gone, (colour,)))
        return Step(after, (CubeRemoved(seat, zone, colour),))

    @override
    def on_engine(self, state: State, seat: Seat) -> Step[State]:
        """7. The first engine of 4 links opens Sweden at once (R129)."""
        waiting = self._waiting(state)
        if state.players[seat].engine < OPENING_ENGINE or not waiting:
            return Step(state)
        opened = replace(state, cubes={**state.cubes, SWEDEN: waiting}, extra=SwedensCubes(()))
        return Step(opened, (CubesGrew(SWEDEN, waiting),))

    @override
    def facts(self, state: State) -> tuple[Say, ...]:
        waiting = self._waiting(state)
        return (say("Waiting for Sweden: {cubes}.", cubes=cubes_said(waiting)),) if waiting else ()

    def _waiting(self, state: State) -> tuple[str, ...]:
        return state.extra.cubes if isinstance(state.extra, SwedensCubes) else ()


SHEETS = (Finland,)
