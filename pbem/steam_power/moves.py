"""The orders of Steam Power as values, without rules; ``str`` is the notation that ``notation.py`` reads back."""

from typing_extensions import override

from pbem.engine import Move, Seat, Value


class Place(Value):
    """An operation of a track action: a segment on a hex, placed, crossing, or instead of the own last tile."""

    hex: str
    ends: tuple[str, str]

    @override
    def __str__(self) -> str:
        return f"{self.hex} {self.ends[0]}-{self.ends[1]}"


class Remove(Value):
    """An operation of a track action: the last tile of the own incomplete connection goes back."""

    @override
    def __str__(self) -> str:
        return "remove"


Operation = Place | Remove


class Track(Move):
    keyword = "track"
    usage = "track HEX N-S; HEX N-SE"
    operations: tuple[Operation, ...]

    @override
    def __str__(self) -> str:
        return f"track {'; '.join(map(str, self.operations))}"


class Factory(Move):
    """Put a factory on a City; ``cubes`` is only said with the bonus, where it may be 4, 5 or 6."""

    keyword = "factory"
    usage = "factory CITY"
    city: str
    cubes: int | None = None


class Item(Value):
    """Where one cube comes from: a City and the owners who are paid on the way, or the bank (``None``)."""

    colour: str
    source: str | None
    over: tuple[Seat, ...] = ()

    @override
    def __str__(self) -> str:
        if self.source is None:
            return f"{self.colour} bank"
        return f"{self.colour} {self.source}" + (f" over {' '.join(self.over)}" if self.over else "")


class Contract(Move):
    """Fulfil a contract: the cheapest way, the ways of its cubes, or a line of the list that was sent."""

    keyword = "contract"
    usage = "contract N"
    number: int
    items: tuple[Item, ...] = ()
    option: int | None = None

    @override
    def __str__(self) -> str:
        if self.option is not None:
            return f"contract {self.number} option {self.option}"
        return f"contract {self.number}" + (f" {', '.join(map(str, self.items))}" if self.items else "")


class Draw(Move):
    """Draw two contracts; ``victim`` where the bag is empty and several hands qualify."""

    keyword = "draw"
    usage = "draw"
    victim: Seat | None = None

    @override
    def __str__(self) -> str:
        return "draw" + ("" if self.victim is None else f" from {self.victim}")


class Cash(Move):
    keyword = "cash"
    usage = "cash"


class Bonus(Move):
    """The bonus of the contract just fulfilled; ``None`` declines it."""

    keyword = "bonus"
    usage = "bonus ORDER"
    move: Track | Factory | Draw | None

    @override
    def __str__(self) -> str:
        return "bonus skip" if self.move is None else f"bonus {self.move}"
