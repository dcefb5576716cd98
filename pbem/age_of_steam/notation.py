"""Reads orders of Age of Steam; ``str`` of a move is what :func:`parse` reads back to an equal move.

Only what an order *says* is read here. Whether a player may give it is for the phases to judge, so orders of
other maps are read on every map. Parts: a build in ``notation_build``, goods in ``notation_goods``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pbem.age_of_steam.lexicon import Lexicon, action
from pbem.age_of_steam.moves import (
    Always,
    Bid,
    BidLimit,
    Build,
    BuyBack,
    Decline,
    Drop,
    Issue,
    Pay,
    TakeAction,
)
from pbem.age_of_steam.notation_build import read_build
from pbem.age_of_steam.notation_goods import read_deliveries, read_produce
from pbem.age_of_steam.order_reader import ORDERS, OrderReader
from pbem.engine.flow import ListNumber
from pbem.engine.moves import BadMove, Cancel, Move, Resign
from pbem.engine.reading import MOST_ORDERS
from pbem.engine.text import say

Read = Callable[[OrderReader, str], Move]

_ALWAYS = ("always issue N", "always pay", "always decline", "always bid max N", "always auto-pass")
_BID = ("bid N", "bid max N", "bid N max N then pass until N")


def parse(text: str, lexicon: Lexicon) -> tuple[Move, ...]:
    """Read orders of any size, at least one.

    Raises :class:`BadMove` with the place of the first thing that cannot be read. A New City placed by one
    order is known to the following ones.
    """
    reader = OrderReader(text, lexicon)
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
    reader.usage = ()
    word = reader.keyword(_READERS, say("An order starts with one of these words: {words}.", words=ORDERS))
    read, reader.usage = _READERS[word]
    move = read(reader, word)
    reader.end_order()
    return move


def _single(move: type[Move]) -> Read:
    return lambda reader, word: move()


def _read_issue(reader: OrderReader, word: str) -> Issue:
    return Issue(reader.number())


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


def _read_action(reader: OrderReader, word: str) -> TakeAction | ListNumber:
    if reader.is_int() and reader.ahead().closes:
        return ListNumber(word, reader.number())
    actions = [_read_action_name(reader)]
    while reader.symbol(">"):
        actions.append(_read_action_name(reader))
    return TakeAction(tuple(dict.fromkeys(actions)))


def _read_action_name(reader: OrderReader) -> str:
    return reader.meaning(reader.name(">|", (), say("The name of an action is expected here.")), action)


def _read_always(reader: OrderReader, word: str) -> Always:
    words = ("issue", "pay", "decline", "bid", "auto", "autopass")
    order = reader.keyword(words, say("An order that can stand for several turns is expected here."))
    if order == "issue":
        return Always("issue", reader.number())
    if order == "bid":
        reader.keyword(("max",), say("“max” with the highest bid is expected here."))
        return Always("bid max", reader.number())
    if order == "auto":
        reader.symbol("-")
        reader.keyword(("pass",), say("“auto-pass” is expected here."))
    return Always("auto-pass" if order.startswith("auto") else order)


_READERS: Final[Mapping[str, tuple[Read, tuple[str, ...]]]] = {
    "issue": (_read_issue, ("issue N",)),
    "shares": (_read_issue, ("shares N",)),
    "buyback": (_single(BuyBack), ("buyback",)),
    "bid": (_read_bid, _BID),
    "drop": (_single(Drop), ("drop",)),
    "pay": (_single(Pay), ("pay",)),
    "decline": (_single(Decline), ("decline",)),
    "action": (_read_action, ("action NAME > NAME",)),
    "build": (read_build, ("build STEP; STEP", "build nothing")),
    "done": (_single(Build), ("done",)),
    "move": (read_deliveries, ("move COLOUR FROM > NODE > NODE", "move COLOUR FROM to NODE")),
    "lift": (read_deliveries, ("lift COLOUR CITY > CITY",)),
    "loco": (read_deliveries, ("loco",)),
    "pass": (read_deliveries, ("pass",)),
    "produce": (read_produce, ("produce COLOUR>BOX COLOUR>BOX", "produce decline")),
    "always": (_read_always, _ALWAYS),
    "cancel": (_single(Cancel), ("cancel",)),
    "resign": (_single(Resign), ("resign",)),
}
