"""A position as one viewer may see it: read out when it is made, so that it holds nothing that could tell more."""

from collections.abc import Iterable, Mapping

from pbem.engine import Say, Seat, Sheet, State, Value
from pbem.engine.overview import Column, HandCard, Row, Words
from pbem.engine.position_text import Section
from pbem.engine.sheet import Standing

BESIDE_POINTS = ("cash", "engine")
"""Figures of the players' table that a final table has beside the points, where they are no part of them."""


class Position(Value):
    """What templates may know of a position. ``hand``: what only the viewer may see, ``cards``: the same as cards,
    ``goal``: what the viewer plays for; empty for a guest.

    ``places``: names of places by label. ``winners`` and ``verdict`` belong to the final table and are empty
    without one.
    """

    turn: int
    phase: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    words: tuple[Section, ...]
    hand: tuple[Words, ...]
    places: Mapping[str, str]
    winners: tuple[Seat, ...] = ()
    verdict: Say | None = None
    cards: tuple[HandCard, ...] = ()
    goal: Say | None = None


def position_for(sheet: Sheet, state: State, viewer: Seat, standings: tuple[Standing, ...] = ()) -> Position:
    """The position for the eyes of a seat, ``""`` for a guest; ``standings``: the final table, if there is one."""
    return Position(
        turn=sheet.turn(state),
        phase=sheet.phase(state),
        columns=sheet.columns(state),
        rows=sheet.rows(state),
        words=sheet.words(state, viewer),
        hand=sheet.hand(state, viewer) if viewer else (),
        places=sheet.place_names(state),
        winners=sheet.winners(state, standings) if standings else (),
        verdict=sheet.verdict(state) if standings else None,
        cards=sheet.cards(state, viewer) if viewer else (),
        goal=sheet.goal(state, viewer) if viewer else None,
    )


def beside_points(columns: Iterable[Column], standings: Iterable[Standing]) -> tuple[Column, ...]:
    counted = {name for line in standings for name, _ in line.parts}
    return tuple(column for column in columns if column.key in BESIDE_POINTS and column.key not in counted)
