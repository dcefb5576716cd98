"""What the rule sheets of all games on these boards have alike: a map folder, phases in order, one seat asked."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import resources
from inspect import getdoc
from pathlib import Path
from sys import modules
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec
from typing_extensions import override

from pbem.engine import Move, Question, Refusal, Say, Seat, Sheet, Step, replace, say
from pbem.engine.chance import Chance
from pbem.engine.flow import FirstLegal, Flow, GameState, ListNumber
from pbem.engine.phase import Phase
from pbem.engine.position_text import Line
from pbem.engine.sheet import Option
from pbem.engine.storage import Codec, Upgrade, typed
from pbem.rails.board import Board, Label
from pbem.rails.drawing import load_board
from pbem.rails.track import Net

R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T", bound="TableState")
P = TypeVar("P", bound="AskingPhase[Any, Any]")


OPENING = ("order", "cubes", "cities", "display", "bag", "accepts")
OPENING_PLAYER = ("cash", "income", "shares", "engine")
"""What a position says of the deal, and of what each player was dealt."""


class TableState(GameState, Protocol):
    """What a sheet needs to know of a state; ``step`` counts the orders played."""

    @property
    def step(self) -> int: ...


class AskingPhase(Phase[R, S]):
    """A phase of a game; one in which somebody decides says what it asks.

    ``act``: what a ``{player}`` does in it, for the headline of the picture: "Ana bids or drops".
    """

    act: ClassVar[Say] = say("{player}")

    def ask(self, rules: R, state: S, seat: Seat) -> Question:
        """What is asked of the seat: the act, the figures that matter, the choices with what each leads to."""
        raise TypeError(f"{self.name} asks nothing")


class MapSheet(Sheet, Generic[T, P]):
    """A rule sheet whose class stands in the folder of its map, beside ``board.toml``, or is given its board."""

    phases: ClassVar[tuple[Any, ...]]
    base_options: ClassVar[tuple[Option, ...]] = ()
    """Options of every map of the game."""
    map_options: ClassVar[tuple[Option, ...]] = ()
    """Options that only this map has; the chosen values stand in ``state.options``."""
    idle_options: ClassVar[frozenset[str]] = frozenset()
    """Options of the game that change nothing on this map: not offered, and still known where a record names them."""
    mode: ClassVar[str] = ""
    """A second sheet on the same board: added to slug and name."""
    players: ClassVar[range]
    codec: ClassVar[Codec[Any]]
    extra: ClassVar[type | None] = None
    """The type of a map's own state in ``state.extra``."""
    upgrades: ClassVar[tuple[Upgrade, ...]] = ()
    """How the shape of that and of the map's own scratch has changed (``docs/extending.md``)."""
    ended: ClassVar[type[Any]]
    """The event of the end, from the winners."""
    buttons: ClassVar[Mapping[str, Say]] = {}
    """What leads to the question of a phase, as a verb."""

    def __init__(self, board: Board | None = None) -> None:
        self.board = board or _board(type(self).__module__)
        self.slug = f"{self.board.slug}_{self.mode}" if self.mode else self.board.slug
        self.name = f"{self.board.name}, {self.mode}" if self.mode else self.board.name
        self.remark = self.board.remark
        self.flow: Flow[T] = Flow(self)

    def phase_of(self, state: T) -> P:
        found: P = self._phases[state.phase]
        return found

    @cached_property
    def _phases(self) -> Mapping[str, P]:
        return {phase.name: phase for phase in self.phases}

    @abstractmethod
    def next_phase(self, state: T, chance: Chance) -> Step[T]:
        """Begin what follows the phase the state stands in."""

    def count_order(self, state: T) -> T:
        return replace(state, step=state.step + 1)  # type: ignore[type-var] # every state is a Value

    def asked(self, state: T) -> Seat:
        """The seat to act. Raises ``ValueError`` when the game is over."""
        seat = self.to_act(state)
        if seat is None:
            raise ValueError("nobody is asked anything: the game is over")
        return seat

    @override
    def play(self, state: T, seat: Seat, moves: Sequence[Move], chance: Chance) -> Step[T]:
        step = self.flow.play(state, seat, moves, chance)
        if not step.state.over:
            return step
        ended = self.ended(self.winners(step.state, self.standings(step.state)))
        state = replace(step.state, scratch=None)  # type: ignore[type-var]
        return replace(step, state=state, events=(*step.events, ended))

    @override
    def place(self, state: T) -> str:
        return f"{state.turn}.{state.step}"

    @override
    def player_counts(self) -> range:
        return self.players

    @override
    def options(self) -> tuple[Option, ...]:
        return tuple(option for option in self.known_options() if option.key not in self.idle_options)

    @override
    def known_options(self) -> tuple[Option, ...]:
        return (*self.base_options, *self.map_options)

    @override
    def rule_texts(self) -> tuple[Say, ...]:
        return tuple(map(say, self.written_rules()))

    def written_rules(self) -> tuple[str, ...]:
        """The numbered rules at the head of the module of the sheet."""
        return numbered(getdoc(modules[type(self).__module__]) or "")

    @override
    def provenance(self) -> str:
        return self.board.provenance

    @override
    def opening(self, dealt: Mapping[str, Any]) -> dict[str, Any]:
        shown = {key: dealt[key] for key in OPENING if key in dealt}
        shown["players"] = {
            seat: {key: figures[key] for key in OPENING_PLAYER if key in figures}
            for seat, figures in dealt.get("players", {}).items()
        }
        return shown

    @override
    def to_act(self, state: T) -> Seat | None:
        return self.flow.to_act(state)

    @override
    def over(self, state: T) -> bool:
        return state.over

    @override
    def turn(self, state: T) -> int:
        return state.turn

    @override
    def phase(self, state: T) -> str:
        return "over" if self.over(state) else state.phase

    @override
    def legal(self, state: T) -> tuple[str, ...] | None:
        seat = self.to_act(state)
        if seat is None:
            return ()
        moves = self.phase_of(state).legal(self, state, seat)
        return None if moves is None else tuple(map(str, moves))

    @override
    def question(self, state: T) -> Question:
        return self.phase_of(state).ask(self, state, self.asked(state))

    @override
    def default(self, state: T) -> Move:
        return self.phase_of(state).default(self, state, self.asked(state))

    @override
    def button(self, phase: str) -> Say:
        return self.buttons.get(phase) or super().button(phase)

    @override
    def answers(self, state: T, move: Move) -> bool:
        kinds = self.phase_of(state).moves
        match move:
            case FirstLegal(moves):
                return any(isinstance(alternative, kinds) for alternative in moves)
            case ListNumber(word, _):
                return any(kind.keyword == word for kind in kinds)
        return isinstance(move, kinds)

    @override
    def canonical(self, state: T, viewer: Seat = "") -> bytes:
        return msgspec.json.encode(self.plain(state, viewer), order="sorted")

    @abstractmethod
    def net(self, state: T) -> Net:
        """The track of the position, and the hexes that are Cities."""

    @abstractmethod
    def price_words(self, label: Label) -> Say:
        """What a simple tile costs on an empty hex, as the key of the picture says it."""

    def contents(self, state: T, label: Label) -> Line:
        """What lies on a City or another hex, as its line of the position says it; nothing for one that is empty."""
        return ()

    def refuse_hex(self, state: T, seat: Seat, label: Label) -> Refusal | None:
        """Land that this player may not build on, beyond what is printed as closed."""
        return None

    def refuse_end(self, state: T, seat: Seat, label: Label, edge: int) -> Refusal | None:
        """A side of a hex that track may not lead to, beyond what is printed as closed."""
        return None

    @abstractmethod
    def plain(self, state: T, viewer: Seat) -> dict[str, Any]:
        """A position as ``viewer`` may see it: piles that are empty left out, piles without an order sorted."""

    @override
    def encode(self, state: T) -> bytes:
        return self.codec.encode(state, self.upgrades)

    @override
    def decode(self, stored: bytes) -> T:
        state = self.codec.decode(stored, self.upgrades)
        scratch = next((phase.scratch for phase in self.phases if phase.name == state.phase), None)
        parts = {"scratch": typed(state.scratch, scratch)}
        if self.extra is not None:
            parts["extra"] = typed(state.extra, self.extra)
        found: T = replace(state, **parts)
        return found


def colour_names(names: Mapping[Seat, str], colours: tuple[str, ...]) -> dict[Seat, str]:
    """The players' names with which orders are read, but for colours: buttons name seats by those."""
    return {seat: name for seat, name in names.items() if name.casefold() not in colours}


def numbered(doc: str) -> tuple[str, ...]:
    """The numbered rules of a map's docstring, one string each, continuation lines joined."""
    rules: list[str] = []
    for line in doc.splitlines():
        head, _, rest = line.partition(". ")
        if head.isdigit():
            rules.append(rest.strip())
        elif rules and line.startswith(" "):
            rules[-1] += " " + line.strip()
    return tuple(rules)


def _board(module: str) -> Board:
    package = module.rpartition(".")[0]
    with resources.as_file(resources.files(package).joinpath("board.toml")) as path:
        return load_board(Path(path))
