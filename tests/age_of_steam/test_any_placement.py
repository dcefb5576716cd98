"""Whether somebody is asked for track at all, which is looked for where it is found soonest."""

from collections.abc import Iterator
from typing import cast

import pytest

from pbem.age_of_steam.building import Site
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases.build_track import BuildTrack, site
from pbem.age_of_steam.placements import any_step, cities, steps
from pbem.age_of_steam.state import State
from pbem.engine import catalog
from pbem.engine.record import replay
from pbem.engine.values import replace
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
