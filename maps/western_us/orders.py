"""The step of a build that only the Western U.S. has."""

from dataclasses import dataclass

from typing_extensions import override

from pbem.age_of_steam.moves import OwnStep
from pbem.age_of_steam.notation import OrderReader
from pbem.engine.moves import Seat
from pbem.engine.text import Say, say


@dataclass(frozen=True, slots=True)
class Transcon(OwnStep):
    """A step of a build: who gets the transcontinental bonus."""

    players: tuple[Seat, ...]

    @override
    def __str__(self) -> str:
        return f"transcon {','.join(self.players)}"

    @override
    def words(self) -> Say:
        return say("transcontinental bonus")


def _read(reader: OrderReader) -> Transcon:
    reader.usage = ("transcon PLAYER,PLAYER",)
    players = [reader.player(",")]
    while reader.symbol(","):
        players.append(reader.player(","))
    return Transcon(reader.lexicon.in_seat_order(players))


TRANSCON = {"transcon": _read}
