"""The page that places several drawn cubes: one list of boxes for each, instead of a list of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.sheet import Choice, Question
from pbem.engine.text import Say, Voice, say

FEW = 9
"""So many choices are shown as buttons instead."""
FIELDS = ("put1", "put2")


@dataclass(frozen=True, slots=True)
class Box:
    """A box for a cube: its part of the order, its words, whether it is chosen at first."""

    order: str
    words: str
    first: bool


@dataclass(frozen=True, slots=True)
class Cube:
    field: str
    colour: str
    boxes: tuple[Box, ...]


def verb(question: Question) -> str:
    return question.choices[0].order.split()[0]


def cubes(question: Question, voice: Voice) -> tuple[Cube, ...]:
    """One list of boxes per cube; nothing when the choices are not pairs of a cube and a box each."""
    orders = [choice.order.split()[1:] for choice in question.choices]
    if any(len(puts) != len(FIELDS) or not all(">" in put for put in puts) for puts in orders):
        return ()
    return tuple(_cube(question.choices, orders, at, voice) for at in range(len(FIELDS)))


def _cube(choices: tuple[Choice, ...], orders: list[list[str]], at: int, voice: Voice) -> Cube:
    words: dict[str, str] = {}
    for choice, puts in zip(choices, orders, strict=True):
        words.setdefault(puts[at], _words(choice, at, puts[at], voice))
    first = orders[0][at]
    boxes = tuple(Box(order, said, order == first) for order, said in words.items())
    return Cube(FIELDS[at], first.partition(">")[0], boxes)


def _words(choice: Choice, at: int, put: str, voice: Voice) -> str:
    """What the choice says about one of its cubes, else the box as it is typed."""
    match choice.title.values.get("puts"):
        case tuple() as said if len(said) == len(FIELDS) and isinstance(said[at], Say):
            sentence: Say = said[at]
            if "box" in sentence.values:
                return say("{box}", box=sentence.values["box"]).read(voice)
    return put.partition(">")[2]
