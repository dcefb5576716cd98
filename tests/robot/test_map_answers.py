"""Places of the board explained: ways hold together and add up, deliveries are legal, and any text has an answer."""

from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine import Place, Say, catalog
from pbem.engine.chance import SeededChance
from pbem.robot.links import ways_of
from pbem.robot.map_answers import MapAnswer, map_answer
from pbem.robot.trying import after, purse
from tests.robot.games import game

RUST_BELT = catalog.sheet("age-of-steam", "rust_belt")
DEALT = RUST_BELT.start(RUST_BELT.colours[:4], SeededChance(bytes(32), "deal"), {}).state
SEAT = RUST_BELT.to_act(DEALT) or ""
GAMES = [("age-of-steam", "rust_belt", 4), ("age-of-steam", "barbados", 1), ("steam-power", "ireland", 3)]


def head(answer: MapAnswer) -> Say:
    """The one sentence of an answer that has no sections about a place."""
    ((sentence,),) = (section.head for section in answer.sections)
    assert isinstance(sentence, Say)
    return sentence


def places(answer: MapAnswer) -> list[tuple[object, object]]:
    """The two ends of every leg."""
    ends = []
    for choice in answer.choices:
        values = choice.title.values
        link = values.get("link")
        of = link.values if isinstance(link, Say) else values
        ends.append((of["a"], of["b"]))
    return ends


@pytest.mark.parametrize(("name", "slug", "players"), GAMES)
def test_the_legs_of_a_way_hang_together_and_add_up(name: str, slug: str, players: int) -> None:
    sheet, seen = catalog.sheet(name, slug), 0
    states = game(sheet, players, 2, ())
    for state in islice((state for state in states if not sheet.over(state) and sheet.placements(state)), 0, 40, 8):
        seat = sheet.to_act(state) or ""
        labels = [plate.label for plate in sheet.scene(state).cities]
        prices = {way.order: (way.price, way.tiles) for way in ways_of(sheet, state, seat)}
        for a, b in [(labels[0], labels[-1]), (labels[1], labels[-2])]:
            found = map_answer(sheet, state, seat, f"link {a} to {b}")
            if not found.choices:
                continue
            legs = places(found)
            assert {Place(a), Place(b)} <= {end for leg in legs for end in leg}
            assert all({*one} & {*other} for one, other in pairwise(legs)), legs
            new = [prices[choice.order] for choice in found.choices if choice.order]
            assert sum(price for price, _ in new) == head(found).values["price"]
            assert sum(tiles for _, tiles in new) == head(found).values["tiles"]
            seen += 1
    assert seen


@pytest.mark.parametrize("slug", ["france", "heavy_cardboard", "hungary", "southern_us", "switzerland"])
def test_new_links_of_a_way_within_the_money_can_be_built(slug: str) -> None:
    sheet, tried = catalog.sheet("age-of-steam", slug), 0
    states = game(sheet, sheet.player_counts()[-1], 3, ())
    building = (state for state in states if not sheet.over(state) and sheet.phase(state) == "build_track")
    for state in islice(building, 0, 12, 3):
        seat, names = sheet.to_act(state) or "", list(sheet.place_names(state))
        for a, b in zip(names[::3], names[1::3], strict=False):
            for choice in map_answer(sheet, state, seat, f"link {a} to {b}").choices:
                link = choice.title.values
                if choice.order and int(str(link["price"])) <= purse(sheet, state, seat).cash:
                    assert after(sheet, state, seat, choice.order) is not None, choice.order
                    tried += 1
    assert tried


def test_what_reaches_a_place_is_delivered_there_once_for_each_cube() -> None:
    states = game(RUST_BELT, 4, 2, ())
    asked = (state for state in states if not RUST_BELT.over(state) and RUST_BELT.phase(state) == "move_goods")
    seen = 0
    for state in islice(asked, 6):
        seat = RUST_BELT.to_act(state) or ""
        for plate in RUST_BELT.scene(state).cities:
            found = map_answer(RUST_BELT, state, seat, f"reach {plate.name}")
            for choice in found.choices:
                assert choice.order.rpartition("> ")[2].partition("(")[0] == plate.label
                assert after(RUST_BELT, state, seat, choice.order) is not None
            starts = [tuple(choice.order.split()[1:3]) for choice in found.choices]
            assert len(set(starts)) == len(starts)
            seen += len(starts)
    assert seen


@pytest.mark.parametrize(
    "line",
    ["describe", "describe Atlantis", "describe Z99", "describe A, B and C", "describe " + "x" * 10_000, "link",
     "reach", "link Chicago", "link to", "link Chicago to Chicago", "link Chicago to Atlantis", "reach 99",
     "reach " + "x" * 10_000, "link " + "to " * 3_000, "reach K12", "link a to a to a"],
)  # fmt: skip
def test_what_cannot_be_explained_has_a_sentence(line: str) -> None:
    assert str(head(map_answer(RUST_BELT, DEALT, SEAT, line)))


@pytest.mark.parametrize("line", ["map", "Map.", "MAP"])
def test_the_whole_board_is_one_answer(line: str) -> None:
    assert map_answer(RUST_BELT, DEALT, SEAT, line).sections == RUST_BELT.board_words()


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_text_has_an_answer(text: str) -> None:
    for word in ("describe", "link", "reach"):
        assert map_answer(RUST_BELT, DEALT, SEAT, f"{word} {text}").sections
