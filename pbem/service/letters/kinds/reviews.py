"""The letter about the review of a finished game."""

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from pbem.engine import say, say_from_json
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import LetterKind

FIRST = 3
"""The turn from which on chances tell something."""


class Reviewed(LetterKind):
    """A game of the reader has been reviewed, and something in it was clear.

    ``dearest`` and ``best``: the reader's dearest and best order, ``None`` where there was none: ``order``, ``turn``,
    ``points`` that it cost or brought, how far chance may have moved them (``give``), and the sentences of what was
    ``played`` and of the other order (``better``), as they are stored. ``course``: the chances to win in per cent by
    colour, from the start on, after every turn; empty where nobody knows them.
    """

    kind, title = "review", say("your review")
    dearest: dict[str, Any] | None = None
    best: dict[str, Any] | None = None
    course: tuple[dict[str, int], ...] = ()

    @override
    def values(self, context: Context) -> dict[str, Any]:
        told = self.dearest or self.best
        assert told is not None, "one of both is clear"
        mine = [chances[context.colour] for chances in self.course]
        turned = max(range(FIRST, len(mine)), key=lambda turn: abs(mine[turn] - mine[turn - 1]), default=0)
        return {
            "dearest": _read(self.dearest),
            "best": _read(self.best),
            "turn": context.view.sheet.unit.nth(turned or told["turn"]),
            "turned": turned,
            "mine": mine,
            "url": context.addresses.review(context.game.id),
            "account": f"{context.addresses.account()}#reviewed",
        }


def _read(stored: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if stored is None:
        return None
    said = {key: tuple(map(say_from_json, stored[key])) for key in ("played", "better")}
    return {**stored, **said}
