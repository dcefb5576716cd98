"""Heavy Cardboard (3 to 6 players, made for 4 to 6).

1. The large space in the middle is one City without colour. It begins with one cube of each of the five
   colours, taken from the bag before anything is drawn; every other City begins with two.
2. The thick lines at the middle cannot be crossed by track.
3. No cube is delivered to the middle. Cubes may start there and may pass through it, once in a delivery, like
   through any City: the links into it and out of it count as always.
4. Madeira takes red and blue cubes; both must stop there.
5. Two ferries lead to Madeira, from Puerto Rico and from Container, for $6 each. The town must have a tile or
   be a New City. A ferry has one owner, who may own both; it counts as one tile, and is one link and one
   point. (Option: own track in the town is needed, and the ferry is an exit of it.)
6. There is no Production. Heavy Lifting is a new action: once in the turn its holder may, instead of a
   delivery, carry a cube over open land from a City to which the holder owns a link to a City that takes it.
7. The way of a heavy lift leads over at most five open hexes; a mountain counts as two. Tiles, Cities, water
   and thick lines block it. It never begins or ends in Madeira and never ends in the middle.
8. A heavy lift raises the income by 2 in turn 1 and by one more in each later turn, by at most 6.
9. The dice give the middle nothing. If it holds no cube when goods growth begins, it receives one of each
   colour that the bag still has.
"""

import heapq
from collections.abc import Iterator, Mapping
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.events_goods import Delivered
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.notation import OrderReader, OrderWord
from pbem.age_of_steam.notation_goods import AFTER_PLACE, MOVE, read_number
from pbem.age_of_steam.phases import MoveGoods
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State, add_cubes, take_cubes, without_cube
from pbem.engine import (
    Choice,
    Move,
    Place,
    Refusal,
    Say,
    Seat,
    Step,
    Value,
    Who,
    Word,
    count_say,
    refuse,
    replace,
    say,
    to_reader,
)
from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.engine.sheet import Option
from pbem.rails.board import Label
from pbem.rails.hexes import TOWN, opposite
from pbem.rails.position_lines import NUMBER, FieldLine, Lines
from pbem.rails.tiles import ends
from pbem.rails.track import Link, RouteChoice, Segment


class Lift(Move):
    keyword = "lift"
    usage = "lift COLOUR CITY > CITY"
    colour: str
    start: str
    goal: str

    @override
    def __str__(self) -> str:
        return f"lift {self.colour} {self.start} > {self.goal}"


def _read_lift(reader: OrderReader, word: str) -> Move:
    if number := read_number(reader, word):
        return number
    reader.usage = ("lift COLOUR CITY > CITY",)
    colour = reader.colour()
    start = reader.place(reader.lexicon.city, ">|")
    reader.need(">", say("“>” and the City the cube is lifted to are expected here."))
    return Lift(colour, start, reader.place(reader.lexicon.city, ">|", AFTER_PLACE))


LIFT = {"lift": OrderWord(_read_lift, ("lift COLOUR CITY > CITY",), alternative=True)}


COLOURS = ("red", "blue", "purple", "yellow", "black")
FARTHEST = 5
MOST_INCOME = 6


class LastLift(Value):
    """6. The last turn in which Heavy Lifting was used."""

    turn: int = 0
    lines: ClassVar[Lines] = {"turn": FieldLine("Last heavy lift, turn", NUMBER)}


class Lifted(Event):
    """A heavy lift, with the open hexes it led over."""

    seat: Seat
    hexes: tuple[Label, ...]

    @override
    def text(self) -> Say:
        return count_say(
            "{player} lifted it over {n} open hex.",
            "{player} lifted it over {n} open hexes.",
            len(self.hexes),
            player=Who(self.seat),
        )


to_reader(
    "{player} lifted it over {n} open hex.",
    player=("You lifted it over {n} open hex.", "You lifted it over {n} open hexes."),
)


