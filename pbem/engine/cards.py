"""What a question and a hand look like as cards, in games that have them."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.text import Say


@dataclass(frozen=True, slots=True)
class ActionKind:
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


@dataclass(frozen=True, slots=True)
class HandCard:
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
