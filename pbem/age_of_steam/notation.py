"""Reads orders of Age of Steam; ``str`` of a move is what :func:`parse` reads back to an equal move.

Only what an order *says* is read here. Whether a player may give it is for the phases to judge. Which orders there
are is for the phases to say as well: their :class:`Vocabulary` is what they say together. Of the orders themselves only
those that open a turn are here, and those that belong to no phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from typing_extensions import override

from pbem.age_of_steam.lexicon import COLOURS, Lexicon, action
from pbem.age_of_steam.moves import Always, Bid, BidLimit, Build, BuildStep, Hop, Issue, SameIncome, TakeAction
from pbem.engine import BadMove, Move, Seat, Value, say
from pbem.engine.flow import FirstLegal, ListNumber
from pbem.engine.moves import Cancel, Resign
from pbem.engine.reading import MOST_ORDERS, Span
from pbem.rails.names import looks_like_label
from pbem.rails.orders import PLAYER_EXPECTED, BoardReader


class OrderWord(Value):
    """A word that orders start with, registered by the phase that takes them.

    ``read`` reads what follows the word, ``usage`` says how that may go on. ``alternative``: such an order may stand
    beside others, parted by ``|``.
    """

    read: Callable[[OrderReader, str], Move]
    usage: tuple[str, ...]
    alternative: bool = False


class EveryTurn(Value):
    """An order that can be given for every turn: the words it starts with behind ``always``, and how it goes on."""

    words: tuple[str, ...]
    usage: str
    read: Callable[[OrderReader, str], Always]


class Vocabulary(Value):
    """The orders of one sheet: by the words they start with, steps of a build and orders for every turn likewise."""

    orders: Mapping[str, OrderWord]
    steps: Mapping[str, Callable[[OrderReader], BuildStep]]
    always: Mapping[str, EveryTurn]
    actions: tuple[str, ...]
    alternatives: tuple[str, ...]
    """The words of orders that may stand beside others."""


class OrderReader(BoardReader[Lexicon]):
    """A text of orders read with the names of one position and the words of one sheet."""

    cube_colours = COLOURS

    def __init__(self, text: str, lexicon: Lexicon, vocabulary: Vocabulary) -> None:
        super().__init__(text, lexicon)
        self.vocabulary = vocabulary

    @override
    def place_name(self, symbols: str, words: Iterable[str] = ()) -> Span:
        here = self.here
        if here.kind == "word" and (here.text in self.lexicon.board.hexes or looks_like_label(here.text)):
            return self.one()
        name = super().place_name(symbols, words)
        letter = self._letter()
        return name if letter is None else Span(f"{name.text.rstrip()} ({letter})", name.line, name.column)

    def _letter(self) -> str | None:
        """The letter in ``Toledo (D)``, unless a player has this letter for a name."""
        letter = self.ahead().text
        brackets = self.here.text == "(" and self.ahead(2).text == ")"
        if not brackets or letter.upper() not in self.lexicon.new_cities or self.lexicon.is_player(letter):
            return None
        self.take(3, say("The letter of a New City is expected here."))
        return letter

    def owner(self) -> Seat | None:
        """The owner of a link in brackets, if a bracket opens here."""
        span = self.in_brackets(PLAYER_EXPECTED)
        return None if span is None else self.meaning(span, self.lexicon.owner)

    def hop(self) -> Hop | None:
        """A link of a delivery as the game writes it, ``S10(blue)`` or ``S10``; nothing is passed in another form."""
        lexicon, at, tokens = self.lexicon, self._at, self._tokens
        label = self.here.text
        if label not in lexicon.board.hexes:
            return None
        node = lexicon.board.city_at.get(label, label)
        if tokens[at + 1].text != "(":
            self._go_to(at + 1)
            return Hop(node)
        owner = tokens[at + 2].text
        if owner not in lexicon.plain_seats or tokens[at + 3].text != ")":
            return None
        self._go_to(at + 4)
        return Hop(node, owner)

    def colours(self) -> list[str]:
        """Colours to the end of the order or step."""
        found = [self.colour()]
        while not self.closed:
            found.append(self.colour())
        return found


def parse(text: str, lexicon: Lexicon, vocabulary: Vocabulary) -> tuple[Move, ...]:
    """Read orders of any size, at least one; a New City of one is known to the next. Raises :class:`BadMove`."""
    reader = OrderReader(text, lexicon, vocabulary)
    moves: list[Move] = []
    while reader.next_order():
        if len(moves) == MOST_ORDERS:
            raise reader.bad(say("A submission has at most {most} orders.", most=MOST_ORDERS))
        if not _is_done(reader, moves):
            moves.append(_read_order(reader))
    if not moves:
        raise BadMove(
            say("There is no order. Orders look like “issue 2”, “bid max 6” or “build S10 SW-NE; R11 SW-NE”.")
        )
    return tuple(moves)


def _is_done(reader: OrderReader, moves: list[Move]) -> bool:
    """``done`` behind a build that is a whole turn says again what the build says already."""
    over = bool(moves) and isinstance(moves[-1], Build) and not moves[-1].more
    return over and reader.ahead().closes and reader.word("done") is not None


def _read_order(reader: OrderReader) -> Move:
    words = reader.vocabulary.orders
    reader.usage = ()
    word = reader.order_word(tuple(words))
    reader.usage = words[word].usage
    move = words[word].read(reader, word)
    if words[word].alternative:
        move = _read_alternatives(reader, move)
    reader.end_order()
    return move


def _read_alternatives(reader: OrderReader, first: Move) -> Move:
    """What may be played instead of an order, and whether it must pay the same."""
    moves, words = [first], reader.vocabulary.alternatives
    while reader.symbol("|"):
        if len(moves) == MOST_ORDERS:
            raise reader.bad(say("An order has at most {most} alternatives.", most=MOST_ORDERS))
        reader.usage = ("ORDER | ORDER",)
        word = reader.keyword(words, say("One of these words is expected here: {words}.", words=words))
        moves.append(reader.vocabulary.orders[word].read(reader, word))
    if reader.word("same"):
        reader.keyword(("income",), say("“income” is expected after “same”."))
        return SameIncome(tuple(moves))
    return FirstLegal(tuple(moves)) if len(moves) > 1 else first


def _read_always(reader: OrderReader, word: str) -> Always:
    words = reader.vocabulary.always
    reader.usage = tuple(dict.fromkeys(kind.usage for kind in words.values()))
    order = reader.keyword(words, say("An order that can stand for several turns is expected here."))
    return words[order].read(reader, order)


SHARED: Final[Mapping[str, OrderWord]] = {
    "always": OrderWord(_read_always, ()),
    "cancel": OrderWord(lambda reader, word: Cancel(), ("cancel",)),
    "resign": OrderWord(lambda reader, word: Resign(), ("resign",)),
}
"""Orders that belong to no phase."""


# shares, bids, actions -----------------------------------------------------------------------------------------------


def single(move: Callable[[], Move], usage: str) -> OrderWord:
    return OrderWord(lambda reader, word: move(), (usage,))


def always_single(order: str) -> EveryTurn:
    """A word that is a whole order, for every turn."""
    return EveryTurn((order,), f"always {order}", lambda reader, word: Always(order))


def _read_issue(reader: OrderReader, word: str) -> Issue:
    move = Issue(reader.number())
    reader.word("shares")
    return move


def _read_bid(reader: OrderReader, word: str) -> Bid | BidLimit:
    first = reader.number() if reader.is_int() else None
    if first is not None and reader.closed:
        return Bid(first)
    reader.keyword(("max",), say("“max” with the highest bid is expected here, or only the amount of one bid."))
    most, then, until = reader.number(), "", None
    if reader.word("then"):
        then = reader.keyword(("pass", "ask"), say("What to do then is expected here: “pass” or “ask”."))
    if reader.word("until"):
        until = reader.number()
    return BidLimit(most, first, then, until)


def _always_bid(reader: OrderReader, word: str) -> Always:
    reader.keyword(("max",), say("“max” with the highest bid is expected here."))
    return Always("bid max", reader.number())


def _read_action(reader: OrderReader, word: str) -> TakeAction | ListNumber:
    if reader.is_int() and reader.ahead().closes:
        return ListNumber(word, reader.number())
    actions = [_read_action_name(reader)]
    while reader.symbol(">"):
        actions.append(_read_action_name(reader))
    return TakeAction(tuple(dict.fromkeys(actions)))


def _read_action_name(reader: OrderReader) -> str:
    name = reader.name(">|", (), say("The name of an action is expected here."))
    return reader.meaning(name, lambda text: action(text, reader.vocabulary.actions))


ISSUE = {"issue": OrderWord(_read_issue, ("issue N",)), "shares": OrderWord(_read_issue, ("shares N",))}
ALWAYS_ISSUE = {"issue": EveryTurn(("issue",), "always issue N", lambda reader, word: Always("issue", reader.number()))}
BID = OrderWord(_read_bid, ("bid N", "bid max N", "bid N max N then pass until N"))
ALWAYS_BID = {"bid max": EveryTurn(("bid",), "always bid max N", _always_bid)}
ACTION = {"action": OrderWord(_read_action, ("action NAME > NAME",))}
