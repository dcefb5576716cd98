"""New links that a player can pay for: legal, at their price, and with what the rules let them carry this turn."""

from collections.abc import Iterator
from itertools import islice, pairwise

import pytest

from pbem.engine import Sheet, State, catalog
from pbem.rails.board import Label
from pbem.rails.builder import builder_of
from pbem.rails.track import RouteChoice
from pbem.robot.links import LinkProposal, new_links, proposals
from pbem.robot.trying import after, purse
from tests.robot.games import game

EVERY, MOST = 5, 7
"""Of the builds of a game one in so many is looked at, and so many of them at most."""
AGE_OF_STEAM = [
    ("rust_belt", 4), ("france", 3), ("detroit", 3), ("western_us", 3), ("pittsburgh", 3), ("germany", 3),
    ("barbados", 1), ("st_lucia", 2),
]  # fmt: skip
STEAM_POWER = [("ireland", 3), ("northern_england_solo", 1)]


def building(sheet: Sheet, players: int, every: int = EVERY) -> Iterator[tuple[State, str]]:
    """Positions of a game of robots in which track is asked for, and of whom."""
    states = game(sheet, players, 2, ())
    asked = (state for state in states if not sheet.over(state) and sheet.placements(state))
    for state in islice(asked, every - 1, EVERY * MOST, every):
        yield state, sheet.to_act(state) or ""


def completed(sheet: Sheet, state: State) -> set[frozenset[Label | None]]:
    """The places that a link joins, whoever owns it."""
    scene = sheet.scene(state)
    bought = {frozenset(link.joins) for link in scene.links if link.owner is not None}
    return bought | {frozenset(chain.ends) for chain in scene.chains if chain.complete}


def spent(sheet: Sheet, state: State, seat: str, link: LinkProposal) -> tuple[State, int]:
    """The position after a proposal, and what it cost."""
    then = after(sheet, state, seat, link.order)
    assert then is not None, link
    return then, purse(sheet, state, seat).cash - purse(sheet, then, seat).cash


def rides(sheet: Sheet, before: State, then: State, seat: str) -> list[int]:
    """Own income of every delivery of this turn that goes over track which was not there before."""

    def track(state: State) -> set[tuple[Label, int, int]]:
        return {(label, one.a, one.b) for label, laid in sheet.scene(state).track.items() for one in laid}

    asked = sheet.asked_ahead(then, seat, "move_goods.1")
    new = track(then) - track(before)
    choices = () if asked is None else sheet.question(asked).choices
    return [
        choice.gains.get(seat, 0)
        for choice in choices
        if isinstance(choice, RouteChoice) and not new.isdisjoint(choice.pieces)
    ]


@pytest.mark.parametrize(("slug", "players"), AGE_OF_STEAM)
def test_links_are_legal_join_their_places_and_carry_what_they_say(slug: str, players: int) -> None:
    sheet, found, gaining = catalog.sheet("age-of-steam", slug), 0, 0
    for state, seat in building(sheet, players):
        links = proposals(sheet, state, seat)
        assert len({frozenset(link.ends) for link in links}) == len(links), "one for every pair of places"
        for link in links[::3]:
            assert link.order == str(sheet.parse(state, link.order, {})[0]), "as it is typed"
            then, price = spent(sheet, state, seat, link)
            assert link.price == price <= purse(sheet, state, seat).cash
            hops = pairwise((link.ends[0], *link.through, link.ends[1]))
            assert {frozenset(hop) for hop in hops} <= completed(sheet, then), link
            draft = builder_of(sheet).draft(state, link.steps)
            assert (draft.problem, draft.price, draft.order) == (None, price, link.order)
            assert draft.placed == link.tiles <= draft.limit
            if "link " not in link.order:
                assert link.gain == max(rides(sheet, state, then, seat), default=0), link
            assert (link.gain == 0) == (link.cube is None)
            found, gaining = found + 1, gaining + bool(link.gain)
    assert found > 3
    assert gaining or slug in ("barbados", "st_lucia")


@pytest.mark.parametrize(("slug", "players"), STEAM_POWER)
def test_connections_are_legal_and_tell_the_contract_they_pay_for(slug: str, players: int) -> None:
    sheet, found, paying = catalog.sheet("steam-power", slug), 0, 0
    for state, seat in building(sheet, players):
        before = {card.order: card for card in sheet.cards(state, seat)}
        for link in proposals(sheet, state, seat):
            then, price = spent(sheet, state, seat, link)
            assert link.price == price
            assert len(completed(sheet, then) | {frozenset(link.ends)}) == len(completed(sheet, then)), link
            draft = builder_of(sheet).draft(state, link.steps)
            assert (draft.problem, draft.order, draft.placed) == (None, link.order, link.tiles)
            if link.contract is not None:
                after_it = {card.order: card for card in sheet.cards(then, seat)}
                card = after_it[link.contract.order]
                assert card.short == 0
                assert card.price < before[card.order].price
                paying += 1
            found += 1
    assert found > 20
    assert paying


def test_with_a_new_city_links_to_it_are_among_them() -> None:
    sheet, seen = catalog.sheet("age-of-steam", "rust_belt"), 0
    for state, seat in building(sheet, 4, 1):
        cities = builder_of(sheet).draft(state, ()).new_cities
        if not cities:
            continue
        city, town, _ = cities[0].towns[0]
        links = proposals(sheet, state, seat, (city,))
        for link in links:
            assert link.steps[0] == city
            then, price = spent(sheet, state, seat, link)
            assert link.price == price
            assert frozenset(link.ends) in completed(sheet, then) or link.through
            seen += town in link.ends
        if seen:
            return
    raise AssertionError("nobody could build a link to a New City")


@pytest.mark.parametrize(("slug", "players"), AGE_OF_STEAM)
def test_a_build_goes_on_with_further_links_within_the_tiles_and_the_money_that_are_left(
    slug: str, players: int
) -> None:
    sheet, found = catalog.sheet("age-of-steam", slug), 0
    for state, seat in building(sheet, players, 4):
        for begun in proposals(sheet, state, seat, cheapest=True)[:2]:
            for link in proposals(sheet, state, seat, begun.steps)[::3]:
                assert link.steps[: len(begun.steps)] == begun.steps
                then, price = spent(sheet, state, seat, link)
                assert begun.price + link.price == price
                assert {frozenset(begun.ends), frozenset(link.ends)} & completed(sheet, then)
                draft = builder_of(sheet).draft(state, link.steps)
                assert (draft.problem, draft.placed) == (None, begun.tiles + link.tiles)
                found += 1
    assert found or slug == "st_lucia"


def test_the_best_come_first_or_the_cheapest() -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    state, seat = next(islice(building(sheet, 4), 3, None))
    best, cheapest = proposals(sheet, state, seat), proposals(sheet, state, seat, cheapest=True)
    assert [-(link.gain or 0) for link in best] == sorted(-(link.gain or 0) for link in best)
    assert [link.price for link in cheapest] == sorted(link.price for link in cheapest)
    assert set(best) == set(cheapest)


@pytest.mark.parametrize(("slug", "players"), AGE_OF_STEAM)
def test_emails_have_the_cheapest_of_the_links_of_the_page(slug: str, players: int) -> None:
    sheet = catalog.sheet("age-of-steam", slug)
    for state, seat in islice(building(sheet, players), 3):
        few = list(islice(new_links(sheet, state, seat), 8))
        assert [link.price for link in few] == [link.price for link in proposals(sheet, state, seat, cheapest=True)[:8]]
        assert {link.order for link in few} <= {link.order for link in proposals(sheet, state, seat)}
