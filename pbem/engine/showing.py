"""What of a game is open to everybody while it runs: its record without the seed and without what is hidden.

Such a record can be replayed. What it hides is made up then, so that every position agrees in all that is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pbem.engine.chance import ASKED_FIRST, Draw, LoadedChance, contents

if TYPE_CHECKING:  # records are replayed with what stands here
    from pbem.engine.record import Record
    from pbem.engine.sheet import Sheet


def running(sheet: Sheet, record: Record, dealt: Mapping[str, Any]) -> Record:
    """What may be seen of a record while its game runs; ``dealt`` is the position after the deal.

    The opening tells the deal. Where a game has secrets, it is joined by the draws of the deal that are none.
    """
    deal = _open(record.deal or (), sheet.secret_draws) if sheet.secret_draws else None
    turns = tuple(
        entry if entry.chance is None else replace(entry, chance=_open(entry.chance, sheet.secret_draws))
        for entry in record.turns
    )
    return replace(record, seed=b"", deal=deal, opening=sheet.opening(dealt), turns=turns, result=())


def _open(draws: Iterable[Draw], secret: frozenset[str]) -> tuple[Draw, ...]:
    return tuple(draw for draw in draws if draw.get("for") not in secret)


@dataclass(slots=True)
class ShownChance:
    """Plays back the draws that a record shows; draws for ``hidden`` purposes are made up.

    Every purpose has its own order: an opening can make the rules pass a recorded draw over.
    """

    draws: Sequence[Draw]
    hidden: frozenset[str]

    def dice(self, purpose: str, count: int) -> tuple[int, ...]:
        return self._next(purpose).dice(purpose, count)

    def draw(self, purpose: str, bag: Mapping[str, int], count: int) -> tuple[str, ...]:
        if purpose in self.hidden:
            return tuple(contents(bag)[:count])
        return self._next(purpose).draw(purpose, bag, count)

    def order(self, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        return self._next(purpose).order(purpose, items)

    def asks_first(self, seat: str) -> bool:
        return any(draw.get("for") == ASKED_FIRST and draw.get("order") == [seat] for draw in self.draws)

    def _next(self, purpose: str) -> LoadedChance:
        """The first draw for a purpose that was not played back yet."""
        found = next((draw for draw in self.draws if draw.get("for") == purpose), None)
        self.draws = [draw for draw in self.draws if draw is not found]
        return LoadedChance([] if found is None else [found])
