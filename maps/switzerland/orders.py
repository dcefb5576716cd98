"""The order that only Switzerland has."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.age_of_steam.notation import single
from pbem.engine.moves import Move


@dataclass(frozen=True, slots=True)
class BuyBack(Move):
    keyword = "buyback"
    usage = "buyback"


BUY_BACK = {"buyback": single(BuyBack, "buyback")}
