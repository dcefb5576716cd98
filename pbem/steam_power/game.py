"""Steam Power behind the door: the base class of every map's rule sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from typing_extensions import override

from pbem.engine.cards import HandCard
from pbem.engine.chance import Chance
from pbem.engine.map_figures import MapFigures
from pbem.engine.moves import Move, Seat
from pbem.engine.phase import Step
from pbem.engine.sheet import Choice, Column, Option, Row, Standing, Words
from pbem.engine.standing_orders import StandingOrder
from pbem.engine.storage import Codec, Upgrade, typed
from pbem.engine.text import PLAIN, Say, Voice
from pbem.engine.values import replace
from pbem.rails.builder import Builder, BuildTile, Draft
from pbem.rails.names import Names
from pbem.rails.scene import Marks, Scene
from pbem.rails.sheet import colour_names
from pbem.steam_power import (
    asking,
    drafting,
    foreseeing,
    imagining,
    map_figures,
    picture,
    position,
    prospects,
    setup,
    standing_orders,
    words,
)
from pbem.steam_power.contracts import contracts_for
from pbem.steam_power.events import GameEnded
from pbem.steam_power.moves import Contract
from pbem.steam_power.notation import parse
from pbem.steam_power.phases import Actions, Steal, TakeBonus
from pbem.steam_power.phases.base import SteamPowerPhase, SteamPowerSheet
from pbem.steam_power.state import State

OPTIONS: Final = (
    Option(
        "cash_action",
        "Taking money",
        {"3": "$3, as in the rules of 2024", "5": "$5, as reported of the published edition"},
        "SP-R4",
    ),
    Option(
        "coexisting",
        "Two gentle curves side by side",
        {"no": "There is no such tile", "yes": "The tile exists"},
        "SP-R1",
    ),
    Option("limited_tiles", "Track tiles", {"yes": "80, 10 and 10, as in the box", "no": "No limit"}, "SP-R2"),
)
"""The options that the rulings name."""

UPGRADES: Final[tuple[Upgrade, ...]] = ()
"""How the shape of stored states has changed since format 1 (``docs/changing-the-rules.md``)."""

_CODEC: Final = Codec(State, UPGRADES)


class SteamPower(SteamPowerSheet, Builder):
    """A rule sheet of Steam Power. A map names its folder by where its class stands."""

    game = "steam-power"
    game_name = "Steam Power"
    colours: ClassVar[tuple[Seat, ...]] = ("red", "blue", "green", "yellow", "purple")
    phases: ClassVar[tuple[SteamPowerPhase, ...]] = (Actions(), TakeBonus(), Steal())
    base_options = OPTIONS
    secret_draws = frozenset({"hand", "contracts", "stolen", "counter"})

    # the sequence of play -----------------------------------------------------------------------------

    @override
    def next_phase(self, state: State, chance: Chance) -> Step[State]:
        return self.next_turn(state, chance)

    @override
    def count_order(self, state: State) -> State:
        return replace(state, step=state.step + 1)

    # play ---------------------------------------------------------------------------------------------

    @override
    def start(
        self,
        seats: Sequence[Seat],
        chance: Chance,
        options: Mapping[str, str],
        opening: Mapping[str, Any] | None = None,
    ) -> Step[State]:
        begun = self.first_turn(setup.deal(self, seats, chance, options, opening), chance)
        return self.flow.settle(begun.state, chance).after(begun.events)

    @override
    def parse(self, state: State, text: str, names: Mapping[Seat, str]) -> tuple[Move, ...]:
        known = colour_names(names, self.colours)
        return parse(text, Names(board=self.board, seats=state.companies, names=known))

    @override
    def play(self, state: State, seat: Seat, moves: Sequence[Move], chance: Chance) -> Step[State]:
        step = self.flow.play(state, seat, moves, chance)
        if not step.state.over:
            return step
        winners = self.winners(step.state, self.standings(step.state))
        return replace(step, events=(*step.events, GameEnded(winners)))

    # look ---------------------------------------------------------------------------------------------

    @override
    def player_counts(self) -> range:
        return self.players

    @override
    def turns(self, players: int) -> int | None:
        return self.rounds

    @override
    def provenance(self) -> str:
        return f"{self.board.provenance} {contracts_for(self.package).provenance}"

    @override
    def map_figures(self, dealt: State) -> MapFigures:
        return map_figures.map_figures(self)

    @override
    def placements(self, state: State) -> tuple[str, ...]:
        if not self._track_asked(state):
            return ()
        return asking.placements(self, state, "bonus " if state.phase == "bonus" else "")

    @override
    def position(self, state: State, viewer: Seat | None = None) -> dict[str, Any]:
        return position.position(self, state, self.to_act(state), viewer)

    @override
    def imagined(self, position: Mapping[str, Any], viewer: Seat, options: Mapping[str, str]) -> State | None:
        return imagining.imagined(self, position, viewer, options)

    @override
    def dealt_anew(self, state: State, viewer: Seat, chance: Chance) -> State:
        return imagining.dealt_anew(state, viewer, chance)

    @override
    def hides(self, opening: Mapping[str, Any]) -> bool:
        return "hands" not in opening

    @override
    def holding(self, state: State, seat: Seat, moves: Sequence[Move]) -> State:
        return imagining.holding(state, seat, [move.number for move in moves if isinstance(move, Contract)])

    @override
    def hand(self, state: State, seat: Seat) -> tuple[Words, ...]:
        return words.hand(self, state, seat)

    @override
    def cards(self, state: State, seat: Seat) -> tuple[HandCard, ...]:
        return words.cards(self, state, seat)

    @override
    def prospects(self, state: State) -> Mapping[str, tuple[Say, ...]]:
        return {"track": prospects.connections(self, state)}

    @override
    def suggestions(self, state: State) -> tuple[Choice, ...]:
        return prospects.suggestions(self, state, "bonus " if state.phase == "bonus" else "")

    @override
    def ends(self) -> Say | None:
        return words.ends(self)

    @override
    def goal(self, state: State, seat: Seat) -> Say | None:
        return words.goal(self, state, seat)

    @override
    def standings(self, state: State) -> tuple[Standing, ...]:
        return position.standings(self, state)

    @override
    def sums(self, state: State, seat: Seat) -> Mapping[str, Say]:
        return words.sums(self, state, seat)

    @override
    def columns(self, state: State) -> tuple[Column, ...]:
        return words.columns(state)

    @override
    def rows(self, state: State) -> tuple[Row, ...]:
        return words.rows(self, state)

    @override
    def words(self, state: State) -> tuple[Words, ...]:
        return words.board_in_words(self, state)

    @override
    def place_name(self, state: State, label: str) -> str:
        city = self.board.cities.get(label)
        return label if city is None else city.name

    @override
    def place_names(self, state: State) -> Mapping[str, str]:
        return {label: city.name for label, city in self.board.cities.items()}

    @override
    def word(self, word: str) -> str:
        return word

    @override
    def button(self, phase: str) -> Say:
        return words.BUTTONS.get(phase) or super().button(phase)

    @override
    def tally(self, phase: str, orders: str) -> tuple[tuple[str, str], ...]:
        return (("action", orders.split(maxsplit=1)[0]),) if phase == "actions" and orders.strip() else ()

    @override
    def scene(
        self,
        state: State,
        *,
        subtitle: str = "",
        names: Mapping[Seat, str] | None = None,
        marks: Any = None,
        voice: Voice = PLAIN,
    ) -> Scene:
        return picture.scene(self, state, self.to_act(state), subtitle, names or {}, marks, voice)

    @override
    def marks(self, before: State, after: State, events: Sequence[Any]) -> Marks:
        return picture.marks(self, before, after, events)

    # standing orders ----------------------------------------------------------------------------------

    @override
    def moments(self, state: State, seat: Seat) -> tuple[str, ...]:
        return standing_orders.moments(self, state, seat)

    @override
    def moments_ahead(self, state: State, seat: Seat) -> tuple[int, tuple[str, ...]]:
        return standing_orders.moments_ahead(self, state, seat)

    @override
    def moment_said(self, moment: str) -> Say:
        return standing_orders.moment_words(moment)

    @override
    def asked_ahead(self, state: State, seat: Seat, moment: str) -> State | None:
        return standing_orders.asked_ahead(self, state, seat, moment)

    @override
    def foreseen(self, state: State, seat: Seat, moves: Sequence[Move]) -> Step[State] | None:
        return foreseeing.foreseen(self, state, seat, moves)

    @override
    def drawn_cards(self, seat: Seat, events: Sequence[Any]) -> frozenset[str]:
        return foreseeing.drawn_cards(seat, events)

    @override
    def answers(self, state: State, move: Move) -> bool:
        return standing_orders.answers(self.phase_of(state), move)

    @override
    def take_standing_orders(self, state: State, seat: Seat, moves: Sequence[Move]) -> tuple[StandingOrder, ...]:
        return standing_orders.take(self, state, seat, moves)

    @override
    def due_order(self, state: State, order: StandingOrder) -> Move | None:
        return standing_orders.due_order(self, self.phase_of(state), state, self.asked(state), order)

    # the track builder --------------------------------------------------------------------------------

    @override
    def draft(self, state: State, steps: Sequence[str]) -> Draft:
        return drafting.draft(self, state, self._read_steps(state, steps), bonus=state.phase == "bonus")

    @override
    def tiles_at(self, state: State, steps: Sequence[str], label: str) -> tuple[BuildTile, ...]:
        return drafting.tiles_at(self, state, self._read_steps(state, steps), label)

    def _track_asked(self, state: State) -> bool:
        if self.to_act(state) is None:
            return False
        phase = self.phase_of(state)
        return isinstance(phase, Actions) or (isinstance(phase, TakeBonus) and phase.kind(self, state) == "track")

    def _read_steps(self, state: State, steps: Sequence[str]) -> list[drafting.Read]:
        if not self._track_asked(state):
            raise ValueError("nobody builds track now")
        return [drafting.read_step(text, lambda order: self.parse(state, order, {})) for text in steps]

    # storage ------------------------------------------------------------------------------------------

    @override
    def encode(self, state: State) -> bytes:
        return _CODEC.encode(state)

    @override
    def decode(self, stored: bytes) -> State:
        state = _CODEC.decode(stored)
        return replace(state, scratch=typed(state.scratch, self.phase_of(state).scratch))
