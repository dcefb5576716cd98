"""Age of Steam behind the door: the base class of every map's rule sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from typing_extensions import override

from pbem.age_of_steam import codec, deliveries, drafting, map_figures, picture, position, setup, standing_orders, words
from pbem.age_of_steam.building import unfinished_lost
from pbem.age_of_steam.events import GameEnded, TurnBegan
from pbem.age_of_steam.lexicon import Lexicon
from pbem.age_of_steam.notation import SHARED, parse
from pbem.age_of_steam.order_reader import Vocabulary
from pbem.age_of_steam.phases import (
    BuildTrack,
    CollectIncome,
    GoodsGrowth,
    IncomeReduction,
    IssueShares,
    MoveGoods,
    PayExpenses,
    SelectActions,
    TurnOrder,
)
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.phases.build_track import site
from pbem.age_of_steam.placements import cities, steps
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.age_of_steam.turn_plan import turn_plan
from pbem.engine.chance import Chance
from pbem.engine.events import Told
from pbem.engine.map_figures import MapFigures
from pbem.engine.moves import Move, Seat
from pbem.engine.phase import Step
from pbem.engine.sheet import Column, Option, Row, Standing, Words
from pbem.engine.standing_orders import StandingOrder, TurnPlan
from pbem.engine.storage import Upgrade
from pbem.engine.text import PLAIN, Say, Voice, say
from pbem.engine.values import replace
from pbem.rails.board import Label
from pbem.rails.builder import Builder, BuildTile, Draft
from pbem.rails.scene import Marks, Scene
from pbem.rails.sheet import MapSheet, colour_names
from pbem.rails.tiles import Ends, tile_showing

OPTIONS = (
    Option(
        "reduction_table",
        "Income reduction",
        {"deluxe": "Deluxe: an income of 50 falls by 10", "first_edition": "First edition: an income of 50 falls by 8"},
        "R55",
    ),
    Option(
        "ownership_discs",
        "Ownership discs",
        {"20": "20 for each player, as in the box", "unlimited": "No limit"},
        "R4",
    ),
)
"""The options that the base rulings name; maps add their own."""


class AgeOfSteam(Rules, MapSheet[State, AgeOfSteamPhase], Builder):
    """A rule sheet of Age of Steam. A map overrides hooks and names its folder by where its class stands."""

    game = "age-of-steam"
    game_name = "Age of Steam"
    colours = ("blue", "green", "yellow", "pink", "gray", "orange")
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = (
        IssueShares(),
        TurnOrder(),
        SelectActions(),
        BuildTrack(),
        MoveGoods(),
        CollectIncome(),
        PayExpenses(),
        IncomeReduction(),
        GoodsGrowth(),
    )
    extra: ClassVar[type | None] = None
    """The type of a map's own state in ``state.extra``."""
    upgrades: ClassVar[tuple[Upgrade, ...]] = ()
    """How the shape of that and of the map's own scratch has changed (``docs/changing-the-rules.md``)."""
    base_options = OPTIONS
    links_of_others: ClassVar[int] = 0
    """How many links of other players a delivery must use."""

    # the sequence of play -----------------------------------------------------------------------------

    @override
    def next_phase(self, state: State, chance: Chance) -> Step[State]:
        """Begin the phase that follows, in the next turn after the last one; after the last turn the game is over."""
        at = self.phases.index(self.phase_of(state)) + 1
        if at < len(self.phases):
            return self._begin(state, self.phases[at], chance)
        if self.last_turn(state):
            ended = self.on_game_end(replace(unfinished_lost(self, state), scratch=None), chance)
            return Step(replace(ended.state, over=True), ended.events)
        return self._begin_turn(replace(state, turn=state.turn + 1), chance)

    def _begin_turn(self, state: State, chance: Chance) -> Step[State]:
        turn = self.on_turn(state, chance)
        events = (TurnBegan(state.turn), *turn.events)
        return self._begin(turn.state, self.phases[0], chance).after(events)

    def _begin(self, state: State, phase: AgeOfSteamPhase, chance: Chance) -> Step[State]:
        return phase.begin(self, replace(state, phase=phase.name, scratch=None), chance)

    @override
    def count_order(self, state: State) -> State:
        """One more order was played."""
        return replace(state, step=state.step + 1)

    def _ended(self, step: Step[State]) -> Step[State]:
        if not step.state.over:
            return step
        winners = self.winners(step.state, self.standings(step.state))
        return replace(step, state=replace(step.state, scratch=None), events=(*step.events, GameEnded(winners)))

    @override
    def map_figures(self, dealt: State) -> MapFigures:
        return map_figures.map_figures(self, dealt)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """How orders are read: those of the base game, so that a sentence can say what is wrong here, and the map's."""
        actions = dict.fromkeys((*Rules.actions, *self.actions))
        return Vocabulary.of((*AgeOfSteam.phases, *self.phases), tuple(actions), SHARED)

    # play ---------------------------------------------------------------------------------------------

    @override
    def start(
        self,
        seats: Sequence[Seat],
        chance: Chance,
        options: Mapping[str, str],
        opening: Mapping[str, Any] | None = None,
    ) -> Step[State]:
        if opening is None:
            state = setup.deal(self, seats, chance, options)
        else:
            state = setup.lay_out(self, seats, chance, options, opening)
        begun = self._begin_turn(state, chance)
        return self.flow.settle(begun.state, chance).after(begun.events)

    @override
    def parse(self, state: State, text: str, names: Mapping[Seat, str]) -> tuple[Move, ...]:
        names = colour_names(names, self.colours)
        lexicon = Lexicon(board=self.board, seats=state.seats, new_cities=state.new_cities, names=names)
        return parse(text, lexicon, self.vocabulary)

    @override
    def play(self, state: State, seat: Seat, moves: Sequence[Move], chance: Chance) -> Step[State]:
        return self._ended(self.flow.play(state, seat, moves, chance))

    # look ---------------------------------------------------------------------------------------------

    @override
    def player_counts(self) -> range:
        return self.players

    @override
    def turns(self, players: int) -> int | None:
        return self.game_turns[players]

    @override
    def placements(self, state: State) -> tuple[str, ...]:
        seat = self.to_act(state)
        if seat is None or not self._track_asked(state):
            return ()
        work = site(state, seat)
        return tuple(f"build {step}" for offers in (cities, steps) for step, _ in offers(self, work))

    @override
    def position(self, state: State, viewer: Seat | None = None) -> dict[str, Any]:
        return position.position(self, state, self.to_act(state))

    @override
    def standings(self, state: State) -> tuple[Standing, ...]:
        return position.standings(self, state)

    @override
    def sums(self, state: State, seat: Seat) -> Mapping[str, Say]:
        player = state.players[seat]
        return {
            "income": say("{n} × 3", n=str(player.income).replace("-", "−")),
            "shares": say("{n} × −3", n=player.shares),
        }

    @override
    def wanted_by(self, state: State, seat: Seat, event: Told) -> Mapping[Seat, int]:
        return deliveries.wanted_by(self, state, seat, event)

    @override
    def columns(self, state: State) -> tuple[Column, ...]:
        return words.columns(self)

    @override
    def rows(self, state: State) -> tuple[Row, ...]:
        return words.rows(self, state)

    @override
    def figures(self, state: State, seat: Seat) -> Mapping[str, int | Say | None]:
        return words.figures(self, state, seat)

    @override
    def words(self, state: State) -> tuple[Words, ...]:
        return words.board_in_words(self, state)

    @override
    def place_name(self, state: State, label: str) -> str:
        return words.place_name(self, state, label)

    @override
    def place_names(self, state: State) -> Mapping[str, str]:
        return words.place_names(self, state)

    @override
    def word(self, word: str) -> str:
        return self.own_words.get(word) or words.WORDS.get(word, word)

    @override
    def button(self, phase: str) -> Say:
        return words.BUTTONS.get(phase) or super().button(phase)

    @override
    def tally(self, phase: str, orders: str) -> tuple[tuple[str, str], ...]:
        word, _, value = orders.partition(" ")
        match phase, word:
            case "turn_order", "bid" if value.isdecimal():
                return (("bid", value),)
            case "turn_order", _:
                return (("bid", "0"),)
            case "select_actions", "action":
                return (("action", value),)
        return ()

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
        phases = [phase for phase in self.phases if phase.name != "turn_order" or len(state.seats) > 1]
        return picture.scene(self, phases, state, self.to_act(state), subtitle, names or {}, marks, voice)

    @override
    def marks(self, before: State, after: State, events: Sequence[Any]) -> Marks:
        return picture.marks(self, before, after, events)

    # standing orders ----------------------------------------------------------------------------------

    @override
    def moments(self, state: State, seat: Seat) -> tuple[str, ...]:
        return self._sequence(state).moments(seat)

    @override
    def answers(self, state: State, move: Move) -> bool:
        return standing_orders.answers(self._sequence(state), move)

    @override
    def take_standing_orders(self, state: State, seat: Seat, moves: Sequence[Move]) -> tuple[StandingOrder, ...]:
        return standing_orders.take(self._sequence(state), seat, moves)

    @override
    def due_order(self, state: State, order: StandingOrder) -> Move | None:
        seat = self.to_act(state)
        return None if seat is None else standing_orders.due_order(self._sequence(state), seat, order)

    @override
    def asked_ahead(self, state: State, seat: Seat, moment: str) -> State | None:
        return standing_orders.asked_ahead(self._sequence(state), seat, moment)

    @override
    def turn_plan(self, state: State, seat: Seat) -> TurnPlan | None:
        return turn_plan(self._sequence(state), seat)

    def _sequence(self, state: State) -> standing_orders.SequenceOfPlay:
        return standing_orders.SequenceOfPlay(self, self.phases, state)

    # the track builder --------------------------------------------------------------------------------

    @override
    def draft(self, state: State, steps: Sequence[str]) -> Draft:
        return drafting.draft(self, state, self._builder(state), self._read_steps(state, steps))

    @override
    def tiles_at(self, state: State, steps: Sequence[str], label: str) -> tuple[BuildTile, ...]:
        return drafting.tiles_at(self, state, self._builder(state), self._read_steps(state, steps), label)

    def track_price(self, state: State, seat: Seat, label: Label, added: tuple[Ends, ...]) -> int:
        """Dollars for new track on a hex beside what lies there, discounts of a whole build not taken off.

        ``added``: sides, in a town ``TOWN`` and a side. 0 where no tile shows it all.
        """
        before = frozenset(segment.ends for segment in state.track.get(label, ()))
        tile = tile_showing(before | frozenset(added))
        return self.placement_price(state, seat, Placement(label, tile, tile_showing(before), added)) if tile else 0

    def _builder(self, state: State) -> Seat:
        seat = self.to_act(state)
        if seat is None or not self._track_asked(state):
            raise ValueError("nobody builds track now")
        return seat

    def _track_asked(self, state: State) -> bool:
        phase = self.phase_of(state)
        return isinstance(phase, BuildTrack) and phase.building(state)

    def _read_steps(self, state: State, steps: Sequence[str]) -> list[drafting.Read]:
        return [drafting.read_step(text, lambda order: self.parse(state, order, {})) for text in steps]

    # storage ------------------------------------------------------------------------------------------

    @override
    def encode(self, state: State) -> bytes:
        return codec.encode(state, self.upgrades)

    @override
    def decode(self, stored: bytes) -> State:
        return codec.decode(self.phases, stored, self.extra, self.upgrades)
