"""A robot that answers on pages."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, cast

from pbem.demo.onlooker import Onlooker
from pbem.demo.player import Links, Player
from pbem.engine import catalog
from pbem.engine.chance import SeededChance


def test_who_cannot_imagine_the_position_and_is_offered_nothing_orders_what_is_played_when_time_ends() -> None:
    sheet = catalog.sheet("steam-power", "ireland")
    state = sheet.start(sheet.colours[:3], SeededChance(bytes(32), "deal"), {}).state
    onlooker = cast("Onlooker", SimpleNamespace(sheet=sheet, state=state, imagine=lambda _: None))
    player = Player("Ana", "ana@example.org", "http://127.0.0.1:9", random.Random(1))
    asked: dict[str, Any] = {"legal": None, "seat": sheet.colours[0]}
    assert player._order(asked, onlooker, Links("", {}), ahead=False) == str(sheet.default(state))
    assert player._order(asked, onlooker, Links("", {"cash": "x"}), ahead=False) == "cash"
    player.close()
