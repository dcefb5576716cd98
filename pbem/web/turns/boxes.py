"""The page on which drawn cubes are placed: a draft that lives in the address, one link for every empty box."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import request

from pbem.engine import Question
from pbem.web.turns.addresses import Addresses

Puts = tuple[str, ...]
"""The words of an order behind its keyword, such as ``black>D3/2``: each a cube and its box."""


@dataclass(frozen=True, slots=True)
class Cube:
    colour: str
    box: str


class BoxesPage:
    def __init__(self, question: Question, addresses: Addresses, default: str) -> None:
        """``default``: the order that is played when the time ends."""
        self.addresses = addresses
        self.orders = {tuple(choice.order.split()[1:]): choice.order for choice in question.choices}
        chosen = tuple(dict.fromkeys(request.args.getlist("put")))
        self.chosen: Puts = chosen if self._fitting(chosen) else ()
        self.default: Puts = tuple(default.split()[1:])

    @classmethod
    def is_for(cls, question: Question) -> bool:
        puts = [choice.order.split()[1:] for choice in question.choices]
        return all(words and all(">" in word for word in words) for words in puts)

    def values(self) -> dict[str, Any]:
        fitting = self._fitting(self.chosen)
        left = [put.partition(">")[0] for put in fitting[0] if put not in self.chosen]
        placed = _cubes(self.chosen)
        return {
            "cubes": placed,
            "next_cube": left[0] if left else "",
            "placed": {cube.box: cube.colour for cube in placed},
            "box_links": self._links(fitting, left[0]) if left else {},
            "order": "" if left else self.orders[fitting[0]],
            "topmost": self._address(self.default) if not self.chosen else "",
            "topmost_cubes": _cubes(self.default),
            "undo": self._address(self.chosen[:-1]) if self.chosen else "",
        }

    def _fitting(self, chosen: Puts) -> Sequence[Puts]:
        return [puts for puts in self.orders if set(chosen) <= set(puts)]

    def _links(self, fitting: Sequence[Puts], colour: str) -> dict[str, str]:
        puts = tuple(dict.fromkeys(put for order in fitting for put in order if put not in self.chosen))
        return {
            cube.box: self._address((*self.chosen, put))
            for put, cube in zip(puts, _cubes(puts), strict=True)
            if cube.colour == colour
        }

    def _address(self, puts: Puts) -> str:
        return "?" + self.addresses.page(put=list(puts)).partition("?")[2] + "#pick"


def _cubes(puts: Puts) -> Sequence[Cube]:
    return [Cube(colour, box) for colour, _, box in (put.partition(">") for put in puts)]
