"""What a question can be answered with, numbered from 1: first the answers that emails list, then all others."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from pbem.engine import Choice, Question, Sheet, State, say
from pbem.rails.track import RouteChoice
from pbem.robot.links import LinkProposal, new_links

LINKS, CONNECTIONS = 8, 3
"""New links in an email: in Age of Steam, and in Steam Power, where other choices stand beside them."""
MOST, MOST_OF_A_KIND = 14, {"issue": 6, "bid": 6, "move": 8, "contract": 6, "factory": 3}
"""Choices in an email: in all, and with one keyword."""


def listed(sheet: Sheet, state: State, question: Question) -> tuple[Choice, ...]:
    """The answers that an email lists: their numbers are their places."""
    first = few(question.choices, question.form)
    if question.form == "build":
        return (*islice(_links(sheet, state, question), LINKS), *first)
    return (*first, *islice(_links(sheet, state, question), min(CONNECTIONS, MOST - len(first))))


def every(sheet: Sheet, state: State, question: Question) -> Iterator[Choice]:
    """All answers in the order of their numbers; each is worked out when it is asked for."""
    first = listed(sheet, state, question)
    known = {choice.order for choice in first}
    others = (choice for choice in chain(_links(sheet, state, question), question.choices) if choice.order not in known)
    return chain(first, others)


def _links(sheet: Sheet, state: State, question: Question) -> Iterator[Choice]:
    if question.form == "build" or question.builder:
        yield from map(link_choice, new_links(sheet, state, question.seat))


def link_choice(link: LinkProposal) -> Choice:
    title = say("{link}, ${price}, tiles {tiles}", link=link.title, price=link.price, tiles=link.tiles)
    if link.contract is None:
        return Choice(link.order, title)
    return Choice(link.order, title, say("It pays for {contract}.", contract=link.contract.title))


def few(choices: Sequence[Choice], form: str, most: int | None = MOST) -> list[Choice]:
    """The first ones with each keyword; of the ways to put cubes on boxes, which are many, one as an example. ``most``:
    in all, ``None`` for every kind of answer that there is."""
    if form == "boxes":
        return list(choices[:1])
    found: list[Choice] = []
    seen, meant = Counter[str](), set[tuple[str, ...]]()
    for choice in choices:
        what = _what(choice)
        if what not in meant and (most is None or seen[choice.keyword] < MOST_OF_A_KIND.get(choice.keyword, most)):
            found.append(choice)
            meant.add(what)
            seen[choice.keyword] += 1
    return found[:most]


def _what(choice: Choice) -> tuple[str, ...]:
    """What a choice does, whatever the way: one contract, or one cube from a start to a goal."""
    if isinstance(choice, RouteChoice) and choice.cube and choice.route:
        return choice.keyword, choice.cube, choice.route[0], choice.route[-1]
    return tuple(choice.order.split()[:2]) if choice.keyword == "contract" else (choice.order,)
