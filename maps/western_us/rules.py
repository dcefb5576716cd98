"""Western U.S. (3 to 6 players).

1. Every player begins with $20 and two shares. Every City begins with two cubes, every town with one; the bag is
   empty then.
2. A cube on a town is delivered like one on a City. It is never replaced. When its town is urbanized the cube goes
   back into the bag.
3. A simple tile costs $4 on swamp and river and $5 on mountains.
4. The eastern starting Cities are Duluth, Minneapolis, Des Moines, St. Louis, Memphis, Vicksburg and New Orleans,
   the western ones Seattle, San Francisco and Los Angeles. The first track of a railroad begins at one of them,
   not at Denver, Salt Lake City or a New City; this holds all game for a player without track.
5. Until some eastern and some western starting City are joined by links, whoever owns them, all track of a
   railroad hangs together: new track touches its own track, a City that its track touches, or a town where it has
   track. A New City gives an unowned section to the player who places it only if the link hangs on that player's
   track (or, without track, ends at a starting City); otherwise the link is unowned for good.
6. The first connection of East and West is the Transcontinental railroad, once in a game. If one railroad owns it,
   its income rises by 4; if two do, each rises by 2; of three or more the player who completed it chooses two that
   rise by 2 each, and which connection counts where several are made at once. Unowned links do not count.
7. A cube that goes from an eastern City to a western one, or the other way, pays one more income to one railroad
   on its way, chosen by the mover. (Option: $1 instead.) Here Kansas City belongs to the East, Portland and San
   Diego to the West once they are urbanized. Cubes that start in towns do not count.
8. There are no ties: most cash decides, then most track, then lots.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from typing_extensions import override

from maps.western_us.events import BonusPaid, Connected, LotsDrawn
from pbem.age_of_steam import bends
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.moves import Build, BuildStep, OwnStep, Urbanize
from pbem.age_of_steam.notation import OrderReader
from pbem.age_of_steam.notation_build import STEPS
from pbem.age_of_steam.phases import BuildTrack
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.proposals import Delivery, Placement
from pbem.age_of_steam.rules import TERRAIN_PRICES, Rules
from pbem.age_of_steam.state import State
from pbem.engine import Choice, Move, Place, Question, Refusal, Say, Seat, Step, Typed, Value, Who, refuse, replace, say
from pbem.engine.chance import Chance
from pbem.engine.moves import no, raise_for
from pbem.engine.phase import Forced
from pbem.engine.sheet import Option
from pbem.rails.board import Label
from pbem.rails.hexes import opposite
from pbem.rails.position_lines import FLAG, PLAYER, FieldLine, Lines, optional, several
from pbem.rails.track import Chain, Link, owner_sets


@dataclass(frozen=True, slots=True)
class Transcon(OwnStep):
    """A step of a build: who gets the transcontinental bonus."""

    players: tuple[Seat, ...]

    @override
    def __str__(self) -> str:
        return f"transcon {','.join(self.players)}"

    @override
    def words(self) -> Say:
        return say("transcontinental bonus")


def _read(reader: OrderReader) -> Transcon:
    reader.usage = ("transcon PLAYER,PLAYER",)
    players = [reader.player(",")]
    while reader.symbol(","):
        players.append(reader.player(","))
    return Transcon(reader.lexicon.in_seat_order(players))


TRANSCON = {"transcon": _read}


EAST, WEST = "east", "west"
FOR_ONE, FOR_EACH = 4, 2
"""6. Income steps."""
BONUS = Option(
    "east_west_bonus",
    "Bonus for deliveries between East and West",
    {"income": "One more income", "cash": "$1 from the bank"},
    "R80",
)

Railroads = tuple[Seat, ...]


class Transcontinental(Value):
    """6. Whether East and West were ever joined (R84a), and what the builder has yet to choose from.

    ``lots``: players in the order of the lots that break ties (8).
    """

    made: bool = False
    builder: Seat | None = None
    choices: tuple[Railroads, ...] = ()
    lots: tuple[Seat, ...] = ()
    lines: ClassVar[Lines] = {
        "made": FieldLine("East and West joined", FLAG),
        "builder": FieldLine("Choice of", optional(PLAYER)),
        "choices": FieldLine("Railroads to choose from", several(several(PLAYER), "; ")),
        "lots": FieldLine("Lots", several(PLAYER)),
    }


def transcontinental(state: State) -> Transcontinental:
    return state.extra if isinstance(state.extra, Transcontinental) else Transcontinental()


class BuildTrackWest(BuildTrack):
    """After a build that joins East and West its builder may have to say who gets the bonus (R85)."""

    steps: ClassVar[Mapping[str, Callable[[OrderReader], BuildStep]]] = {**STEPS, **TRANSCON}

    @override
    def building(self, state: State) -> bool:
        return not transcontinental(state).choices

    @override
    def to_act(self, rules: Rules, state: State) -> Seat | None:
        return transcontinental(state).builder or super().to_act(rules, state)

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        return super().forced(rules, state, seat) if self.building(state) else None

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        orders = self.legal(rules, state, seat)
        if orders is None:
            return super().refuse(rules, state, seat, move)
        if move in orders:
            return None
        said = tuple(say("“{order}”", order=Typed(str(order))) for order in orders)
        return refuse("R85", "First say who gets the transcontinental bonus: {orders}.", orders=said)

    @override
    def play(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        if not self.building(state):
            raise_for(self.refuse(rules, state, seat, move))
        return super().play(rules, state, seat, move, chance)

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        match move:
            case Build((Transcon() as step,)) if not self.building(state):
                return rules.on_own_step(state, seat, step)
        return super().apply(rules, state, seat, move, chance)

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move] | None:
        choices = transcontinental(state).choices
        return [Build((Transcon(players),)) for players in choices] if choices else None

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        choices = transcontinental(state).choices
        return Build((Transcon(choices[0]),)) if choices else super().default(rules, state, seat)

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        choices = transcontinental(state).choices
        if not choices:
            return super().ask(rules, state, seat)
        return Question(
            seat,
            self.name,
            say("Choose who gets the transcontinental bonus"),
            (say("Your build joins East and West."), say("The bonus can go to different railroads.")),
            say("the bonus goes to {players}", players=tuple(map(Who, choices[0]))),
            "choices",
            tuple(_choice(players) for players in choices),
            example=str(Build((Transcon(choices[0]),))),
        )


def _choice(players: Railroads) -> Choice:
    steps = FOR_ONE if len(players) == 1 else FOR_EACH
    gains = tuple(say("{player} +{n}", player=Who(seat), n=steps) for seat in players)
    title = say("To {players}", players=tuple(map(Who, players)))
    order = str(Build((Transcon(players),)))
    return Choice(order, title, say("Income: {gains}.", gains=gains), dict.fromkeys(players, steps))


class WesternUS(AgeOfSteam):
    """One network until the coasts are joined, and what joining them pays."""

    notes: ClassVar[tuple[Say, ...]] = (
        say("Cubes on towns are delivered like those on Cities."),
        say(
            "First track starts at an eastern or western starting City; until East meets West it must all be connected."
        ),
        say("The first connection: +4 for one railroad, +2 each for two."),
        say("A cube between East and West: +1 for one railroad on its way."),
    )
    map_options: ClassVar[tuple[Option, ...]] = (BONUS,)
    start_cash: ClassVar[int] = 20
    terrain_prices: ClassVar[Mapping[str, int]] = {**TERRAIN_PRICES, "swamp": 4, "river": 4, "mountain": 5}
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = bends.phases_with(BuildTrackWest())
    extra: ClassVar[type | None] = Transcontinental

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        """1. One cube on every town."""
        return bends.deal_cubes(state, tuple(self.board.towns), chance, "towns")

    @override
    def sources(self, state: State) -> tuple[Label, ...]:
        """2. Towns too."""
        return bends.with_towns(self, state)

    @override
    def on_urbanized(self, state: State, seat: Seat, step: Urbanize) -> State:
        """2. The town's cube goes back into the bag."""
        return bends.cubes_to_bag(state, step.hex)

    # first track, one network -------------------------------------------------------------------------

    @override
    def anchors(self, state: State, seat: Seat, node: Label) -> bool:
        """4. The first track starts at a starting City. 5. Then all of it hangs together (R83, R83a, R83b)."""
        if not _has_track(state, seat):
            return self._starting(node) is not None
        return transcontinental(state).made or self._reached(state, seat, node)

    def _starting(self, node: Label) -> str | None:
        """``east`` or ``west`` for a printed starting City."""
        city = self.board.cities.get(node)
        return next(iter(city.tags & {EAST, WEST}), None) if city is not None else None

    def _reached(self, state: State, seat: Seat, city: Label) -> bool:
        """Whether own track, unfinished too, touches some side of a City."""
        net = self.net(state)
        touching = (
            net.segment(beyond, opposite(edge))
            for edge, beyond in enumerate(self.board.neighbours[city])
            if beyond is not None
        )
        return any(segment is not None and segment.owner == seat for segment in touching)

    @override
    def unanchored(self, state: State, seat: Seat, label: Label) -> Refusal | None:
        """4, 5. Why a City that track touches may not be enough."""
        if not _has_track(state, seat):
            starts = tuple(Place(node) for node in self.board.cities if self._starting(node))
            return refuse("R83", "Your first track must begin at a starting City: {cities}.", cities=starts)
        if transcontinental(state).made:
            return None
        return refuse(
            "R83",
            "Until East and West are joined, all your track must be connected; on {hex} it would stand apart.",
            hex=Place(label),
        )

    @override
    def refuse_placement(self, state: State, seat: Seat, placement: Placement, after: State) -> Refusal | None:
        """5. The first tile may not begin two parts at once, by what it adds or by links that it completes (R83)."""
        if transcontinental(state).made or _has_track(state, seat):
            return None
        nodes = [{end for end in chain.ends if end is not None} for chain in self.net(after).chains_of(seat)]
        if not nodes or set.intersection(*nodes):
            return None
        return refuse(
            "R83", "Until East and West are joined, all your track must be connected; this tile would begin two parts."
        )

    @override
    def completed_by_city(self, state: State, seat: Seat, chain: Chain) -> Seat | None:
        """5. Before the connection only a link that hangs on the player's own network (R86a)."""
        if transcontinental(state).made or any(end and self._in_network(state, seat, end) for end in chain.ends):
            return seat
        return None

    def _in_network(self, state: State, seat: Seat, node: Label) -> bool:
        if node in self.board.towns and node not in state.new_cities.values():
            return self.has_presence(state, seat, node)
        return self.anchors(state, seat, node)

    # the Transcontinental railroad --------------------------------------------------------------------

    @override
    def on_links_completed(self, state: State, seat: Seat) -> Step[State]:
        """6. Is there a way from West to East now, and whose (R84 to R86)?"""
        if transcontinental(state).made:
            return Step(state)
        choices = self._receivers(state, seat)
        if len(choices) > 1:
            return Step(replace(state, extra=Transcontinental(True, seat, choices)))
        return self.on_transcon(state, choices[0]) if choices else Step(state)

    def _receivers(self, state: State, seat: Seat) -> tuple[Railroads, ...]:
        """Among whom the bonus can be shared, what pays the builder most first; empty without a connection."""
        west, east = ([node for node in self.board.cities if self._starting(node) == side] for side in (WEST, EAST))
        found: set[Railroads] = set()
        for owners in owner_sets(self.links(state), west, east):
            named = tuple(player for player in state.seats if player in owners)
            found.update([named] if len(named) <= 2 else combinations(named, 2))
        return tuple(sorted(found, key=lambda players: (seat not in players, len(players), players)))

    @override
    def on_own_step(self, state: State, seat: Seat, step: OwnStep) -> Step[State]:
        """6. The builder says who gets the bonus (R85)."""
        choices = transcontinental(state).choices
        if not choices:
            raise no("R85", "There is no transcontinental bonus to share out now.")
        if not isinstance(step, Transcon) or step.players not in choices:
            orders = tuple(f"“{Transcon(choice)}”" for choice in choices)
            raise no("R85", "The transcontinental bonus cannot go there; you can choose: {orders}.", orders=orders)
        return self.on_transcon(state, step.players)

    def on_transcon(self, state: State, players: Railroads) -> Step[State]:
        """6. Four for one railroad, two for each of two."""
        steps = FOR_ONE if len(players) == 1 else FOR_EACH
        for player in players:
            state = state.with_player(player, income=state.players[player].income + steps)
        return Step(replace(state, extra=Transcontinental(made=True)), (Connected(players, steps),))

    # deliveries between East and West -----------------------------------------------------------------

    def side(self, state: State, node: Label) -> str | None:
        """7. East or West for deliveries: with Kansas City, Portland and San Diego once they are Cities (R81)."""
        if node in state.new_cities.values():
            return next(iter(self.board.hexes[node].tags & {EAST, WEST}), None)
        return self._starting(node)

    @override
    def delivery_variants(self, state: State, seat: Seat, delivery: Delivery) -> tuple[Delivery, ...]:
        """7. The mover chooses among the railroads on the way (R82)."""
        if {self.side(state, delivery.start), self.side(state, delivery.nodes[-1])} != {EAST, WEST}:
            return (delivery,)
        owners = dict.fromkeys(link.owner for link in delivery.links if link.owner is not None)
        return tuple(replace(delivery, bonus=owner) for owner in owners) or (delivery,)

    @override
    def delivery_gains(self, state: State, seat: Seat, delivery: Delivery) -> dict[Seat, int]:
        """7. One more income (R80)."""
        gains = super().delivery_gains(state, seat, delivery)
        if delivery.bonus is not None and not _in_cash(state):
            gains[delivery.bonus] = gains.get(delivery.bonus, 0) + 1
        return gains

    @override
    def after_delivery(self, state: State, seat: Seat, delivery: Delivery) -> Step[State]:
        """7. Or $1, where the game was opened so (R80)."""
        if delivery.bonus is None or not _in_cash(state):
            return Step(state)
        cash = state.players[delivery.bonus].cash + 1
        return Step(state.with_player(delivery.bonus, cash=cash), (BonusPaid(delivery.bonus),))

    # the end ------------------------------------------------------------------------------------------

    @override
    def tie_break(self, state: State, seat: Seat, links: Sequence[Link]) -> tuple[int, ...]:
        """8. Cash, track, lots."""
        lots = transcontinental(state).lots
        track = sum(self.link_points(state, link) for link in links if link.owner == seat)
        return state.players[seat].cash, track, -lots.index(seat) if seat in lots else 0

    @override
    def on_game_end(self, state: State, chance: Chance) -> Step[State]:
        """8. Lots are drawn only where points, cash and track are equal."""
        links = self.links(state)
        worth = {
            seat: (sum(points for _, points in self.score(state, seat, links)), *self.tie_break(state, seat, links))
            for seat in state.order
        }
        equal = Counter(worth.values())
        tied = [seat for seat in state.order if equal[worth[seat]] > 1]
        if not tied:
            return Step(state)
        lots = chance.order("lots", tied)
        return Step(replace(state, extra=replace(transcontinental(state), lots=lots)), (LotsDrawn(lots),))

    @override
    def facts(self, state: State) -> tuple[Say, ...]:
        """Whether the coasts are joined."""
        if transcontinental(state).made:
            return (say("East and West are joined."),)
        return (say("East and West are not joined yet."),)


def _has_track(state: State, seat: Seat) -> bool:
    return any(segment.owner == seat for segments in state.track.values() for segment in segments)


def _in_cash(state: State) -> bool:
    return state.options.get(BONUS.key) == "cash"


SHEETS = (WesternUS,)
