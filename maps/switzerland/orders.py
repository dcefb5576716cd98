"""The order that only Switzerland has."""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override

from pbem.age_of_steam.notation_turn import single
from pbem.engine.moves import Move


@dataclass(frozen=True, slots=True)
class BuyBack(Move):
    """Buy back one share."""

    keyword = "buyback"
    usage = "buyback"

    @override
    def __str__(self) -> str:
        return "buyback"


BUY_BACK = {"buyback": single(BuyBack, "buyback")}
