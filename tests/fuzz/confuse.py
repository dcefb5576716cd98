"""Takes one thing of a game for another: orders that can be read, of which few are legal."""

import re
from random import Random

from pbem.engine.sheet import Sheet
from pbem.rails.hexes import directions
from pbem.rails.sheet import MapSheet
from tests.age_of_steam.typed_orders import VOCABULARY

COLOURS = ("red", "blue", "purple", "yellow", "black", "white", "green", "any", "nobody")
COLUMNS = ("L1", "L3", "L6", "D1", "D6", "A", "D", "H")
SIDES = tuple({*directions("flat-top"), *directions("pointy-top")})
_WORD = re.compile(r"[\w-]+|[^\w\s-]+|\s+")


class Confused:
    """The words of one sheet by what they stand for."""

    def __init__(self, sheet: Sheet, seats: tuple[str, ...]) -> None:
        assert isinstance(sheet, MapSheet)
        board = sheet.board
        places = (*board.cities, *board.towns, *(city.name for city in board.cities.values()), *board.towns.values())
        tracks = tuple(f"{a}-{b}" for a in board.directions for b in board.directions)
        self.kinds = [
            tuple(map(str, kind))
            for kind in (
                tuple(board.hexes),
                places,
                board.directions,
                tracks,
                COLOURS,
                seats,
                COLUMNS,
                VOCABULARY.actions,
                range(12),
            )
        ]

    def order(self, text: str, luck: Random, *others: str) -> str:
        """The order with one to three words taken for others of their kind, or a step of it elsewhere."""
        for _ in range(luck.choice((1, 1, 1, 2, 3))):
            text = self._steps(text, luck, *others) if luck.random() < 0.25 else self._word(text, luck)
        return text

    def _word(self, text: str, luck: Random) -> str:
        words = _WORD.findall(text)
        known = [(at, kind) for at, word in enumerate(words) for kind in self.kinds if word in kind]
        if known:
            at, kind = luck.choice(known)
            words[at] = luck.choice(kind)
        return "".join(words)

    def _steps(self, text: str, luck: Random, *others: str) -> str:
        verb, _, rest = text.partition(" ")
        steps = [step.strip() for step in re.split(r"([;>,])", rest)]
        more = [step.partition(" ")[2] for other in others for step in other.split(";") if other.startswith(verb)]
        match luck.randrange(4):
            case 0:
                luck.shuffle(steps)
            case 1:
                steps += [";", luck.choice(steps)]
            case 2 if more:
                steps += [";", luck.choice(more)]
            case _:
                del steps[luck.randrange(len(steps))]
        return f"{verb} {' '.join(steps)}"
