"""The door to a game: what everything outside the rules may ask of a rule sheet.

Services, pages, letters and pictures know a game only through :class:`Sheet`. A sheet is stateless; a *state* is opaque
to its callers, immutable, and passes through :meth:`Sheet.encode` and :meth:`Sheet.decode` without loss.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pbem.engine.chance import Chance
from pbem.engine.events import Told
from pbem.engine.moves import Move, Seat, no
from pbem.engine.overview import ActionKind, Balance, Column, HandCard, MapFigures, Overview, Row, Words
from pbem.engine.phase import Step
from pbem.engine.position_text import Paragraph, ReadPosition, Section
from pbem.engine.standing_orders import Foresight, StandingOrder, TurnPlan
from pbem.engine.text import PLAIN, Say, Voice, say
from pbem.engine.units import Unit
from pbem.engine.values import Value

State = Any
"""A state of one game; only its own sheet looks inside."""


class BadOpening(ValueError):
    """An opening of a record that does not fit the map; the sentence says where."""


class Option(Value):
    """A choice made when a game is opened. ``choices`` maps the stored value to words; the first is default."""

    key: str
    title: str
    choices: Mapping[str, str]
    ruling: str = ""

    @property
    def default(self) -> str:
        return next(iter(self.choices))


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal order that can be pressed as a button or picked from a list.

    ``title``: words for the button ("Drop: 4th place, $0"). ``effect``: one sentence on what it leads to.
    ``gains``: what each seat gains by it, counted as the game counts.
    """

    order: str
    title: Say
    effect: Say | None = None
    gains: Mapping[Seat, int] = field(default_factory=dict)

    @property
    def keyword(self) -> str:
        return self.order.partition(" ")[0]

    @property
    def meaning(self) -> tuple[Say, ...]:
        """What it means, in sentences, for a line that goes on with the order."""
        return (self.title,) if self.effect is None else (self.title, self.effect)

    def written(self, names: Mapping[str, str]) -> str:
        """The order with ``names`` in place of labels and colours of seats, which are read as well."""
        return self.order


class Question(Value):
    """What is asked of a seat now.

    ``act``: the act in the rulebook's words ("Build track"). ``lead``: one or two sentences with the figures
    that matter. ``otherwise``: what happens when the time ends, to follow "after that": "you pass".
    ``form``: which page serves it: ``choices`` (buttons), ``deliver`` (long list with gains), ``build`` (a page on
    which the order is put together, see :mod:`pbem.rails.builder`), ``boxes``.
    ``choices``: buttons in order, the most useful first; for ``build`` only the ones beside that page.
    ``warnings``: sentences on what will be lost. ``builder``: the page of choices leads to that page as well.
    ``kinds``: of the choices, where they are shown by kind. ``overviews``: the figures that decide it, as tables.
    ``even``: no choice stands out, because none is more useful than another.
    ``stressed``: the sentence of ``lead`` that is not to be missed.
    """

    seat: Seat
    phase: str
    act: Say
    lead: tuple[Say, ...]
    otherwise: Say
    form: str
    choices: tuple[Choice, ...]
    warnings: tuple[Say, ...] = ()
    example: str = ""
    builder: bool = False
    kinds: tuple[ActionKind, ...] = ()
    overviews: tuple[Overview, ...] = ()
    even: bool = False
    stressed: Say | None = None


class Standing(Value):
    """A line of the final table. ``place`` from 1, shared on ties; ``score`` is ``None`` for the eliminated."""

    seat: Seat
    place: int
    score: int | None
    out: bool
    parts: tuple[tuple[str, int], ...] = ()


