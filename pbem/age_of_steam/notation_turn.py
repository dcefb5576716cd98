"""Reads the orders that open a turn: shares, bids, actions."""

from __future__ import annotations

from collections.abc import Callable

from pbem.age_of_steam.lexicon import action
from pbem.age_of_steam.moves import Always, Bid, BidLimit, Issue, TakeAction
from pbem.age_of_steam.order_reader import EveryTurn, OrderReader, OrderWord
from pbem.engine.flow import ListNumber
from pbem.engine.moves import Move
from pbem.engine.text import say


def single(move: Callable[[], Move], usage: str) -> OrderWord:
    """A word that is a whole order."""
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
