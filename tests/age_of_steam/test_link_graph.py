"""Links asked node by node are those of the whole board, and chains counted are chains followed."""

from collections import Counter

import pytest

from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.layout import LinkGraph
from pbem.age_of_steam.state import State
from pbem.engine import catalog, replace
from pbem.engine.record import replay
from pbem.rails.track import Link, net_of, owner_sets
from tests.playthroughs.telling import GAMES, SUFFIX, load

KEPT = (
    "rust_belt-5-to-the-last-turn-2",
    "germany-5-to-the-last-turn",
    "detroit-4-no-survivor",
    "heavy_cardboard-4-to-the-last-turn",
    "switzerland-4-to-the-last-turn",
    "finland-4-to-the-last-turn",
)
"""Kept games on one map without rules of its own, and on those with special links, large Cities, printed track or
zones."""
LINKS = 15
"""What a position of a game in its last turns has at least."""


def late(name: str) -> tuple[AgeOfSteam, State]:
    """The position of a kept game that has the most links."""
    record = load(GAMES / f"{name}{SUFFIX}").record
    sheet = catalog.sheet(record.game, record.map)
    assert isinstance(sheet, AgeOfSteam)
    states: list[State] = [played.state for played in replay(sheet, record)]
    latest = max(states, key=lambda state: len(sheet.links(state)))
    assert len(sheet.links(latest)) >= LINKS
    return sheet, latest


@pytest.fixture(scope="module", params=KEPT)
def game(request: pytest.FixtureRequest) -> tuple[AgeOfSteam, State]:
    return late(request.param)


def seen(link: Link) -> tuple[frozenset[str], str | None, frozenset[object], str | None]:
    """A link, whichever way it runs."""
    return frozenset(link.ends), link.owner, frozenset(link.pieces), link.id


def test_the_links_of_all_nodes_are_the_links_of_the_board_each_from_both_ends(game: tuple[AgeOfSteam, State]) -> None:
    sheet, state = game
    ways = LinkGraph(sheet.net(state), sheet.special_links(state), alike=False)
    nodes = {*sheet.net(state).cities.values(), *sheet.board.towns}
    from_nodes = Counter(seen(link) for node in nodes for link in ways.links_from(node))
    assert from_nodes == Counter(dict.fromkeys(map(seen, sheet.links(state)), 2))
    assert len(from_nodes) > 3


def test_a_link_runs_from_the_node_that_was_asked_and_its_pieces_too(game: tuple[AgeOfSteam, State]) -> None:
    sheet, state = game
    ways = sheet.link_graph(state)
    for node in {*sheet.net(state).cities.values(), *sheet.board.towns}:
        for link in ways.links_from(node):
            assert link.ends[0] == node
            assert link in ways.between(node, link.ends[1])
            if link.pieces:
                assert {node, *_beside(sheet, node)} & {link.pieces[0].hex}


def _beside(sheet: AgeOfSteam, node: str) -> set[str | None]:
    city = sheet.board.cities.get(node)
    return {beyond for hex_ in (city.hexes if city else (node,)) for beyond in sheet.board.neighbours[hex_]}


def test_of_parallel_links_of_one_owner_one_is_enough(game: tuple[AgeOfSteam, State]) -> None:
    """R49."""
    sheet, state = game
    every = LinkGraph(sheet.net(state), sheet.special_links(state), alike=False)
    alike = LinkGraph(sheet.net(state), sheet.special_links(state), alike=True)
    for node in {*sheet.net(state).cities.values(), *sheet.board.towns}:
        kept = [(link.ends[1], link.owner) for link in alike.links_from(node)]
        assert kept == list(dict.fromkeys((link.ends[1], link.owner) for link in every.links_from(node)))


def test_no_link_leaves_a_hex_that_is_no_node(game: tuple[AgeOfSteam, State]) -> None:
    sheet, state = game
    plain = set(sheet.board.hexes) - set(sheet.net(state).cities) - set(sheet.board.towns)
    assert not any(sheet.link_graph(state).links_from(label) for label in plain)


def test_the_chains_of_an_owner_are_counted_and_found_without_those_of_others(game: tuple[AgeOfSteam, State]) -> None:
    sheet, state = game
    net = sheet.net(state)
    every = net.chains
    for owner in (*state.seats, None):
        own = [chain for chain in every if chain.owner == owner]
        assert net.chains_of(owner) == own
        assert net.number_of(owner) == len(own)


def test_equal_tracks_have_the_same_net_and_others_another(game: tuple[AgeOfSteam, State]) -> None:
    """However they came about: tests and a server that reads every state anew have what is found once alike."""
    sheet, state = game
    net, cities = sheet.net(state), tuple(state.new_cities.values())
    assert net_of({**state.track}, sheet.board, cities) is net
    assert sheet.net(sheet.decode(sheet.encode(state))) is net
    assert sheet.net(replace(state, new_cities={})) is not net
    hex_, *others = state.track
    fewer = replace(state, track={label: state.track[label] for label in others})
    pieces = {piece for chain in sheet.net(fewer).chains for piece in chain.pieces}
    assert pieces == {piece for chain in net.chains for piece in chain.pieces if piece.hex != hex_}
    assert sheet.net(state).chains is net.chains


def test_the_net_of_a_track_has_its_order(game: tuple[AgeOfSteam, State]) -> None:
    """Sections are told in the order of the track: what another process finds of it must not differ."""
    sheet, state = game
    cities = tuple(state.new_cities.values())
    reversed_ = {hex_: state.track[hex_] for hex_ in reversed(list(state.track))}
    assert list(net_of(state.track, sheet.board, cities).track) == list(state.track)
    assert list(net_of(reversed_, sheet.board, cities).track) == list(reversed_)


def test_smallest_sets_are_found_over_rings_and_without_owners() -> None:
    """R85: a way round costs no more owners, a link of nobody none."""
    links = [
        Link(("w", "a"), "blue"),
        Link(("a", "b"), "green"),
        Link(("a", "b"), None),
        Link(("b", "w"), "pink"),
        Link(("b", "e"), "blue"),
    ]
    assert owner_sets(links, ["w"], ["e"]) == {frozenset({"blue"})}
    assert owner_sets(links[:1], ["w"], ["e"]) == set()
    assert owner_sets([Link(("w", "e"), None)], ["w"], ["e"]) == {frozenset()}


def test_sets_of_which_none_holds_another_are_all_found() -> None:
    """R85: the player who completes the connection chooses among them."""
    links = [Link(("w", "a"), "blue"), Link(("a", "e"), "green"), Link(("a", "f"), "pink")]
    assert owner_sets(links, ["w"], ["e", "f"]) == {frozenset({"blue", "green"}), frozenset({"blue", "pink"})}
