"""The lists of legal placements are complete and right: held against an oracle that works them out once more."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import cast

import pytest

from pbem import robot
from pbem.age_of_steam.building import Site
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases.build_track import BuildTrack, site
from pbem.age_of_steam.placements import any_step, cities, steps, steps_at
from pbem.age_of_steam.state import State
from pbem.engine import catalog, replace
from pbem.engine.record import replay
from tests.age_of_steam.oracle import Offer, Oracle
from tests.age_of_steam.table import RUST_BELT, Table, position
from tests.playthroughs.telling import GAMES, SUFFIX, load
from tests.tracing import Tracing

RICH = 1_000
"""Dollars with which nothing is left out for its price."""


def listed(work: Site, hex_: str) -> Counter[Offer]:
    """What the game lists for a hex, as the track of the board and the price."""
    found = Counter[Offer]()
    for _, laid in steps_at(RUST_BELT, work, hex_):
        track = Tracing(RUST_BELT.board, RUST_BELT.position(laid.site.state)).owner
        found[Offer(frozenset(track.items()), laid.site.prices[-1])] += 1
    return found


def crowded(number: int) -> Iterator[State]:
    """Build turns of a game in which everybody builds any legal tile, a third of them in thought only."""
    luck, table = random.Random(number), Table.deal(3 + number % 4, seed=number)
    while not table.state.over and table.state.turn < 6:
        seat, state = table.asked or "", table.state
        if state.phase == "build_track":
            rich = state.with_player(seat, cash=RICH)
            if luck.random() < 0.3:
                yield rich
            offers = RUST_BELT.placements(rich)
            table.state = rich
            table.play(seat, f"{luck.choice(offers)}; more" if offers and luck.random() < 0.85 else "build nothing")
            table.state = table.state.with_player(seat, cash=60)
        else:
            table.play(seat, robot.choose(RUST_BELT, state, luck))


@pytest.mark.parametrize("number", range(4))
def test_the_lists_agree_with_the_oracle(number: int) -> None:
    """7.2 to 7.8: every hex of the board, every tile, its price and who owns what afterwards."""
    luck, compared = random.Random(number), 0
    for state in crowded(number):
        work = site(state, RUST_BELT.to_act(state) or "")
        oracle = Oracle(RUST_BELT.board, RUST_BELT.position(state), work.seat)
        busy = [label for label in RUST_BELT.board.hexes if _near(state, label)]
        for hex_ in luck.sample(busy, min(12, len(busy))):
            expected, found = Counter(oracle.offers(hex_)), listed(work, hex_)
            assert found == expected, f"{hex_}: {_told(found - expected, hex_)} / {_told(expected - found, hex_)}"
            compared += found.total()
    assert compared > 100, "too little was compared to mean anything"


def _near(state: State, label: str) -> bool:
    """Hexes with track and those beside track: where there is something to judge."""
    around = (label, *RUST_BELT.board.neighbours[label])
    return any(hex_ in state.track for hex_ in around)


def _told(offers: Counter[Offer], hex_: str) -> list[object]:
    return [([sorted(p[1]) for p, _ in offer.track if p[0] == hex_], offer.price) for offer in offers]


def test_two_segments_may_swap_sides_where_no_other_side_is_left() -> None:
    """R30: by the lake north of Toronto no third side is open, so both can only change places."""
    track = {"A16": "blue S-SW", "B15": "blue NE-SW; blue SE-S"}
    table = Table(position(track=track))
    assert {step for step in table.steps if step.startswith("B15")} == {"B15 NE-S,SE-SW"}
    table.play("blue", "build B15 NE-S,SE-SW; more")
    assert table.paid("blue", "build nothing") == 2


def test_the_oracle_lists_what_anybody_can_count() -> None:
    """South-east of Des Moines, on an empty board: one track from the City to each of the five other sides."""
    state = position()
    offers = list(Oracle(RUST_BELT.board, RUST_BELT.position(state), "blue").offers("P3"))
    assert sorted(offer.price for offer in offers) == [2] * 5


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


def test_who_has_a_placement_in_the_list_is_asked_for_track(game: tuple[AgeOfSteam, Iterator[State]]) -> None:
    sheet, states = game
    asked = [state for state in states if isinstance(sheet.phase_of(state), BuildTrack) and not state.over]
    for state in asked[::7]:
        for seat in state.order[:2]:
            for cash in (0, 2, state.players[seat].cash):
                work: Site = replace(site(state, seat), state=state.with_player(seat, cash=cash))
                listed = next(cities(sheet, work), None) or next(steps(sheet, work), None)
                assert any_step(sheet, work) is (listed is not None)
