"""A referee who looks at a game of Age of Steam after every order and trusts nobody's bookkeeping.

Positions are judged as others see them (contract, section 4), track by :mod:`tests.tracing`. Raises
``AssertionError`` with a sentence that names the fault.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pbem.age_of_steam.drawings.data_sheet import DataSheet
from pbem.age_of_steam.events import (
    AuctionWon,
    Dropped,
    ExpensesPaid,
    IncomeCollected,
    IncomeLowered,
    IncomeReduced,
    Issued,
)
from pbem.age_of_steam.events_build import BuildEnded, Built, LinkBought, TownConnected
from pbem.age_of_steam.events_goods import Delivered
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases.goods_growth import Growing
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Step
from pbem.rails.tiles import SUPPLY
from tests.invariants import Invariants
from tests.tracing import BACK, BOX, Run, Tracing, places_of, supply_fault


@dataclass
class Seen:
    """One position with what the referee made of it."""

    state: State
    position: dict[str, Any]
    tracing: Tracing
    runs: list[Run]
    linked: Counter[str | None]
    """Pieces of track in complete links by owner."""
    same_track: bool = False
    """The track, who owns it and who is in the game are as in a position that was judged before."""


class Referee:
    """Watches one game from its deal on."""

    last: Seen | None = None

    def __init__(self, sheet: AgeOfSteam, dealt: State, invariants: Invariants | None = None) -> None:
        self.sheet, self.invariants = sheet, invariants or Invariants(sheet)
        self.places = places_of(sheet.board)
        self.walls = {(label, sheet.board.directions[edge]) for label, edge in sheet.board.walls}
        self.cubes = self._census(dealt)
        seen = self._look(dealt)
        self.check(seen)
        self.last = seen

    def watch(self, seat: str, order: str, step: Step[State]) -> None:
        """Judge the position that an order led to, and the way there."""
        seen = self._look(step.state)
        try:
            self.check(seen)
            assert self.last is not None
            if not seen.same_track:
                self._nothing_removed(self.last, seen)
                self._links_stay(self.last, seen)
            drawn = type(self.sheet) is DataSheet
            if (drawn or self.sheet.phases == AgeOfSteam.phases) and not _own_events(step):
                self._ledger(self.last, seen, step)
        except AssertionError as fault:
            raise AssertionError(f"after {seat}: {order}: {fault}") from fault
        self.last = seen

    def _look(self, state: State) -> Seen:
        position = self.sheet.position(state)
        if self.last is not None and _rails(position) == _rails(self.last.position):
            return Seen(state, position, self.last.tracing, self.last.runs, self.last.linked, same_track=True)
        tracing = Tracing(self.sheet.board, position, self.places)
        runs, linked = tracing.runs(), Counter[str | None]()
        for run in runs:
            if run.link:
                linked.update(dict.fromkeys(run.owners, len(run.pieces)))
        return Seen(state, position, tracing, runs, linked)

    def check(self, seen: Seen) -> None:
        """Everything that holds in every position."""
        self._pieces(seen)
        self._players(seen)
        if not seen.same_track:
            self._supply(seen)
            self._track(seen)
            self._sections(seen)
        self.invariants.check(seen.state)

    # pieces and players -------------------------------------------------------------------------------

    def _census(self, state: State) -> Counter[str]:
        """Every cube of the game by colour, wherever it is."""
        cubes = Counter(state.bag) + Counter(state.gone)
        piles = chain(*state.cubes.values(), *state.display.values())
        cubes.update(cube for cube in piles if cube is not None)
        if isinstance(state.scratch, Growing):
            cubes.update(state.scratch.drawn)
        cubes.update(getattr(state.extra, "cubes", ()))  # what a map keeps of its own; seats have colours, too
        return cubes

    def _pieces(self, seen: Seen) -> None:
        assert self._census(seen.state) == self.cubes, "cubes appeared or vanished"
        new_cities = seen.position["new_cities"]
        assert len(set(new_cities.values())) == len(new_cities), "two New Cities on one hex"
        assert set(new_cities.values()) <= set(self.sheet.board.towns), "a New City away from towns"
        assert set(new_cities) <= set(self.sheet.board.new_cities), "a New City that is not in the box"

    def _supply(self, seen: Seen) -> None:
        box = self.sheet.tiles_in_box(seen.state)
        laid = seen.tracing.tiles(without=self.sheet.printed_track)
        fault = supply_fault(laid, BOX if box == SUPPLY else box, self.sheet.town_discs)
        assert fault is None, f"more than the box holds: {fault}"

    def _players(self, seen: Seen) -> None:
        players = seen.position["players"]
        inside = [seat for seat in seen.state.seats if not players[seat]["out"]]
        assert sorted(seen.position["order"]) == sorted(inside), "the order does not name every player in the game once"
        for seat in inside:
            player = players[seat]
            assert player["cash"] >= 0, f"{seat} has ${player['cash']}"
            assert player["income"] >= 0, f"{seat} has income {player['income']}"
            assert 0 <= player["shares"] <= self.sheet.share_cap, f"{seat} has {player['shares']} shares"
            assert 1 <= player["engine"] <= self.sheet.engine_cap, f"the engine of {seat} pulls {player['engine']}"
            assert player["points"] == self._points(seen, seat), f"the points of {seat}"
        taken = [players[seat]["action"] for seat in inside if players[seat]["action"]]
        assert len(set(taken)) == len(taken) or self._often_taken(), "an action was taken twice"
        asked = seen.position["to_act"]
        assert (asked is None) is seen.state.over, "nobody is asked, or somebody after the end"
        assert asked is None or asked in inside, f"{asked} is asked"

    def _often_taken(self) -> bool:
        """Whether it is the map that says which actions are free."""
        return type(self.sheet).actions_free is not Rules.actions_free

    def _points(self, seen: Seen, seat: str) -> object:
        """Victory points by hand, where the map scores as the base game does."""
        player, sheet = seen.position["players"][seat], type(self.sheet)
        if sheet is DataSheet:
            return self._points_of_data(seen, seat)
        if not sheet.scored or sheet.score is not Rules.score or sheet.link_points is not Rules.link_points:
            return player["points"]
        track = seen.linked[seat]
        special = sum(1 for owner in seen.position["links"].values() if owner == seat)
        return 3 * int(player["income"]) + track + special - 3 * int(player["shares"])

    def _points_of_data(self, seen: Seen, seat: str) -> object:
        """Victory points by hand, as the table of a drawn map counts them."""
        assert isinstance(self.sheet, DataSheet)
        player, table = seen.position["players"][seat], self.sheet.table
        if table.end == "last player":
            return None
        special = sum(1 for owner in seen.position["links"].values() if owner == seat)
        money = int(player["cash"]) // table.dollars_a_point if table.dollars_a_point else 0
        track = table.track_points * (seen.linked[seat] + special)
        return 3 * int(player["income"]) + track + money - 3 * int(player["shares"])

    # track --------------------------------------------------------------------------------------------

    def _track(self, seen: Seen) -> None:
        board, players = self.sheet.board, seen.position["players"]
        sides: Counter[tuple[str, str]] = Counter()
        for (hex_, ends), owner in seen.tracing.owner.items():
            assert owner is None or not players[owner]["out"], f"{owner} is out and owns track on {hex_}"
            assert hex_ not in seen.tracing.city, f"track on the City {hex_}"
            assert ("@" in ends) is (hex_ in board.towns), f"a town or no town on {hex_}"
            assert len(ends) == 2, f"a segment from a side to itself on {hex_}"
            sides.update((hex_, end) for end in ends if end != "@")
            for end in ends - {"@"}:
                self._leads_over_land(seen, hex_, end)
        assert not [side for side, count in sides.items() if count > 1], "two segments on one side of a hex"

    def _leads_over_land(self, seen: Seen, hex_: str, end: str) -> None:
        board, beyond = self.sheet.board, seen.tracing.beyond(hex_, end)
        assert beyond is not None, f"track off the board on {hex_}"
        for label in (hex_, beyond):
            assert board.hexes[label].terrain not in ("water", "impassable"), f"track into water at {hex_}"
        assert (hex_, end) not in self.walls, f"track through a wall at {hex_}"
        assert (beyond, BACK[end]) not in self.walls, f"track through a wall at {hex_}"

    def _sections(self, seen: Seen) -> None:
        """R38a: one owner to a chain, every chain anchored, everybody's track hangs on a City."""
        for run in seen.runs:
            where = sorted(hex_ for hex_, _ in run.pieces)
            assert len(run.owners) == 1, f"a chain of several owners: {where}"
            if set(where) <= self.sheet.printed_track:
                continue
            assert run.nodes, f"a chain that hangs on nothing: {where}"
            assert len(run.nodes) + len(run.open) == 2, f"a chain without two ends: {where}"
            if len(set(run.nodes)) < len(run.nodes):
                assert run.nodes[0] in seen.position["new_cities"].values(), f"a loop at {run.nodes[0]}"
        for seat in seen.position["order"]:
            own = [run for run in seen.runs if run.owner == seat]
            self._hangs_on_cities(seen, seat, own)
            limit = self.sheet.ownership_discs(seen.state)
            discs = len(own) + sum(1 for owner in seen.position["links"].values() if owner == seat)
            assert limit is None or discs <= limit, f"{seat} uses {discs} ownership discs"

    def _hangs_on_cities(self, seen: Seen, seat: str, own: list[Run]) -> None:
        cities = set(seen.tracing.city.values())
        reached, before = set(cities), -1
        while len(reached) > before:
            before = len(reached)
            reached |= {node for run in own if reached & set(run.nodes) for node in run.nodes}
        for run in own:
            assert reached & set(run.nodes), f"track of {seat} at {run.nodes} reaches no City"
        if type(self.sheet).has_presence is Rules.has_presence:
            towns = {node for run in own for node in run.nodes} - cities
            linked = {node for run in own if run.link for node in run.nodes}
            assert towns <= linked, f"{seat} is in {sorted(towns - linked)} without a link"

    # what an order may change -------------------------------------------------------------------------

    def _nothing_removed(self, last: Seen, seen: Seen) -> None:
        """R26: a hex never has fewer segments, but for a New City."""
        before, after = last.position["track"], seen.position["track"]
        for hex_, lying in before.items():
            if hex_ not in seen.tracing.city:
                assert len(after.get(hex_, ())) >= len(lying), f"track was removed from {hex_}"

    def _links_stay(self, last: Seen, seen: Seen) -> None:
        """R27: links and their owners are permanent, but for urbanization and elimination."""
        now = {run.pieces: run for run in seen.runs if run.link}
        for run in last.runs:
            pieces = frozenset(piece for piece in run.pieces if piece[0] not in seen.tracing.city)
            if not run.link or not pieces:
                continue
            assert pieces in now, f"the link {run.nodes} is no link any more"
            gone = run.owner is not None and seen.position["players"][run.owner]["out"]
            assert now[pieces].owner == (None if gone else run.owner), f"the link {run.nodes} changed its owner"

    def _ledger(self, last: Seen, seen: Seen, step: Step[State]) -> None:
        """Cash, income and shares have changed by what the events tell, and by nothing else."""
        cash, income, shares = Counter[str](), Counter[str](), Counter[str]()
        built = 0
        for event in step.events:
            match event:
                case Issued(seat, n):
                    shares[seat] += n
                    cash[seat] += 5 * n
                case Dropped(seat, _, paid) | AuctionWon(seat, paid):
                    cash[seat] -= paid
                case Built():
                    built += event.price
                case BuildEnded():
                    cash[event.seat] -= event.paid
                case Delivered():
                    income.update(dict(event.gains))
                case IncomeCollected(gains):
                    cash.update(dict(gains))
                case ExpensesPaid(owed):
                    cash.subtract(dict(owed))
                case IncomeLowered(seat, missing):
                    cash[seat] += missing
                    income[seat] -= self._fall(last, seat, missing, income[seat])
                case TownConnected(seat):
                    assert isinstance(self.sheet, DataSheet)
                    income[seat] += self.sheet.table.town_income
                case IncomeReduced(falls):
                    income.subtract(dict(falls))
        before, after = last.position["players"], seen.position["players"]
        for key, change in (("cash", cash), ("income", income), ("shares", shares)):
            for seat in seen.state.seats:
                assert after[seat][key] - before[seat][key] == change[seat], f"{key} of {seat}"
        self._paid_for_build(last, step, built)

    def _fall(self, last: Seen, seat: str, missing: int, gained: int) -> int:
        """Steps that the income falls for missing dollars: on some maps not below 0."""
        if isinstance(self.sheet, DataSheet) and self.sheet.table.bankruptcy == "never":
            return min(missing, int(last.position["players"][seat]["income"]) + gained)
        return missing

    def _paid_for_build(self, last: Seen, step: Step[State], built: int) -> None:
        """A build that was sent whole costs what its tiles cost, less what the Engineer of the map saves."""
        ends = [event for event in step.events if isinstance(event, BuildEnded)]
        if isinstance(self.sheet, DataSheet) and len(ends) == 1 and not _in_parts(last):
            tiles = [event.price for event in step.events if isinstance(event, Built)]
            links = [event.price for event in step.events if isinstance(event, LinkBought)]
            saved = {
                "none": 0,
                "cheapest free": min((*tiles, *links), default=0),
                "half the dearest": max(tiles, default=0) // 2,
            }[self.sheet.table.discount]
            engineer = last.position["players"][ends[0].seat]["action"] == "engineer"
            assert ends[0].paid == sum((*tiles, *links)) - saved * engineer, "the price of a build on this map"
        if len(ends) == 1 and type(self.sheet).build_price is Rules.build_price and not _in_parts(last):
            assert ends[0].paid == built, "the price of a build is that of its tiles"


def _own_events(step: Step[State]) -> bool:
    """Whether something happened that only this map has: what it changes is for the map's own tests."""
    return any(not type(event).__module__.startswith("pbem.") for event in step.events)


def _rails(position: dict[str, Any]) -> tuple[object, ...]:
    """What everything that is judged about track depends on."""
    outs = [player["out"] for player in position["players"].values()]
    return position["track"], position["new_cities"], position["links"], position["order"], outs


def _in_parts(seen: Seen) -> bool:
    """Whether a build turn was under way."""
    scratch: Mapping[str, object] | object = seen.state.scratch
    return bool(getattr(scratch, "prices", ()))
