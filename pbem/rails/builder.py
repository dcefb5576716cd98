"""The track builder: what a sheet with track shows of a build that is put together step by step."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from pbem.engine import BadMove, Move, Refusal, Say, Seat, Sheet, State, Value, refuse
from pbem.engine.reading import shown


class DraftStep(Value):
    """A step of a build draft: canonical order, what it is in words, its price in dollars, why it is not legal."""

    order: str
    words: Say
    price: int
    refusal: Refusal | None = None


class Section(Value):
    """An unfinished section or a link in words; ``hex`` is where its open end points from (or a hex of it)."""

    words: Say
    hex: str


class BuildHex(Value):
    """A hex on which the draft could go on. ``kind``: terrain in words or the town's name."""

    label: str
    name: str
    kind: Say
    tiles: int
    cheapest: int
    affordable: bool
    own_end: bool


class BuildTile(Value):
    """One legal tile on one hex.

    ``order``: the step in canonical notation. ``new``: ends of the segments that would be laid or turned,
    ``kept``: those already there with their owners. ``rank`` sorts: the most useful first.
    """

    order: str
    hex: str
    new: tuple[tuple[int, int], ...]
    kept: tuple[tuple[int, int, Seat | None], ...]
    shape: Say
    price: int
    effect: Say
    affordable: bool
    rank: tuple[int, ...] = ()


class NewCityChoice(Value):
    """A New City tile that is left, with the towns it may go on (as steps in canonical notation)."""

    letter: str
    colours: tuple[str, ...]
    columns: tuple[str, ...]
    towns: tuple[tuple[str, str, Say], ...]


class Draft(Value):
    """A build that has not been sent: everything the build page shows. Money in dollars.

    ``state`` is the position with the legal steps played, for the picture; ``problem`` tells why it cannot be
    sent as it stands; ``order`` is the whole build as it would be typed. ``lost``, ``kept``: own unfinished
    sections after the build; ``completed``: links it completes, a sentence each.
    """

    state: State
    order: str
    steps: tuple[DraftStep, ...]
    placed: int
    limit: int
    cash: int
    price: int
    reduction: tuple[tuple[Say, int], ...]
    lost: tuple[Section, ...]
    kept: tuple[Section, ...]
    completed: tuple[Section, ...]
    hexes: tuple[BuildHex, ...]
    links: tuple[BuildTile, ...]
    new_cities: tuple[NewCityChoice, ...]
    problem: Refusal | None = None

    @property
    def left(self) -> int:
        return self.cash - self.price


class Builder(ABC):
    """What a sheet offers that lets players put a build together on a page of its own."""

    @abstractmethod
    def draft(self, state: State, steps: Sequence[str]) -> Draft:
        """A draft of the seat to act; illegal steps carry their refusal. ``ValueError`` where no track is asked for."""

    @abstractmethod
    def tiles_at(self, state: State, steps: Sequence[str], label: str) -> tuple[BuildTile, ...]:
        """The legal tiles on a hex after the draft's steps, best first; empty for a hex that has none."""


def builder_of(sheet: Sheet) -> Builder:
    """The track builder of a sheet. Raises ``ValueError`` for one without."""
    if not isinstance(sheet, Builder):
        raise ValueError(f"{sheet.name} has no track builder")
    return sheet


T = TypeVar("T")

PLANNING_CASH = 1_000
"""Cash with which tiles are listed that the player cannot pay, so that the page can say what they cost."""


class ReadStep(Value, Generic[T]):
    """A step of a draft: its text, and what it reads as or why it cannot be read."""

    text: str
    step: T | None
    refusal: Refusal | None = None


def read_step(
    text: str, keyword: str, parse: Callable[[str], tuple[Move, ...]], only: Callable[[Move], T | None]
) -> ReadStep[T]:
    """Read one step, an order of ``keyword`` alone; never raises for what a person may have typed."""
    try:
        moves = parse(f"{keyword} {text}")
    except BadMove as bad:
        return ReadStep(text, None, Refusal(bad.sentence()))
    step = only(moves[0]) if len(moves) == 1 else None
    if step is None:
        return ReadStep(
            text, None, refuse("", "“{text}” is not one step of “{keyword}”.", text=shown(text), keyword=keyword)
        )
    return ReadStep(text, step)
