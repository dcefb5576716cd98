"""What of a game is open to everybody while it runs: its record without the seed and without what is hidden.

Such a record can be replayed. What it hides is made up then, so that every position agrees in all that is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pbem.engine.chance import Draw
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