class Sheet(Foresight, ABC):
    """One rule sheet of one game. All methods are pure; randomness comes in as a ``Chance``."""

    game: ClassVar[str]
    """``age-of-steam`` or ``steam-power``; also in records."""
    game_name: ClassVar[str]
    unit: ClassVar[Unit]
    """The same for people ("Age of Steam"), and what is numbered: turns or rounds."""
    colours: ClassVar[tuple[str, ...]]
    """Seat colours offered to players, in the order in which seats are given out."""

    slug: str
    name: str
    drawing: str = ""
    """The text of its board, where the records of its games hold it: on maps that are nowhere in ``maps/``."""
    remark: str = ""
    """What sets the map apart from others of the game, in a few words."""

    @property
    def full_name(self) -> str:
        """The map with its game, for whoever may know neither: "Age of Steam, Rust Belt"."""
        return f"{self.game_name}, {self.name}"

    @abstractmethod
    def player_counts(self) -> range: ...
    @abstractmethod
    def turns(self, players: int) -> int | None:
        """Length of a game in its unit, ``None`` where it has no fixed end."""

    @abstractmethod
    def options(self) -> tuple[Option, ...]:
        """What can be chosen when a game is opened."""

    def known_options(self) -> tuple[Option, ...]:
        """The same and what could be chosen once: games and records that name it are read."""
        return self.options()

    @abstractmethod
    def rule_texts(self) -> tuple[Say, ...]:
        """The numbered rules of the sheet as players read them."""

    @abstractmethod
    def provenance(self) -> str: ...

    def map_figures(self, dealt: State) -> MapFigures:
        """What a game begins with and what tiles cost, ``dealt`` being one that has just begun."""
        return MapFigures()

    # play
    @abstractmethod
    def start(
        self,
        seats: Sequence[Seat],
        chance: Chance,
        options: Mapping[str, str],
        opening: Mapping[str, Any] | None = None,
    ) -> Step[State]:
        """Deal a game and go on to its first decision; ``opening`` is a set-up dealt elsewhere (contract, 5)."""

    @abstractmethod
    def parse(self, state: State, text: str, names: Mapping[Seat, str]) -> tuple[Move, ...]:
        """Read orders of any size. ``names``: the players' names. Raises :class:`BadMove`."""

    @abstractmethod
    def play(self, state: State, seat: Seat, moves: Sequence[Move], chance: Chance) -> Step[State]:
        """Play one submission whole and go on to the next decision. Raises :class:`Refused`."""

    @abstractmethod
    def place(self, state: State) -> str:
        """The place in the game that dice are derived from: turn and number of orders played."""

    # look
    @abstractmethod
    def to_act(self, state: State) -> Seat | None: ...
    @abstractmethod
    def over(self, state: State) -> bool: ...
    @abstractmethod
    def turn(self, state: State) -> int: ...
    @abstractmethod
    def phase(self, state: State) -> str: ...
    @abstractmethod
    def legal(self, state: State) -> tuple[str, ...] | None:
        """Every legal order of the seat to act in canonical notation, ``None`` when they are too many."""

    def placements(self, state: State) -> tuple[str, ...]:
        """Every legal order of a single step, where orders are put together from steps and are too many to list."""
        return ()

    @abstractmethod
    def question(self, state: State) -> Question:
        """What is asked of the seat to act. Raises ``ValueError`` when the game is over."""

    @abstractmethod
    def default(self, state: State) -> Move:
        """The order played for the seat to act when its time ends."""

    @abstractmethod
    def position(self, state: State, viewer: Seat | None = None) -> dict[str, Any]:
        """The position as others see it, with what only ``viewer`` may see besides."""

    def hand(self, state: State, seat: Seat) -> tuple[Words, ...]:
        """What only this seat may see, in words; nothing in games without secrets."""
        return ()

    def cards(self, state: State, seat: Seat) -> tuple[HandCard, ...]:
        """The same as cards, where it is a hand of cards."""
        return ()

    def balance(self, state: State, seat: Seat, spent: int = 0) -> Balance | None:
        """What a seat has after the bill of this turn if it spends so much on the order that it puts together; ``None``
        where no bill is to come."""
        return None

    def prospects(self, state: State) -> Mapping[str, tuple[Say, ...]]:
        """What orders could bring to the seat to act, by their first word; for a page, and worth some thought."""
        return {}

    def suggestions(self, state: State, *, thorough: bool = False) -> tuple[str, ...]:
        """Orders that no choice of the question lists, the most promising first; they are legal, and some thought.

        ``thorough``: all that one action can bring about, not only what is found quickly.
        """
        return ()

    def ends(self) -> Say | None:
        """When a game ends that has no fixed number of turns, to follow "the game ends"."""
        return None

    def button(self, phase: str) -> Say:
        """What a button says that leads to the question of a phase, as a verb."""
        return say("Answer")

    def goal(self, state: State, seat: Seat) -> Say | None:
        """What this seat plays for and how far it is, where the table of players does not say so by itself."""
        return None

    def imagined(self, position: Mapping[str, Any], viewer: Seat, options: Mapping[str, str]) -> State | None:
        """A state as ``viewer`` may imagine it from a position, hidden things made up; ``None`` where the game hides
        nothing, so that its public record tells everything, or where the position does not tell enough."""
        return None

    def dealt_anew(self, state: State, viewer: Seat, chance: Chance) -> State:
        """The same position with all that is hidden from ``viewer`` dealt anew, itself where the game hides nothing.
        What comes of it depends on nothing that the viewer may not know, in the middle of an action as well."""
        return state

    def opening(self, dealt: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the record of a running game says of its deal, from the position after it."""
        return dealt

    def hides(self, opening: Mapping[str, Any]) -> bool:
        """Whether the opening of a record leaves hidden what the rules have to know, so that it is made up."""
        return False

    def holding(self, state: State, seat: Seat, moves: Sequence[Move]) -> State:
        """A state with things made up, changed so that a seat holds what its orders show it to hold."""
        return state

    secret_draws: ClassVar[frozenset[str]] = frozenset()
    """Purposes of draws that a record of a running game must not show."""

    @abstractmethod
    def standings(self, state: State) -> tuple[Standing, ...]:
        """The table of the game, final when it is over."""

    def sums(self, state: State, seat: Seat) -> Mapping[str, Say]:
        """How the parts of a player's score are counted, by name: "26 × 3"; nothing for one counted as it is."""
        return {}

    def wanted_by(self, state: State, seat: Seat, event: Told) -> Mapping[Seat, int]:
        """Who else could have delivered, in the position ``state``, the cube that ``seat`` delivered in it, and what
        that would have gained them at best; empty for other events."""
        return {}

    def winners(self, state: State, standings: Sequence[Standing]) -> tuple[Seat, ...]:
        """Who wins with this final table; ``()`` when nobody does."""
        return tuple(line.seat for line in standings if line.place == 1 and not line.out)

    def verdict(self, state: State) -> Say | None:
        """What the rule sheet says about the result of a game played alone, when it is over."""
        return None

    @abstractmethod
    def columns(self, state: State) -> tuple[Column, ...]: ...
    @abstractmethod
    def rows(self, state: State) -> tuple[Row, ...]: ...
    def figures(self, state: State, seat: Seat) -> Mapping[str, int | Say | None]:
        """The cells of a seat's row; what takes long to count may be missing."""
        return next(row.cells for row in self.rows(state) if row.seat == seat)

    @abstractmethod
    def words(self, state: State, viewer: Seat = "") -> tuple[Section, ...]:
        """The whole position as text that :meth:`read_words` can read back, with what only ``viewer`` may see."""

    @abstractmethod
    def read_words(self, paragraphs: Sequence[Paragraph], voice: Voice) -> ReadPosition:
        """What :meth:`words` said, read out by the voice; hidden things are made up. Raises :class:`Misread`."""

    @abstractmethod
    def board_words(self) -> tuple[Section, ...]:
        """The printed board as text that :meth:`read_board` can read back."""

    @abstractmethod
    def read_board(self, paragraphs: Sequence[Paragraph], voice: Voice) -> dict[str, Any]:
        """The printed board as plain values, from what :meth:`board_words` said. Raises :class:`Misread`."""

    @abstractmethod
    def place_words(self, state: State, seat: Seat | None, label: str) -> tuple[Section, ...]:
        """A place or a hex of the board and what lies beside it as text, with what ``seat`` may not build."""

    @abstractmethod
    def text_words(self) -> tuple[str, ...]:
        """The fixed words, in English, of :meth:`words`, :meth:`board_words` and :meth:`place_words`."""

    @abstractmethod
    def canonical(self, state: State, viewer: Seat = "") -> bytes:
        """The position as JSON for comparing and for the check of its text: one form for equal positions."""

    def place_name(self, state: State, label: str) -> str:
        """A place of the board as people call it: "Toledo (D)", "Chicago", "K14"."""
        return self.place_names(state).get(label, label)

    def place_names(self, state: State) -> Mapping[str, str]:
        """The same for all places that have a name, by label; every other is called by its label."""
        return {}

    def word(self, word: str) -> str:
        """A word of orders and phases as sentences use it: "First Move", "build track"; others stand for themselves."""
        return word

    def tally(self, phase: str, orders: str) -> tuple[tuple[str, str], ...]:
        """What statistics count of a played order: figures (``bid``, in dollars, and ``action``) with their values."""
        return ()

    @abstractmethod
    def scene(
        self,
        state: State,
        *,
        subtitle: str = "",
        names: Mapping[Seat, str] | None = None,
        marks: Any = None,
        voice: Voice = PLAIN,
    ) -> Any:
        """The picture of the position, its words read out by ``voice``; ``marks`` as from :meth:`marks`."""

    @abstractmethod
    def marks(self, before: State, after: State, events: Sequence[Any]) -> Any:
        """What a submission changed, for the picture."""

    # standing orders; a game that knows none needs none of these
    def moments_ahead(self, state: State, seat: Seat) -> tuple[int, tuple[str, ...]]:
        """The turn for which the seat can order ahead next, and its moments: this turn as long as it has any."""
        return self.turn(state), self.moments(state, seat)

    def answers(self, state: State, move: Move) -> bool:
        """Whether an order is of the kind that is asked for now, legal or not."""
        return True

    def take_standing_orders(self, state: State, seat: Seat, moves: Sequence[Move]) -> tuple[StandingOrder, ...]:
        """Orders of a seat for moments to come. Raises :class:`Refused` (with ``line``) for any that cannot wait."""
        raise no("", "Orders of this game cannot be given ahead of time.")

    def due_order(self, state: State, order: StandingOrder) -> Move | None:
        """What an order that has waited answers now, ``None`` for nothing. Raises :class:`Refused` where it fails."""
        return order.move

    def turn_plan(self, state: State, seat: Seat) -> TurnPlan | None:
        """What the seat can plan now that a turn opens; ``None`` where that is nothing or would save no letter."""
        return None

    # storage
    @abstractmethod
    def encode(self, state: State) -> bytes:
        """The state as canonical JSON."""

    @abstractmethod
    def decode(self, stored: bytes) -> State:
        """Read back a stored state, also one that an older version wrote."""
