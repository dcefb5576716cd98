"""What a map keeps besides the state of the game changes its shape without the game."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine.chance import SeededChance
from pbem.engine.storage import BadState, Upgrade
from tests.age_of_steam.table import sheet_of


@dataclass(frozen=True)
class Ferries:
    """What a map keeps besides."""

    boats: int


class WithFerries(AgeOfSteam):
    __module__ = "maps.rust_belt.rules"  # its board lies there
    extra = Ferries


def boats(plain: dict[str, Any]) -> dict[str, Any]:
    """Once there was no more than a word."""
    plain["extra"] = {"boats": 1 if plain["extra"] == "ferry" else 0}
    return plain


class WithUpgrade(WithFerries):
    __module__ = "maps.rust_belt.rules"
    upgrades: ClassVar[tuple[Upgrade, ...]] = (boats,)


def test_a_map_changes_what_it_keeps_without_the_game() -> None:
    base, then, now = sheet_of("rust_belt"), WithFerries(), WithUpgrade()
    state = base.start(("blue", "green", "pink"), SeededChance(bytes(32), "deal"), {}).state
    stored = then.encode(state).replace(b'"extra":null', b'"extra":"ferry"')
    upgraded = now.decode(stored)
    assert upgraded.extra == Ferries(1)
    assert now.decode(now.encode(upgraded)) == upgraded
    assert b'"own":1' in now.encode(upgraded)
    with pytest.raises(BadState):
        then.decode(now.encode(upgraded))
