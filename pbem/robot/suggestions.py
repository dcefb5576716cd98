"""New links as answers to a question that is not answered from a list: orders that can be sent as they are."""

from itertools import islice

from pbem.engine.sheet import Choice, Question, Sheet, State
from pbem.engine.text import Say, say
from pbem.robot.links import LinkProposal, new_links

MOST, CONNECTIONS = 8, 3
"""Links in Age of Steam, connections in Steam Power, where other choices stand beside them."""


def suggestions(sheet: Sheet, state: State, question: Question) -> tuple[Choice, ...]:
    """New links for the seat that is asked; none where the choices are all there is."""
    if question.form != "build" and not question.builder:
        return ()
    found = new_links(sheet, state, question.seat)
    return tuple(
        Choice(link.order, link.title, _effect(link))
        for link in islice(found, MOST if question.form == "build" else CONNECTIONS)
    )


def _effect(link: LinkProposal) -> Say:
    """What a link costs, and the contract that can be paid with it."""
    cost = say("${price}, tiles {tiles}", price=link.price, tiles=link.tiles)
    return cost if link.contract is None else say("{cost}, for {contract}", cost=cost, contract=link.contract.title)
