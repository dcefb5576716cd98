"""Letters about maps that people draw."""

from typing import Any

from typing_extensions import override

from pbem.engine import say
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import LetterKind, Timing


class MapWithdrawn(LetterKind):
    """The operator has withdrawn a map of the reader. ``name``: what it is called; ``reason``: why, in their words;
    ``key``: empty in letters written before it was known where the reader can answer."""

    kind, title = "map-withdrawn", say("your map was withdrawn")
    name: str
    reason: str
    key: str = ""

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"page": context.addresses.own_map(self.key) if self.key else context.addresses.my_maps()}


class MapReported(LetterKind):
    """A balance report has ended whose end the reader wanted to hear of. ``name``: what the map is called;
    ``number``: of the version; ``games``: how many are finished; ``failed``: robots could not play on."""

    kind, title = "map-report", say("your balance report")
    timing = Timing.ANY_HOUR
    name: str
    key: str
    number: int
    games: int
    failed: bool = False

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"page": context.addresses.balance(self.key, self.number)}
