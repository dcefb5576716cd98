"""Age of Steam behind the door: the base class of every map's rule sheet."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final

from typing_extensions import override

from pbem.age_of_steam import (
    deliveries,
    drafting,
    picture,
    position,
    position_reader,
    position_text,
    setup,
    solvency,
    standing_orders,
    visit_lines,
    words,
)
from pbem.age_of_steam.building import unfinished_lost
from pbem.age_of_steam.events import GameEnded, TurnBegan
from pbem.age_of_steam.lexicon import Lexicon
from pbem.age_of_steam.notation import SHARED, Vocabulary, parse
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
from pbem.age_of_steam.phases.base import AgeOfSteamPhase, AgeOfSteamSheet, vocabulary
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Move, Say, Seat, Step, replace, say
from pbem.engine.chance import Chance
from pbem.engine.overview import Balance
from pbem.engine.sheet import Option
from pbem.engine.storage import Codec, Upgrade
from pbem.rails import board_reader, board_text, place_text
from pbem.rails.board import Label
from pbem.rails.builder import Builder
from pbem.rails.sheet import colour_names
from pbem.rails.text_words import words_of
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


UPGRADES: Final[tuple[Upgrade, ...]] = ()
"""How the shape of stored states has changed since format 1 (``docs/extending.md``)."""


class AgeOfSteam(AgeOfSteamSheet, Builder):
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
    base_options = OPTIONS
    codec = Codec(State, UPGRADES)
    ended = GameEnded
    buttons = words.BUTTONS
    links_of_others: ClassVar[int] = 0
    """How many links of other players a delivery must use."""

    # the sequence of play -----------------------------------------------------------------------------

    @override
    def next_phase(self, state: State, chance: Chance) -> Step[State]:
        """Begin the phase that follows, in the next turn after the last one; after the last turn the game is over."""
        at = self._at(state) + 1
        if at < len(self.phases):
            return self._begin(state, self.phases[at], chance)
        if self.last_turn(state):
            ended = self.on_game_end(replace(unfinished_lost(self, state), scratch=None), chance)
            return Step(replace(ended.state, over=True), ended.events)
        return self._begin_turn(replace(state, turn=state.turn + 1), chance)

    def _at(self, state: State) -> int:
        return self.phases.index(self.phase_of(state))

    def _begin_turn(self, state: State, chance: Chance) -> Step[State]:
        turn = self.on_turn(state, chance)
        events = (TurnBegan(state.turn), *turn.events)
        return self._begin(turn.state, self.phases[0], chance).after(events)

    def _begin(self, state: State, phase: AgeOfSteamPhase, chance: Chance) -> Step[State]:
        return phase.begin(self, replace(state, phase=phase.name, scratch=None), chance)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """How orders are read: those of the base game, so that a sentence can say what is wrong here, and the map's."""
        actions = dict.fromkeys((*Rules.actions, *self.actions))
        return vocabulary((*AgeOfSteam.phases, *self.phases), tuple(actions), SHARED)

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
    def balance(self, state: State, seat: Seat, spent: int = 0) -> Balance | None:
        if state.over or not any(isinstance(phase, PayExpenses) for phase in self.phases[self._at(state) :]):
            return None
        return solvency.balance(self, state, seat, spent)

    @override
    def parse(self, state: State, text: str, names: Mapping[Seat, str]) -> tuple[Move, ...]:
        names = colour_names(names, self.colours)
        lexicon = Lexicon(board=self.board, seats=state.seats, new_cities=state.new_cities, names=names)
        return parse(text, lexicon, self.vocabulary)

    @override
    def text_words(self) -> tuple[str, ...]:
        return words_of(self, (*position_text.WORDS, *visit_lines.WORDS))

    # what the other files of this folder say of a position ----------------------------------------------

    map_figures = picture.map_figures
    standings = position.standings
    position = position.position
    wanted_by = deliveries.wanted_by
    columns = words.columns
    rows = words.rows
    figures = words.figures
    place_name = words.place_name
    place_names = words.place_names
    words = position_text.sections
    board_words = board_text.sections
    read_board = board_reader.read
    place_words = place_text.sections
    contents = position_text.contents
    plain = position_text.plain
    read_words = position_reader.read
    scene = picture.scene
    marks = picture.marks
    moments = standing_orders.moments
    take_standing_orders = standing_orders.take
    due_order = standing_orders.due_order
    asked_ahead = standing_orders.asked_ahead
    turn_plan = standing_orders.turn_plan
    placements = drafting.placements
    draft = drafting.draft
    tiles_at = drafting.tiles_at

    @override
    def turns(self, players: int) -> int | None:
        return self.game_turns[players]

    @override
    def sums(self, state: State, seat: Seat) -> Mapping[str, Say]:
        player = state.players[seat]
        return {
            "income": say("{n} × 3", n=str(player.income).replace("-", "−")),
            "shares": say("{n} × −3", n=player.shares),
        }

    @override
    def word(self, word: str) -> str:
        return self.own_words.get(word) or words.WORDS.get(word, word)

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

    def track_price(self, state: State, seat: Seat, label: Label, added: tuple[Ends, ...]) -> int:
        """Dollars for new track on a hex beside what lies there, discounts of a whole build not taken off.

        ``added``: sides, in a town ``TOWN`` and a side. 0 where no tile shows it all.
        """
        before = frozenset(segment.ends for segment in state.track.get(label, ()))
        tile = tile_showing(before | frozenset(added))
        return self.placement_price(state, seat, Placement(label, tile, tile_showing(before), added)) if tile else 0