class MoveAndLift(MoveGoods):
    """6 to 8. A delivery may be replaced by a heavy lift (R146)."""

    moves: ClassVar[tuple[type[Move], ...]] = (*MoveGoods.moves, Lift)
    words: ClassVar[Mapping[str, OrderWord]] = {**MOVE, **LIFT}

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        return (
            refuse_lift(rules, state, seat, move)
            if isinstance(move, Lift)
            else super().refuse(rules, state, seat, move)
        )

    @override
    def carry_out(self, rules: Rules, state: State, seat: Seat, move: Move) -> Step[State]:
        if not isinstance(move, Lift):
            return super().carry_out(rules, state, seat, move)
        cubes = {**state.cubes, move.start: without_cube(state.cubes[move.start], move.colour)}
        gain = min(MOST_INCOME, 1 + state.turn)
        state = replace(state, cubes=cubes, bag=add_cubes(state.bag, (move.colour,)), extra=LastLift(state.turn))
        hexes = way(rules, state, move.start, move.goal) or ()
        state = state.with_player(seat, income=state.players[seat].income + gain)
        return Step(
            state, (Delivered(seat, move.colour, move.start, (move.goal,), ((seat, gain),), ()), Lifted(seat, hexes))
        )

    @override
    def more_moves(self, rules: Rules, state: State, seat: Seat) -> list[tuple[Move, Choice]]:
        return [(lift, lift_choice(state, seat, lift)) for lift in lifts(rules, state, seat)]


def lifts(rules: Rules, state: State, seat: Seat) -> Iterator[Lift]:
    goals = [*rules.board.cities, *state.new_cities.values()]
    for start in rules.sources(state):
        for colour in dict.fromkeys(state.cubes[start]):
            for goal in goals:
                lift = Lift(colour, start, goal)
                if colour in rules.accepts(state, goal) and refuse_lift(rules, state, seat, lift) is None:
                    yield lift


def refuse_lift(rules: Rules, state: State, seat: Seat, lift: Lift) -> Refusal | None:
    """6 and 7. Why a heavy lift is not legal (R142, R143, R146)."""
    if state.players[seat].action != "heavy-lifting":
        return refuse("R146", "Only the holder of Heavy Lifting may lift a cube.")
    if isinstance(state.extra, LastLift) and state.extra.turn == state.turn:
        return refuse("R146", "You have lifted a cube in this turn already.")
    if lift.start not in rules.sources(state) or lift.colour not in state.cubes[lift.start]:
        return refuse("R142", "There is no {colour} cube on {city}.", colour=Word(lift.colour), city=Place(lift.start))
    if lift.goal == lift.start or lift.colour not in rules.accepts(state, lift.goal):
        return refuse("R142", "{city} does not take {colour}.", city=Place(lift.goal), colour=Word(lift.colour))
    if island(rules, lift.start) or island(rules, lift.goal):
        return refuse("R142", "Nothing is lifted to or from an island.")
    if not any(link.owner == seat for link in rules.link_graph(state).links_from(lift.start)):
        return refuse("R142", "You own no link to {city}.", city=Place(lift.start))
    if way(rules, state, lift.start, lift.goal) is None:
        return refuse(
            "R142",
            "No way of at most {n} open hexes leads from {a} to {b}.",
            n=FARTHEST,
            a=Place(lift.start),
            b=Place(lift.goal),
        )
    return None


def island(rules: Rules, label: Label) -> bool:
    return label in rules.board.cities and "island" in rules.board.cities[label].tags


def way(rules: Rules, state: State, start: Label, goal: Label) -> tuple[Label, ...] | None:
    """The open hexes of the shortest way between two Cities, ``None`` when it is longer than five."""
    net, board = rules.net(state), rules.board
    begin = board.cities[start].hexes if start in board.cities else (start,)
    queue: list[tuple[int, int, Label, tuple[Label, ...]]] = [(0, 0, hex_, ()) for hex_ in begin]
    done: set[Label] = set()
    while queue:
        cost, _, hex_, passed = heapq.heappop(queue)
        if hex_ in done:
            continue
        done.add(hex_)
        for edge, beyond in enumerate(board.neighbours[hex_]):
            if beyond is None or beyond in done or board.walls & {(hex_, edge), (beyond, opposite(edge))}:
                continue
            if net.cities.get(beyond) == goal:
                return passed
            points = 2 if board.hexes[beyond].terrain == "mountain" else 1
            is_open = beyond in board.open_sides and not state.track.get(beyond)  # towns without a tile too (R143)
            if beyond not in net.cities and is_open and cost + points <= FARTHEST:
                heapq.heappush(queue, (cost + points, len(passed) + 1, beyond, (*passed, beyond)))
    return None


def lift_choice(state: State, seat: Seat, lift: Lift) -> Choice:
    title = say("Lift {colour} from {a} to {b}", colour=Word(lift.colour), a=Place(lift.start), b=Place(lift.goal))
    gain = min(MOST_INCOME, 1 + state.turn)
    effect = say("Over open land: {player} +{n}.", player=Who(seat), n=gain)
    return RouteChoice(str(lift), title, effect, {seat: gain}, lift.colour, (lift.start, lift.goal))


