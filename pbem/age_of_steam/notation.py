"""Reads orders of Age of Steam; ``str`` of a move is what :func:`parse` reads back to an equal move.

Only what an order *says* is read here. Whether a player may give it is for the phases to judge. Which orders there
are is for the phases to say as well: this module knows the words that belong to no phase. Parts: shares, bids and
actions in ``notation_turn``, a build in ``notation_build``, goods in ``notation_goods``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pbem.age_of_steam.lexicon import Lexicon, action
from pbem.age_of_steam.moves import Always, Bid, BidLimit, Build, Issue, SameIncome, TakeAction
from pbem.age_of_steam.order_reader import EveryTurn, OrderReader, OrderWord, Vocabulary
from pbem.engine.flow import FirstLegal, ListNumber
from pbem.engine.moves import BadMove, Cancel, Move, Resign
from pbem.engine.reading import MOST_ORDERS
from pbem.engine.text import say


def parse(text: str, lexicon: Lexicon, vocabulary: Vocabulary) -> tuple[Move, ...]:
    """Read orders of any size, at least one.

    Raises :class:`BadMove` with the place of the first thing that cannot be read. A New City placed by one
    order is known to the following ones.
    """
    reader = OrderReader(text, lexicon, vocabulary)
    moves: list[Move] = []
    while reader.next_order():
        if len(moves) == MOST_ORDERS:
            raise reader.bad(say("A submission has at most {most} orders.", most=MOST_ORDERS))
        if not (_build_is_over(moves) and _is_done(reader)):
            moves.append(_read_order(reader))
    if not moves:
        raise BadMove(
            say("There is no order. Orders look like “issue 2”, “bid max 6” or “build S10 SW-NE; R11 SW-NE”.")
        )
    return tuple(moves)


def _build_is_over(moves: list[Move]) -> bool:
    return bool(moves) and isinstance(moves[-1], Build) and not moves[-1].more


def _is_done(reader: OrderReader) -> bool:
    """``done`` behind a build that is a whole turn says again what the build says already."""
    return reader.ahead().closes and reader.word("done") is not None


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
