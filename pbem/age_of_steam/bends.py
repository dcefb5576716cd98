"""What two or more maps do alike: functions that their hooks call, orders that their phases take."""

from collections.abc import Iterable, Sequence

from typing_extensions import override

from pbem.age_of_steam.events_goods import CubesGrew, CubesPlaced
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.notation import OrderReader
from pbem.age_of_steam.notation_goods import Production, is_colour
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.phases.build_track import BuildTrack
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State, add_cubes, take_cubes
from pbem.engine import Move, Place, Question, Refusal, Seat, Step, refuse, replace, say
from pbem.engine.chance import Chance
from pbem.rails.board import Label


def extra_cube(state: State, city: Label, chance: Chance) -> Step[State]:
    """One cube from the bag straight onto a City; with an empty bag none."""
    cubes = chance.draw("extra", state.bag, 1) if state.bag else ()
    return put_cubes(replace(state, bag=take_cubes(state.bag, cubes)), city, cubes)


def put_cubes(state: State, city: Label, cubes: tuple[str, ...]) -> Step[State]:
    """Cubes that were taken from somewhere arrive on a City."""
    if not cubes:
        return Step(state)
    on_city = {**state.cubes, city: (*state.cubes.get(city, ()), *cubes)}
    return Step(replace(state, cubes=on_city), (CubesGrew(city, cubes),))


def place_cubes(state: State, seat: Seat, place: Label, cubes: tuple[str, ...]) -> Step[State]:
    """Production puts the cubes drawn for it on a City or town instead of the display."""
    lying = {**state.cubes, place: (*state.cubes.get(place, ()), *cubes)}
    return Step(replace(state, cubes=lying), (CubesPlaced(seat, place, cubes),))


def deal_cubes(state: State, places: Sequence[Label], chance: Chance, purpose: str) -> State:
    """One random cube on each of these places at set-up."""
    drawn = chance.draw(purpose, state.bag, len(places))
    cubes = {**state.cubes, **{place: (cube,) for place, cube in zip(places, drawn, strict=False)}}
    return replace(state, cubes=cubes, bag=take_cubes(state.bag, drawn))


def cubes_to_bag(state: State, place: Label) -> State:
    """The cubes of a place go back into the bag."""
    cubes = {label: lying for label, lying in state.cubes.items() if label != place}
    return replace(state, cubes=cubes, bag=add_cubes(state.bag, state.cubes.get(place, ())))


def cities(rules: Rules, state: State) -> tuple[Label, ...]:
    """Every City on the map, New Cities after the printed ones."""
    return (*rules.board.cities, *state.new_cities.values())


def with_towns(rules: Rules, state: State) -> tuple[Label, ...]:
    """Cities and towns with cubes: where a cube on a town may be delivered from like one on a City."""
    nodes: Iterable[Label] = {**rules.board.cities, **rules.board.towns}
    return tuple(label for label in nodes if state.cubes.get(label))


class ProduceAt(Move):
    """``produce Opole``: onto a town; with ``city``, ``produce city Lyon``: straight onto a City."""

    keyword = "produce"
    usage = "produce TOWN"
    node: str
    city: bool = False

    @override
    def __str__(self) -> str:
        return f"produce city {self.node}" if self.city else f"produce {self.node}"


def _read_city(reader: OrderReader) -> ProduceAt:
    reader.word("city")
    return ProduceAt(reader.place(reader.lexicon.city, ">"), city=True)


AT_CITY = Production(
    "produce city CITY",
    lambda reader: reader.here.text.casefold() == "city" and not reader.ahead().closes,
    _read_city,
)
AT_TOWN = Production(
    "produce TOWN",
    lambda reader: not is_colour(reader),
    lambda reader: ProduceAt(reader.place(reader.lexicon.town, ">")),
)
"""Forms of Production that put cubes on a place instead of the display."""


class WholeBuild(BuildTrack):
    """Build track on maps with complete links only: a part could leave track that its owner cannot finish (R97a)."""

    parts = False

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        asked = super().ask(rules, state, seat)
        rule = say(
            "Only complete links may be built: at the end of your build no track of yours, no exit of a town either, "
            "may be unfinished."
        )
        return replace(asked, lead=(*asked.lead, rule))


def loose_ends(rules: Rules, state: State, seat: Seat) -> Refusal | None:
    """A veto for maps on which only complete links may be built (R97)."""
    for chain in rules.net(state).sections_of(seat):
        hex_ = chain.open[0][0] if chain.open else chain.pieces[-1].hex
        return refuse(
            "R97",
            "Only complete links may be built: the track from {anchor} ends at {hex}.",
            anchor=Place(chain.anchor or hex_),
            hex=Place(hex_),
        )
    return None


def phases_with(*phases: AgeOfSteamPhase, without: str = "") -> tuple[AgeOfSteamPhase, ...]:
    """The base phases in their order but for one, with these in the places of those that have the same name."""
    own = {phase.name: phase for phase in phases}
    return tuple(own.get(phase.name, phase) for phase in AgeOfSteam.phases if phase.name != without)


def actions_but(action: str, instead: str = "") -> tuple[str, ...]:
    """The base actions without one, or with another in its place."""
    changed = (instead if name == action else name for name in AgeOfSteam.actions)
    return tuple(filter(None, changed))
