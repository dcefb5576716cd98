"""Two finished games of one map side by side."""

import json

import pytest

from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import write_record
from pbem.service.archive import records
from pbem.store.tables import Game
from tests.web.conftest import Played
from tests.web.site import Site


@pytest.fixture
def over(played: Played) -> Site:
    return played("over")


@pytest.fixture
def other(over: Site) -> str:
    """The same game once more, as a record from elsewhere."""
    record = records.export(over.office, over.game)
    return records.import_record(over.office, json.dumps({**record, "source": "A second game"}), over.now)


def test_both_games_are_shown_after_the_same_turn_and_stepped_through_together(over: Site, other: str) -> None:
    choice = over.get(f"/games/{over.game}/beside")
    page = over.get(f"{choice.link(f'with={other}')}&turn=2")
    after = {move.turn: move.number for move in over.view().log if move.number > 0}
    boards = [picture["src"] for picture in page.pictures if "board.png" in picture["src"]]
    assert boards == [f"/games/{game}/board.png?at={after[2]}" for game in (over.game, other)]
    assert {"Coal by post", "A second game"} <= set(page.headings)
    assert "end of turn 2" in page.text
    assert page.link("turn=1")
    assert page.link("turn=3")
    first = over.get(f"/games/{over.game}/beside?with={other}&turn=0")
    assert "as dealt" in first.text


def test_both_games_are_shown_after_the_same_order_and_stepped_through_one_by_one(over: Site, other: str) -> None:
    by_turn = over.get(f"/games/{over.game}/beside?with={other}&turn=2")
    end = next(move.number for move in reversed(over.view().log) if move.turn == 2)
    page = over.get(by_turn.link(f"order={end}"))
    assert f"after order {end}" in page.text
    following = over.get(page.link(f"order={end + 1}"))
    boards = [picture["src"] for picture in following.pictures if "board.png" in picture["src"]]
    assert boards == [f"/games/{game}/board.png?at={end + 1}" for game in (over.game, other)]
    assert over.get(page.link("turn=2")).text == by_turn.text
    last = over.view().latest
    beyond = over.get(f"/games/{over.game}/beside?with={other}&order=99999")
    assert f"Order {last} of {last}, turn " in beyond.text
    assert ": the end of the game." in beyond.text
    assert [link for link in beyond.links if f"order={last + 1}" in link] == []


@pytest.mark.parametrize("turn", ["", "99999", "-1", "x", "9" * 300])
def test_a_turn_that_is_none_is_answered(over: Site, other: str, turn: str) -> None:
    for by in ("turn", "order"):
        answer = over.client.get(f"/games/{over.game}/beside", query_string={"with": other, by: turn})
        assert answer.status_code in (200, 400)


def test_a_game_that_is_hidden_or_on_another_map_or_goes_on_is_not_shown(over: Site, other: str) -> None:
    record, _ = play(catalog.sheet("age-of-steam", "barbados"), 1, "a")
    elsewhere = records.import_record(over.office, json.dumps(write_record(record)), over.now)
    over.get(f"/games/{over.game}/beside?with={elsewhere}", 404)
    over.get(f"/games/{over.game}/beside?with=nothing", 404)
    with over.office.write() as session:
        session.get_one(Game, over.game).unlisted = True
    over.get(f"/games/{other}/beside?with={over.game}", 404)
    over.get(f"/games/{over.game}/beside?with={other}", 404)
