"""Every place of every map described, in the middle of a game: sides in their order, closed ones said, each link told
at both of its ends."""

from functools import cache
from itertools import islice

import pytest

from pbem.engine import State, catalog, replace
from pbem.engine.position_text import COLUMNS, Fixed, Section, as_text, spoken
from pbem.language import reading
from pbem.language.voice import GameVoice
from pbem.rails import place_text
from pbem.rails.board import CLOSED
from pbem.rails.sheet import MapSheet
from tests.every_map.games import deal, every_sheet
from tests.every_map.position_texts import LANGUAGES, names_of
from tests.robot.games import game

ORDERS = 90
"""Of a game by robots; all have built by then."""

each_sheet = pytest.mark.parametrize("sheet", every_sheet())


@cache
def busy(sheet: MapSheet[object, object]) -> State:  # type: ignore[type-var]
    *_, state = islice(game(sheet, sheet.player_counts()[-1], 1, ()), ORDERS)
    return state


def lines(sheet: MapSheet[object, object], state: State, section: Section) -> tuple[str, ...]:  # type: ignore[type-var]
    (paragraph,) = spoken((section,), GameVoice(sheet, state, {}), ())
    return paragraph.lines


@each_sheet
def test_sides_are_said_clockwise_and_closed_ones_as_such(sheet: MapSheet[object, object]) -> None:  # type: ignore[type-var]
    state, board = busy(sheet), sheet.board
    nodes = [label for label in board.hexes if board.city_at.get(label, label) == label]
    for label in nodes:
        _, beside, *_ = sheet.place_words(state, sheet.to_act(state), label)
        said = dict(line.split(": ", 1) for line in lines(sheet, state, beside))
        hexes = board.cities[label].hexes if label in board.cities else (label,)
        outer = [
            (hex_, edge, beyond)
            for hex_ in hexes
            for edge, beyond in enumerate(board.neighbours[hex_])
            if beyond is None or beyond not in hexes
        ]
        names = board.directions
        assert list(said) == [names[edge] if len(hexes) == 1 else f"{hex_} {names[edge]}" for hex_, edge, _ in outer]
        for (hex_, edge, beyond), line in zip(outer, said.values(), strict=True):
            if beyond is None:
                assert line == place_text.OFF
            elif CLOSED.isdisjoint((board.hexes[hex_].terrain, board.hexes[beyond].terrain)):
                assert (f"; {place_text.SIDE}" in line) == (edge not in board.open_sides[hex_]), line
                assert beyond in line.split("; ")[0].replace(",", "").split()


@each_sheet
def test_every_link_is_told_at_both_ends_and_beside_them(sheet: MapSheet[object, object]) -> None:  # type: ignore[type-var]
    state = busy(sheet)
    net = sheet.net(state)
    nodes = {end for link in net.links for end in link.ends}
    assert nodes
    told = 0
    for node in nodes:
        _, beside, *others = sheet.place_words(state, None, node)
        at_node = [
            line for part in others if part.head == (Fixed(place_text.LINKS),) for line in lines(sheet, state, part)
        ]
        with_tiles = [line for line in at_node if f", {place_text.HEXES} " in line]
        assert len(with_tiles) == len(net.links_from(node))
        told += len(with_tiles)
        touching = [line for line in lines(sheet, state, beside) if f"; {place_text.TRACK}: " in line]
        assert touching
    assert told == 2 * len(net.links)


@pytest.mark.parametrize("code", LANGUAGES)
@each_sheet
def test_descriptions_fit_the_width_of_the_text(sheet: MapSheet[object, object], code: str) -> None:  # type: ignore[type-var]
    state = busy(sheet)
    names = names_of(state)
    with reading(code):
        for label in islice(sheet.board.hexes, 0, None, 5):
            sections = sheet.place_words(state, None, sheet.board.city_at.get(label, label))
            text = as_text(spoken(sections, GameVoice(sheet, state, names), names))
            assert max(map(len, text.splitlines())) <= COLUMNS


def said(slug: str, place: str, seat: str | None = None, **changed: object) -> str:
    sheet = catalog.sheet("age-of-steam", slug)
    state = replace(deal(sheet, 1), **changed)
    return as_text(spoken(sheet.place_words(state, seat, place), GameVoice(sheet, state, {}), ()))


MADEIRA, FERRY = "A10", "hex:9,5"


@pytest.mark.parametrize(
    ("slug", "place", "links", "line"),
    [
        ("heavy_cardboard", MADEIRA, {}, "Puerto Rico: ferry B9, price 6"),
        ("heavy_cardboard", "B9", {}, "Madeira, Puerto Rico: ferry B9, price 6"),
        ("heavy_cardboard", MADEIRA, {FERRY: "green"}, "Puerto Rico: green, ferry B9"),
        ("heavy_cardboard", "B9", {FERRY: "green"}, "Madeira, Puerto Rico: ferry B9, green"),
        ("finland", "AC4", {"public:1": None, "public:2": None}, "Helsinki: nobody, public link"),
        ("detroit", "M11", {}, "Downtown Detroit: direct link, price 6"),
    ],
)
def test_connections_without_tiles_are_said_with_price_or_owner(
    slug: str, place: str, links: dict[str, str | None], line: str
) -> None:
    assert line in said(slug, place, links=links).splitlines()


def test_land_that_is_closed_to_the_player_alone_is_said_to_that_player() -> None:
    sentence = "Only the Engineer builds on"
    seat = deal(catalog.sheet("age-of-steam", "france"), 1).order[0]
    assert sentence not in said("france", "P10")
    assert said("france", "P10", seat).replace("\n  ", " ").count(sentence) == 3
