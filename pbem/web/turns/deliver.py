"""The page of deliveries: a long list with who gains what, filtered by the address, its routes on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import request

from pbem.engine import Choice, Question, Say, Seat, Word, count_say, say
from pbem.rails.names import folded
from pbem.rails.track import RouteChoice
from pbem.views.games import GameView
from pbem.web.base.forms import argument
from pbem.web.boards import spots
from pbem.web.boards.pictures import geometry_of, map_picture
from pbem.web.turns.addresses import Addresses

FIRST = 5
DRAWN = 60
"""Routes drawn on the board at most; the style sheet knows as many."""

SORTS: Mapping[str, Say] = {
    # TRANSLATORS: How deliveries are sorted: by …
    "own": say("my income"),
    "lead": say("my income minus the best rival’s"),
    "short": say("fewest links"),
}


@dataclass(frozen=True, slots=True)
class Wish:
    colours: tuple[str, ...]
    origin: str
    goal: str
    own: bool
    sort: str
    all: bool

    @classmethod
    def read(cls) -> Wish:
        """From the address of this request; whatever is not offered counts as not given."""
        sort = argument("sort")
        return cls(
            colours=tuple(request.args.getlist("colour")[:10]),
            origin=argument("from"),
            goal=argument("to"),
            own=argument("own") == "1",
            sort=sort if sort in SORTS else "own",
            all=argument("all") == "1",
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One delivery. ``own`` as it is shown, ``others`` with the steps of income they gain."""

    number: int
    order: str
    cube: str
    title: Say
    via: Say
    own: str
    others: tuple[tuple[Seat, int], ...]
    path: str
    ends: tuple[tuple[str, int, int], ...]


class DeliverPage:
    def __init__(self, game: GameView, question: Question, addresses: Addresses, wish: Wish) -> None:
        self.game, self.seat, self.addresses, self.wish = game, question.seat, addresses, wish
        self.deliveries: list[RouteChoice] = []
        self.instead: list[Choice] = []
        for choice in question.choices:
            if isinstance(choice, RouteChoice) and choice.cube and len(choice.route) > 1:
                self.deliveries.append(choice)
            else:
                self.instead.append(choice)
        self.geometry = geometry_of(game.sheet)

    def values(self) -> dict[str, Any]:
        fitting = sorted(filter(self._fits, self.deliveries), key=self._rank)
        shown = fitting if self.wish.all else fitting[:FIRST]
        colours = sorted({choice.cube for choice in self.deliveries})
        return {
            "picture": map_picture(self.game, (), self.addresses.picture, shown[0].route if shown else (), self.seat),
            "rows": [self._row(number, choice) for number, choice in enumerate(shown, 1)],
            "pays": bool(shown) and shown[0].gains.get(self.seat, 0) > 0,
            "deliveries": len(self.deliveries),
            "fitting": len(fitting),
            "filtered": len(fitting) < len(self.deliveries),
            "heading": _heading(len(shown), len(fitting)),
            "show_all": self._address(all=1) if len(shown) < len(fitting) else "",
            "instead": self.instead,
            "colours": colours,
            "froms": self._places(choice.route[0] for choice in self.deliveries),
            "tos": self._places(choice.route[-1] for choice in self.deliveries),
            "sorts": SORTS.items(),
            "wish": replace(self.wish, colours=self.wish.colours or tuple(colours)),
        }

    def _fits(self, choice: RouteChoice) -> bool:
        wish = self.wish
        return (
            (not wish.colours or choice.cube in wish.colours)
            and wish.origin in ("", choice.route[0])
            and wish.goal in ("", choice.route[-1])
            and not (wish.own and self._others(choice))
        )

    def _rank(self, choice: RouteChoice) -> tuple[int, int, int]:
        own = choice.gains.get(self.seat, 0)
        rival = max((steps for _, steps in self._others(choice)), default=0)
        ranks: Mapping[str, Callable[[], tuple[int, int, int]]] = {
            "own": lambda: (-own, rival, len(choice.route)),
            "lead": lambda: (rival - own, -own, len(choice.route)),
            "short": lambda: (len(choice.route), -own, rival),
        }
        return ranks[self.wish.sort]()

    def _others(self, choice: Choice) -> tuple[tuple[Seat, int], ...]:
        return tuple((seat, steps) for seat, steps in choice.gains.items() if seat != self.seat and steps)

    def _row(self, number: int, choice: RouteChoice) -> Row:
        first, *between, last = (self._name(label) for label in choice.route)
        links = count_say("{n} link", "{n} links", len(choice.route) - 1)
        path, ends = "", tuple[tuple[str, int, int], ...]()
        if number <= DRAWN:
            path = spots.track(self.geometry, choice.pieces)
            ends = tuple(
                (kind, *self.geometry.centre(label))
                for kind, label in (("from", choice.route[0]), ("to", choice.route[-1]))
            )
        return Row(
            number=number,
            order=choice.order,
            cube=choice.cube,
            title=say("{colour}, {start} to {goal}", colour=Word(choice.cube), start=first, goal=last),
            via=say("{links}, via {places}", links=links, places=", ".join(between)) if between else links,
            own=f"+{choice.gains.get(self.seat, 0)}",
            others=self._others(choice),
            path=path,
            ends=ends,
        )

    def _places(self, labels: Any) -> Sequence[tuple[str, str]]:
        return sorted(((label, self._name(label)) for label in set(labels)), key=lambda place: folded(place[1]))

    def _name(self, label: str) -> str:
        return self.game.sheet.place_name(self.game.state, label)

    def _address(self, **more: object) -> str:
        wish = self.wish
        wanted = {"colour": list(wish.colours) or None, "from": wish.origin or None, "to": wish.goal or None}
        wanted |= {"own": "1" if wish.own else None, "sort": wish.sort if wish.sort != "own" else None}
        return self.addresses.page(**wanted, **more)


def _heading(shown: int, fitting: int) -> Say:
    if shown < fitting:
        return say("The best {shown} of {n} routes", shown=shown, n=fitting)
    return count_say("{n} route", "{n} routes", fitting) if fitting else say("Deliveries")
