"""What is counted on from tile to tile is what a count of the whole board finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import cast

import pytest

from pbem import catalog
from pbem.age_of_steam.building import Site
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.known_track import known, tiles_of, unfinished
from pbem.age_of_steam.phases.build_track import BuildTrack, site
from pbem.age_of_steam.placements import any_step, cities, steps
from pbem.age_of_steam.state import State
from pbem.engine.record import replay
from pbem.engine.values import replace
from pbem.rails.link_graph import LinkGraph
from tests.playthroughs.telling import GAMES, SUFFIX, load

KEPT = (
    "rust_belt-5-to-the-last-turn-2",
    "heavy_cardboard-4-to-the-last-turn",
    "switzerland-4-to-the-last-turn",
)
"""Kept games on a map without rules of its own, on one with ferries and on one with printed track."""


@pytest.fixture(params=KEPT)
def game(request: pytest.FixtureRequest) -> tuple[AgeOfSteam, Iterator[State]]:
    """A kept game with its positions as they come about."""
    record = load(GAMES / f"{request.param}{SUFFIX}").record
    sheet = catalog.sheet(record.game, record.map)
    assert isinstance(sheet, AgeOfSteam)
    return sheet, (cast(State, played.state) for played in replay(sheet, record))


def test_what_is_counted_on_is_what_lies_on_the_board(game: tuple[AgeOfSteam, Iterator[State]]) -> None:
    sheet, states = game
    tiles = chains = loose = 0
    for before, after in pairwise(states):
        if before.track == after.track:
            continue
        net = sheet.net(after)
        found, anew = known(net), net.laid(dict(after.track))
        if found.tiles is not None:
            assert found.tiles == tiles_of(anew, sheet.printed_track)
            tiles += 1
        for seat, most in found.most_chains.items():
            assert anew.number_of(seat) <= most
            chains += 1
        graph, whole = sheet.link_graph(after), LinkGraph(anew, sheet.special_links(after), alike=sheet.parallel_alike)
        for node in (*sheet.board.towns, *sheet.board.cities):
            assert Counter(graph.links_from(node)) == Counter(whole.links_from(node))
        for seat in found.loose:
            assert unfinished(net, seat) == [chain for chain in anew.chains_of(seat) if not chain.complete]
            loose += 1
    assert min(tiles, chains, loose) > 15


def test_somebody_is_asked_for_track_where_the_list_of_placements_has_one(
    game: tuple[AgeOfSteam, Iterator[State]],
) -> None:
    sheet, states = game
    asked = [state for state in states if isinstance(sheet.phase_of(state), BuildTrack) and not state.over]
    for state in asked[::7]:
        for seat in state.order[:2]:
            for cash in (0, 2, state.players[seat].cash):
                work: Site = replace(site(state, seat), state=state.with_player(seat, cash=cash))
                listed = next(cities(sheet, work), None) or next(steps(sheet, work), None)
                assert any_step(sheet, work) is (listed is not None)
