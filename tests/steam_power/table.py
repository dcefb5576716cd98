"""A table for tests of the rules: a position set up by hand or dealt, and orders played on it as players write them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import pytest

from pbem.engine import Choice, Refusal, Refused, catalog
from pbem.engine.chance import Chance, Draw, LoadedChance, SeededChance
from pbem.engine.events import Event
from pbem.engine.flow import Flow
from pbem.rails.drawing import load_board
from pbem.steam_power.contracts import ContractTile
from pbem.steam_power.game import SteamPower
from pbem.steam_power.solo import SoloSteamPower
from pbem.steam_power.state import CityTile, Player, State
from tests.age_of_steam.table import segments

HERE = Path(__file__).parent
FIVE = ("red", "blue", "green", "yellow", "purple")
CONTRACTS = {
    1: ContractTile(1, ("black",), 2, 1),
    2: ContractTile(2, ("white", "white"), 2, 2),
    3: ContractTile(3, ("black", "orange", "gray"), 4, 3),
    4: ContractTile(4, ("white",), 4, 0, "track"),
    5: ContractTile(5, ("black",), 2, 1, "factory"),
    6: ContractTile(6, ("gray",), 1, 1, "contracts"),
    7: ContractTile(7, ("white",), 4, 3),
    **{number: ContractTile(number, ("orange",), 3, 1) for number in range(8, 49)},
}
"""1 black; 2 two white; 3 black, orange, gray; 4 white with track; 5 black with factory; 6 gray with contracts;
7 white; the others orange."""


class Meadow(SteamPower):
    """The board of these tests."""

    contracts = CONTRACTS

    def __init__(self) -> None:
        self.slug, self.name, self.flow = "meadow", "Meadow", Flow[State](self)
        self.board = load_board(HERE / "meadow" / "board.toml")


class SoloMeadow(SoloSteamPower):
    """The same for one player."""

    contracts = CONTRACTS

    def __init__(self) -> None:
        self.slug, self.name, self.flow = "meadow_solo", "Meadow, solo", Flow[State](self)
        self.board = load_board(HERE / "meadow" / "board.toml")


MEADOW = Meadow()
SOLO = SoloMeadow()


def sheet_of(slug: str) -> SteamPower:
    sheet = catalog.sheet("steam-power", slug)
    assert isinstance(sheet, SteamPower)
    return sheet


def position(
    players: int = 3,
    *,
    sheet: SteamPower = MEADOW,
    track: Mapping[str, str] | None = None,
    cities: Mapping[str, str] | None = None,
    hands: Mapping[str, str] | None = None,
    done: Mapping[str, int] | None = None,
    cash: Mapping[str, int] | None = None,
    bag: Sequence[int] | None = None,
    seat: str = "red",
    left: int = 2,
    options: Mapping[str, str] | None = None,
    **more: Any,
) -> State:
    """A position in which ``seat`` takes an action.

    ``track``: ``{"C2": "red N-S; blue NE-SW"}``. ``cities``: ``{"Alder": "black red 5"}`` is a black City with five
    cubes at Red's factory, ``"black red 0"`` a flipped one; Cities not named are gray without factory. ``hands``:
    ``{"red": "1 2"}``. ``done``: how many contracts (from 48 down). Everybody has $20; the bag holds 20 to 29.
    """
    solo = isinstance(sheet, SoloSteamPower)
    seats = ("gray",) if solo else FIVE[:players]
    taken = iter(range(48, 29, -1))
    fulfilled = {name: tuple(next(taken) for _ in range((done or {}).get(name, 0))) for name in seats}
    labels = {city.name: city.label for city in sheet.board.cities.values()}
    tiles = {label: CityTile("gray") for label in sheet.board.cities}
    tiles |= {labels[name]: _tile(text) for name, text in (cities or {}).items()}
    return State(
        seats=seats,
        companies=sheet.companies(seats),
        options=dict(options or {}),
        players={
            name: Player(
                (cash or {}).get(name, 20), tuple(map(int, (hands or {}).get(name, "").split())), fulfilled[name]
            )
            for name in seats
        },
        cities=tiles,
        left_over=(),
        bag=tuple(range(20, 30)) if bag is None else tuple(bag),
        seat="gray" if solo else seat,
        company=seat,
        left=left,
        track={hex_: segments(sheet, text) for hex_, text in (track or {}).items()},
        **more,
    )


def _tile(text: str) -> CityTile:
    colour, *factory = text.split()
    return CityTile(colour, factory[0], int(factory[1])) if factory else CityTile(colour)


class Table:
    """Orders are played on ``state``; ``events`` tells what the last ones brought about.

    ``draws`` are the draws to come; without them everything is drawn from a seed.
    """

    def __init__(self, state: State, *, sheet: SteamPower = MEADOW, draws: Sequence[Draw] | None = None) -> None:
        self.sheet, self.state, self.events = sheet, state, tuple[Event, ...]()
        self._draws = None if draws is None else LoadedChance(list(draws))

    def play(self, *orders: str, seat: str = "") -> Self:
        """Play one submission after another, each by the seat to act or by the one named."""
        for order in orders:
            actor = seat or self.asked or ""
            moves = self.sheet.parse(self.state, order, {})
            step = self.sheet.play(self.state, actor, moves, self._chance())
            self.state, self.events = step.state, step.events
        return self

    def _chance(self) -> Chance:
        return self._draws or SeededChance(bytes(32), self.sheet.place(self.state))

    def refusal(self, order: str, seat: str = "") -> Refusal:
        """The answer to an order that must not be played; it may change nothing."""
        before = self.sheet.encode(self.state)
        with pytest.raises(Refused) as caught:
            self.play(order, seat=seat)
        assert self.sheet.encode(self.state) == before
        return caught.value.refusal

    @property
    def asked(self) -> str | None:
        return self.sheet.to_act(self.state)

    def __getitem__(self, seat: str) -> Player:
        return self.state.players[seat]

    def city(self, name: str) -> CityTile:
        return next(self.state.cities[city.label] for city in self.sheet.board.cities.values() if city.name == name)

    def told(self, kind: type[Event]) -> list[Any]:
        """The events of a kind that the last orders brought about."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def choices(self) -> dict[str, Choice]:
        return {choice.order: choice for choice in self.sheet.question(self.state).choices}

    @property
    def operations(self) -> set[str]:
        """All legal single operations."""
        return {order.removeprefix("bonus ").removeprefix("track ") for order in self.sheet.placements(self.state)}

    def connections(self, company: str) -> set[frozenset[str]]:
        """The complete connections of a company by the names of their Cities."""
        names = {city.label: city.name for city in self.sheet.board.cities.values()}
        railways = self.sheet.railways(self.state)
        return {frozenset(names[end] for end in link.ends) for link in railways.connections if link.owner == company}

    def paid(self, order: str) -> dict[str, int]:
        """What an order changes in everybody's cash; played and taken back."""
        before, was = self.state, {seat: player.cash for seat, player in self.state.players.items()}
        self.play(order)
        change = {seat: player.cash - was[seat] for seat, player in self.state.players.items()}
        self.state = before
        return {seat: amount for seat, amount in change.items() if amount}


def deal(players: int = 3, seed: int = 0, sheet: SteamPower = MEADOW, **options: str) -> Table:
    """A dealt game at its first decision."""
    table = Table(position(sheet=sheet), sheet=sheet)
    seats = sheet.colours[:players]
    step = sheet.start(seats, SeededChance(seed.to_bytes(32, "big"), "deal"), options)
    table.state, table.events = step.state, step.events
    return table


def bent(**hooks: Any) -> Meadow:
    """The meadow with other figures in its rules."""
    sheet = Meadow()
    vars(sheet).update(hooks)
    return sheet
