"""A delivery among the answers to a question: the cube, the way it takes, and who gains by it."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.sheet import Choice


@dataclass(frozen=True, slots=True)
class RouteChoice(Choice):
    """A choice that moves a cube: ``route`` are the nodes from its place on, ``pieces`` the track it runs over.

    ``gains``: income steps per seat.
    """

    cube: str = ""
    route: tuple[str, ...] = ()
    pieces: tuple[tuple[str, int, int], ...] = ()
