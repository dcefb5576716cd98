"""Letters about maps that people draw."""

from typing import Any

from typing_extensions import override

from pbem.engine.text import say
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import LetterKind


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
