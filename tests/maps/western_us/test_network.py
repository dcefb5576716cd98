"""Western U.S.: whatever is built, a railroad is one network until East and West are joined (R83)."""

import random

import pytest

from maps.western_us.rules import transcontinental
from pbem.engine.values import replace
from tests.age_of_steam.table import SIX, Table
from tests.maps.western_us.line import WEST, western

RICH = {"cash": 999, "action": "engineer"}
PLACEMENTS = 40


def parts(table: Table, seat: str) -> int:
    """How many pieces a railroad falls into: chains that share no City and no town."""
    networks: list[set[str]] = []
    for chain in WEST.net(table.state).chains:
        if chain.owner == seat:
            nodes = {end for end in chain.ends if end is not None}
            joined = [network for network in networks if network & nodes]
            networks = [network for network in networks if not network & nodes] + [nodes.union(*joined)]
    return len(networks)


def built(seed: int) -> Table:
    """Three rich players build by chance, mostly at their own open ends; checked after every placement."""
    luck = random.Random(seed)
    table = western(seats=SIX[:3], blue=RICH, green=RICH, yellow=RICH)
    start = table.state
    for _ in range(PLACEMENTS):
        if WEST.phase(table.state) != "build_track":
            table.state = replace(start, track=table.state.track, extra=table.state.extra)
        seat = table.asked or ""
        if WEST.question(table.state).form == "choices":
            table.play(seat, luck.choice(table.legal))
            continue
        ends = {hex_.label for hex_ in WEST.draft(table.state, []).hexes if hex_.own_end}
        offers = WEST.placements(table.state)
        growing = [order for order in offers if order.split()[1] in ends]
        more = "; more" if luck.random() < 0.7 else ""
        table.play(seat, luck.choice(growing or offers) + more)
        if not transcontinental(table.state).made:
            assert all(parts(table, player) <= 1 for player in SIX[:3])
    return table


@pytest.mark.parametrize("seed", range(3))
def test_random_building_keeps_every_railroad_in_one_piece(seed: int) -> None:
    """R83."""
    assert sum(len(segments) for segments in built(seed).state.track.values()) > PLACEMENTS // 2
