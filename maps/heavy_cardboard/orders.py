"""The order that only Heavy Cardboard has."""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override

from pbem.age_of_steam.notation import OrderReader, OrderWord
from pbem.age_of_steam.notation_goods import AFTER_PLACE, read_number
from pbem.engine.moves import Move
from pbem.engine.text import say


@dataclass(frozen=True, slots=True)
class Lift(Move):
    keyword = "lift"
    usage = "lift COLOUR CITY > CITY"
    colour: str
    start: str
    goal: str

    @override
    def __str__(self) -> str:
        return f"lift {self.colour} {self.start} > {self.goal}"


def _read(reader: OrderReader, word: str) -> Move:
    return read_number(reader, word) or _read_lift(reader)


def _read_lift(reader: OrderReader) -> Lift:
    reader.usage = ("lift COLOUR CITY > CITY",)
    colour = reader.colour()
    start = reader.place(reader.lexicon.city, ">|")
    reader.need(">", say("“>” and the City the cube is lifted to are expected here."))
    return Lift(colour, start, reader.place(reader.lexicon.city, ">|", AFTER_PLACE))


LIFT = {"lift": OrderWord(_read, ("lift COLOUR CITY > CITY",), alternative=True)}