to_reader("Over open land: {player} +{n}.", player="Over open land: you +{n}.")


FERRY = Option(
    "ferry_needs_own_track",
    "Ferries",
    {
        "no": "Any tile or a New City on the town is enough",
        "yes": "Own track in the town or a New City; a town tile gets an exit towards the ferry",
    },
    "R144",
)


class HeavyCardboard(AgeOfSteam):
    """The City of seven hexes, the ferries and the heavy lift."""

    map_options: ClassVar[tuple[Option, ...]] = (FERRY,)
    printed_track: ClassVar[frozenset[Label]] = frozenset({"B9", "B11"})
    """5. The water hexes of the ferries: track on them (by the option) is no tile."""

    actions: ClassVar[tuple[str, ...]] = bends.actions_but("production", "heavy-lifting")
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = bends.phases_with(MoveAndLift())
    own_words: ClassVar[Mapping[str, str]] = {"heavy-lifting": "Heavy Lifting"}
    extra: ClassVar[type | None] = LastLift
    notes: ClassVar[tuple[Say, ...]] = (
        say("The middle takes no cubes; they start there or pass through."),
        say("Heavy Lifting: once a turn a cube crosses at most five open hexes, mountains count two."),
        say("Ferries to Madeira: $6, from a town with a tile or a New City."),
    )

    @override
    def bag(self) -> dict[str, int]:
        """1. The five cubes of the middle are set aside first (R141)."""
        return take_cubes(super().bag(), COLOURS)

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        """1. The middle's five cubes."""
        return replace(state, cubes={**state.cubes, self._middle: COLOURS}, extra=LastLift())

    @property
    def _middle(self) -> Label:
        return next(city.label for city in self.board.cities.values() if "block" in city.tags)

    @override
    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        """6. The new action."""
        if action == "heavy-lifting":
            return say(
                "Once you may carry a cube over open land instead of a delivery: +{n}.",
                n=min(MOST_INCOME, 1 + state.turn),
            )
        return super().action_effect(state, seat, action)

    @override
    def refuse_placement(self, state: State, seat: Seat, placement: Placement, after: State) -> Refusal | None:
        """5. A ferry needs a tile or a New City on its town (R144)."""
        if not placement.link:
            return None
        town = next(label for label in self.board.connections[placement.link].joins if label in self.board.towns)
        if town in state.new_cities.values():
            return None
        if self._own_track_asked(state):  # there is always a tile with one more exit, for both lie at the edge
            if super().has_presence(state, seat, town):
                return None
            return refuse("R144", "The ferry needs your own track or a New City on {town}.", town=Place(town))
        if state.track.get(town):
            return None
        return refuse("R144", "The ferry needs a tile or a New City on {town}.", town=Place(town))

    @override
    def has_presence(self, state: State, seat: Seat, town: Label) -> bool:
        """5. The owner of a ferry has track in its town (R144)."""
        ferry = any(owner == seat and town in self.board.connections[key].joins for key, owner in state.links.items())
        return ferry or super().has_presence(state, seat, town)

    @staticmethod
    def _own_track_asked(state: State) -> bool:
        return state.options.get(FERRY.key) == "yes"

    @override
    def on_placement(self, state: State, seat: Seat, placement: Placement) -> Step[State]:
        """5. By the option the ferry lies as track, with an exit on the town's tile (R144)."""
        if not placement.link or not self._own_track_asked(state):
            return super().on_placement(state, seat, placement)
        connection = self.board.connections[placement.link]
        town = next(label for label in connection.joins if label in self.board.towns)
        if town in state.new_cities.values() or connection.hex is None:
            return Step(state)
        side = self.board.neighbours[town].index(connection.hex)
        exits = tuple(sorted((*state.track[town], Segment(TOWN, side, seat))))
        ferry = (Segment(*ends(*connection.exits), seat),)
        return Step(replace(state, track={**state.track, town: exits, connection.hex: ferry}))

    @override
    def link_points(self, state: State, link: Link) -> int:
        """5. A ferry and its exit score 1 together (R144)."""
        return 1 if any(piece.hex in self.printed_track for piece in link.pieces) else super().link_points(state, link)

    @override
    def on_growth_begins(self, state: State, chance: Chance) -> Step[State]:
        """9. The empty middle receives one cube of each colour (R145)."""
        if state.cubes.get(self._middle):
            return Step(state)
        cubes = tuple(colour for colour in COLOURS if state.bag.get(colour))
        return bends.put_cubes(replace(state, bag=take_cubes(state.bag, cubes)), self._middle, cubes)


SHEETS = (HeavyCardboard,)
