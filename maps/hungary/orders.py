"""The order that only Hungary has: which of the drawn cubes go on Budapest."""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override

from pbem.age_of_steam.lexicon import by_colour
from pbem.age_of_steam.notation_goods import FORM, LINE, Production, is_colour, produce
from pbem.engine.moves import Move


@dataclass(frozen=True, slots=True)
class ProduceColours(Move):
    """``produce red blue``: these of the drawn cubes."""

    keyword = "produce"
    usage = "produce COLOUR COLOUR"
    colours: tuple[str, ...]

    @override
    def __str__(self) -> str:
        return f"produce {' '.join(self.colours)}"


COLOURS = Production("produce COLOUR COLOUR", is_colour, lambda reader: ProduceColours(by_colour(reader.colours())))
PRODUCE = produce(FORM, LINE, COLOURS)
