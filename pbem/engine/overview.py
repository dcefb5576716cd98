"""Figures and cards that stand beside a question or tell of a map, and the players' table: values."""

from collections.abc import Mapping

from pbem.engine.moves import Seat
from pbem.engine.text import Say
from pbem.engine.values import Value, field


class Heading(Value):
    """The head of a column; ``money``: its numbers are dollars."""

    title: Say
    money: bool = False


class Line(Value):
    """A row: what it is about, a cell for every column but the first. ``now``: it is what the question is about."""

    about: Say
    cells: tuple[int | Say | None, ...]
    now: bool = False


class Overview(Value):
    """``columns``: the first is that of what the rows are about; none at all where each row explains itself."""

    title: Say
    columns: tuple[Heading, ...]
    lines: tuple[Line, ...]
    note: Say | None = None


class ActionKind(Value):
    """What some of the choices have in common, where a page shows them by kind.

    ``word``: the first word of their orders. ``price``: what it costs or brings in a few words. ``about``: what it
    means in this position. ``on_board``: it is answered on the page of the board; ``from_hand``: by a card of the hand.
    Without any choice of this kind it cannot be done now.
    """

    word: str
    title: Say
    price: Say
    about: tuple[Say, ...]
    on_board: bool = False
    from_hand: bool = False


class HandCard(Value):
    """A card that only its owner sees. ``order``: how orders that use it begin; ``wants``: a colour for each cube.

    ``gain``: what it brings; ``price``, ``short``: dollars it costs now, and how many of them are missing; ``how``:
    where its cubes come from, each with who is paid; ``helps``: what would make it payable or cheaper.
    """

    order: str
    title: Say
    wants: tuple[str, ...]
    gain: Say
    price: int
    short: int
    how: tuple[Say, ...]
    helps: tuple[Say, ...] = ()


class Balance(Value):
    """What a seat has after this turn, by what is known now, in one ``line``; ``short``: it cannot pay, and the line
    says what follows from that."""

    line: Say
    short: bool


class MapFigures(Value):
    """``begins``: heads with what a game begins with. ``prices``: what a first tile on a hex costs, by kind of land,
    one price for each of ``tiles``, which are the kinds of tiles."""

    begins: tuple[tuple[Say, Say], ...] = ()
    tiles: tuple[Say, ...] = ()
    prices: Mapping[str, tuple[Say, ...]] = field(default_factory=dict)


class Words(Value):
    head: Say
    items: tuple[Say, ...]


class Column(Value):
    """A column of the players' table: key, head, whether its figures are money."""

    key: str
    head: Say
    money: bool = False


class Row(Value):
    """A player in the players' table: figures (or a word) by column key, in turn order, the eliminated last."""

    seat: Seat
    cells: Mapping[str, int | Say | None]
    out: Say | None = None
