"""A table for tests of the rules: a position set up by hand or dealt, and orders played on it as players write them."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Self

import pytest

from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases.build_track import Building
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import Player, State
from pbem.engine import Refusal, Refused, catalog, replace
from pbem.engine.chance import Chance, Draw, LoadedChance, SeededChance
from pbem.engine.events import Event
from pbem.engine.flow import Flow, PlayedUnasked
from pbem.rails.hexes import TOWN
from pbem.rails.sheet import MapSheet
from pbem.rails.tiles import ends
from pbem.rails.track import Chain, Piece, Segment


def sheet_of(slug: str) -> AgeOfSteam:
    sheet = catalog.sheet("age-of-steam", slug)
    assert isinstance(sheet, AgeOfSteam)
    return sheet


RUST_BELT = sheet_of("rust_belt")
SIX = ("blue", "green", "yellow", "pink", "gray", "orange")
BAG = {"red": 5, "blue": 5, "purple": 5, "yellow": 5, "black": 5}


def position(
    phase: str = "build_track",
    *,
    sheet: AgeOfSteam = RUST_BELT,
    seats: Sequence[str] = SIX[:3],
    order: Sequence[str] | None = None,
    turn: int = 1,
    track: Mapping[str, str] | None = None,
    cubes: Mapping[str, str] | None = None,
    display: Mapping[str, str] | None = None,
    bag: Mapping[str, int] | None = None,
    new_cities: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    extra: Any = None,
    rolls: Sequence[Draw] = (),
    **figures: Mapping[str, Any],
) -> State:
    """A position at the beginning of a phase, nobody asked yet.

    ``track``: ``{"S10": "blue NE-SW; nobody N-S", "Q10": "blue @SW,@NE"}``. ``cubes``: ``{"T9": "blue red"}``.
    ``display``: top box first, ``-`` for an empty one; all boxes not named are empty. Players have $30, income 5,
    two shares and an engine of one link; ``blue={"cash": 3}`` changes that. ``extra``: a map's own state.
    """
    players = {seat: replace(Player(30, 5, 2, 1), **figures.get(seat, {})) for seat in seats}
    boxes = {column: (None,) * count for column, count in sheet.display_boxes().items()}
    filled = {column: tuple(map(_box, text.split())) for column, text in (display or {}).items()}
    state = State(
        seats=tuple(seats),
        options=dict(options or {}),
        order=tuple(order if order is not None else [seat for seat in seats if not players[seat].out]),
        players=players,
        turn=turn,
        phase=phase,
        track={hex_: segments(sheet, text) for hex_, text in (track or {}).items()},
        cubes={label: tuple(text.split()) for label, text in (cubes or {}).items()},
        display=boxes | filled,
        bag=dict(BAG if bag is None else bag),
        new_cities=dict(new_cities or {}),
        extra=extra,
    )
    return sheet.phase_of(state).begin(sheet, state, LoadedChance(list(rolls))).state


def _box(word: str) -> str | None:
    return None if word == "-" else word


def segments(sheet: MapSheet[Any, Any], text: str) -> tuple[Segment, ...]:
    """``blue NE-SW; nobody N-S`` as segments; ``@N`` is a town exit, ``nobody`` no owner."""
    found = []
    for part in text.split(";"):
        owner, _, listed = part.strip().partition(" ")
        for item in listed.split(","):
            first, _, second = item.strip().partition("-")
            pair = (TOWN, sheet.board.edge(first[1:])) if first[0] == "@" else _edges(sheet, first, second)
            found.append(Segment(*pair, None if owner == "nobody" else owner))
    return tuple(sorted(found, key=lambda segment: segment.ends))


def _edges(sheet: MapSheet[Any, Any], first: str, second: str) -> tuple[int, int]:
    return ends(sheet.board.edge(first), sheet.board.edge(second))


def dice(*light: int, dark: Sequence[int]) -> list[Draw]:
    """Both rolls of goods growth."""
    return [{"for": "growth-light", "dice": list(light)}, {"for": "growth-dark", "dice": list(dark)}]


class Table:
    """Orders are played on ``state``; ``events`` tells what the last ones brought about.

    ``rolls`` are the rolls and draws to come; without them everything is rolled from a seed.
    """

    def __init__(self, state: State, *, sheet: AgeOfSteam = RUST_BELT, rolls: Sequence[Draw] | None = None) -> None:
        self.sheet, self.state, self.events = sheet, state, tuple[Event, ...]()
        self._rolls = None if rolls is None else LoadedChance(list(rolls))

    @classmethod
    def deal(cls, players: int = 4, *, seed: int = 0, sheet: AgeOfSteam = RUST_BELT, **options: str) -> Self:
        """A dealt game at its first decision."""
        table = cls(State((), {}, (), {}), sheet=sheet)
        step = sheet.start(SIX[:players], SeededChance(seed.to_bytes(32, "big"), "deal"), options)
        table.state, table.events = step.state, step.events
        return table

    def play(self, seat: str, *orders: str) -> Self:
        """Play one submission after another, each to the next decision."""
        for order in orders:
            moves = self.sheet.parse(self.state, order, {})
            step = self.sheet.play(self.state, seat, moves, self._chance())
            self.state, self.events = step.state, step.events
        return self

    def settle(self) -> Self:
        """Go on to the first decision, as after an order."""
        step = self.sheet.flow.settle(self.state, self._chance())
        self.state, self.events = step.state, step.events
        return self

    def _chance(self) -> Chance:
        return self._rolls or SeededChance(bytes(32), self.sheet.place(self.state))

    def refusal(self, seat: str, order: str) -> Refusal:
        """The answer to an order that must not be played; it may change nothing."""
        before = self.sheet.encode(self.state)
        with pytest.raises(Refused) as caught:
            self.play(seat, order)
        assert self.sheet.encode(self.state) == before
        return caught.value.refusal

    # what lies on the table ---------------------------------------------------------------------------

    @property
    def asked(self) -> str | None:
        return self.sheet.to_act(self.state)

    @property
    def legal(self) -> tuple[str, ...]:
        """All legal orders of a decision whose orders can be listed."""
        legal = self.sheet.legal(self.state)
        assert legal is not None
        return legal

    @property
    def steps(self) -> set[str]:
        """All legal single steps of a build."""
        return {order.removeprefix("build ") for order in self.sheet.placements(self.state)}

    @property
    def unasked(self) -> list[tuple[str, str, str]]:
        """What was played for somebody by the last orders: seat, order, automatic rule."""
        return [(e.seat, e.order, e.rule) for e in self.events if isinstance(e, PlayedUnasked)]

    def __getitem__(self, seat: str) -> Player:
        return self.state.players[seat]

    def told(self, kind: type[Event]) -> list[Any]:
        """The events of a kind that the last orders brought about."""
        return [event for event in self.events if isinstance(event, kind)]

    def owner(self, hex_: str, segment: str) -> str | None:
        """Who owns the segment ``NE-SW`` or ``@N`` of a hex; it must lie there."""
        (wanted,) = segments(self.sheet, f"nobody {segment}")
        return next(s.owner for s in self.state.track[hex_] if s.ends == wanted.ends)

    def chain(self, hex_: str, segment: str) -> Chain:
        (wanted,) = segments(self.sheet, f"nobody {segment}")
        return self.sheet.net(self.state).chain(hex_, next(s for s in self.state.track[hex_] if s.ends == wanted.ends))

    @property
    def links(self) -> set[tuple[frozenset[str], str | None]]:
        """All links: their two ends and their owner."""
        return {(frozenset(link.ends), link.owner) for link in self.sheet.links(self.state)}

    def paid(self, seat: str, order: str) -> int:
        """Dollars a build costs; played and taken back."""
        before, cash = self.state, self[seat].cash
        self.play(seat, order)
        paid = cash - self[seat].cash
        self.state = before
        return paid


def building(state: State, *, added: Sequence[tuple[str, str]] = (), sheet: AgeOfSteam = RUST_BELT) -> State:
    """A build turn that is under way, with pieces the builder has added in it."""
    pieces = tuple(Piece(hex_, *segments(sheet, f"nobody {text}")[0].ends) for hex_, text in added)
    return replace(state, scratch=replace(state.scratch_as(Building), added=pieces))


def enter(state: State, phase: str, *, rules: Rules = RUST_BELT, rolls: Sequence[Draw] = ()) -> State:
    """The state when a phase has begun; phases without a decision do all they do."""
    (found,) = (candidate for candidate in AgeOfSteam.phases if candidate.name == phase)
    return found.begin(rules, replace(state, phase=phase, scratch=None), LoadedChance(list(rolls))).state


def bent(hooks: Mapping[str, Any] | None = None, **printed: Any) -> AgeOfSteam:
    """The Rust Belt with other figures in its rules (``hooks``) or something else printed on the board."""

    class Bent(AgeOfSteam):
        def __init__(self) -> None:
            self.slug, self.name, self.flow = RUST_BELT.slug, RUST_BELT.name, Flow[State](self)
            self.board = dataclasses.replace(RUST_BELT.board, **printed)

    for name, value in (hooks or {}).items():
        setattr(Bent, name, value)
    return Bent()
