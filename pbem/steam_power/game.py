"""Steam Power behind the door: the base class of every map's rule sheet."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from typing_extensions import override

from pbem.engine import Move, Seat, Step
from pbem.engine.chance import Chance
from pbem.engine.sheet import Option
from pbem.engine.storage import Codec, Upgrade
from pbem.rails import board_reader, board_text, place_text
from pbem.rails.builder import Builder
from pbem.rails.names import Names
from pbem.rails.sheet import AskingPhase, colour_names
from pbem.rails.text_words import words_of
from pbem.steam_power import (
    drafting,
    imagining,
    picture,
    position,
    position_reader,
    position_text,
    prospects,
    setup,
    standing_orders,
    words,
)
from pbem.steam_power.contracts import contracts_for
from pbem.steam_power.events import GameEnded
from pbem.steam_power.notation import parse
from pbem.steam_power.phases import Actions, Steal, TakeBonus
from pbem.steam_power.rules import Rules, SteamPowerSheet
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

UPGRADES: Final[tuple[Upgrade, ...]] = ()
"""How the shape of stored states has changed since format 1 (``docs/extending.md``)."""


class SteamPower(SteamPowerSheet, Builder):
    """A rule sheet of Steam Power. A map names its folder by where its class stands."""

    game = "steam-power"
    game_name = "Steam Power"
    colours: ClassVar[tuple[Seat, ...]] = ("red", "blue", "green", "yellow", "purple")
    phases: ClassVar[tuple[AskingPhase[Rules, State], ...]] = (Actions(), TakeBonus(), Steal())
    base_options = OPTIONS
    codec = Codec(State, UPGRADES)
    ended = GameEnded
    buttons = words.BUTTONS
    secret_draws = frozenset({"hand", "contracts", "stolen", "counter"})

    # the sequence of play -----------------------------------------------------------------------------

    @override
    def next_phase(self, state: State, chance: Chance) -> Step[State]:
        return self.next_turn(state, chance)

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
    def text_words(self) -> tuple[str, ...]:
        return words_of(self, position_text.WORDS)

    # what the other files of this folder say of a position ----------------------------------------------

    map_figures = picture.map_figures
    standings = position.standings
    position = position.position
    imagined = imagining.imagined
    dealt_anew = imagining.dealt_anew
    holding = imagining.holding
    suggestions = prospects.suggestions
    prospects = prospects.prospects
    hand = words.hand
    cards = words.cards
    ends = words.ends
    goal = words.goal
    sums = words.sums
    columns = words.columns
    rows = words.rows
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
    moments_ahead = standing_orders.moments_ahead
    moment_said = standing_orders.moment_said
    asked_ahead = standing_orders.asked_ahead
    take_standing_orders = standing_orders.take
    due_order = standing_orders.due_order
    foreseen = imagining.foreseen
    drawn_cards = imagining.drawn_cards
    placements = drafting.placements
    draft = drafting.draft
    tiles_at = drafting.tiles_at

    @override
    def turns(self, players: int) -> int | None:
        return self.rounds

    @override
    def provenance(self) -> str:
        return f"{self.board.provenance} {contracts_for(self.package).provenance}"

    @override
    def hides(self, opening: Mapping[str, Any]) -> bool:
        return "hands" not in opening

    @override
    def tally(self, phase: str, orders: str) -> tuple[tuple[str, str], ...]:
        return (("action", orders.split(maxsplit=1)[0]),) if phase == "actions" and orders.strip() else ()
