"""A finished game is stepped through on the spot: picture, caption, log and figures are of one position."""

import json
import re
from itertools import pairwise

import pytest

from pbem.engine.sheet import Column
from pbem.engine.text import say
from pbem.service.archive import records
from pbem.service.archive.course import Course, TurnEnd
from pbem.web.games.charts import APART, HEIGHT, charts
from tests.web.conftest import Played
from tests.web.site import Site


@pytest.fixture
def over(played: Played) -> Site:
    return played("over")


def test_every_part_of_the_page_is_of_the_order_in_its_address(over: Site) -> None:
    log = over.view().log
    for number in (1, len(log) // 2, over.view().version - 1):
        page = over.get(f"/games/{over.game}?at={number}")
        move = next(move for move in log if move.number == number)
        assert f"Order {number} of {over.view().version}: turn {move.turn}, " in page.text
        assert any(f"at={number}" in picture["src"] for picture in page.pictures)
        assert f"Turn {move.turn}" in page.headings
        assert page.link(f"at={number + 1}")


def test_the_phases_of_the_turn_lead_to_their_first_orders(over: Site) -> None:
    log = [move for move in over.view().log if move.turn == 3 and move.number > 0]
    first: dict[str, int] = {}
    for move in log:
        first.setdefault(move.phase, move.number)
    page = over.get(f"/games/{over.game}?at={log[-1].number}")
    phases = page.html.partition('aria-label="Phases of turn 3"')[2].partition("</ol>")[0]
    assert [int(number) for number in re.findall(r"at=(\d+)", phases)] == list(first.values())
    assert phases.count('aria-current="step"') == 1


def test_following_a_player_stops_at_the_orders_of_that_seat_alone(over: Site) -> None:
    view = over.view()
    seat = view.seats[1].seat
    own = [move.number for move in view.log if move.seat == seat and move.number > 0]
    page = over.get(f"/games/{over.game}?at={own[3]}&follow={seat}")
    assert page.link(f"at={own[4]}&follow={seat}")
    assert page.link(f"at={own[2]}&follow={seat}")
    shown = {int(number) for link in page.links for number in re.findall(r"at=(\d+)&follow", link)}
    turns = {move.turn: move.number for move in view.log if move.number > 0}
    assert shown <= {0, view.version, *own, *turns.values()}


@pytest.mark.parametrize("follow", ["nobody", "", "x" * 3000, "red&at=9", "<b>"])
def test_following_nobody_follows_everybody(over: Site, follow: str) -> None:
    answer = over.client.get(f"/games/{over.game}", query_string={"at": 3, "follow": follow})
    assert answer.status_code in (200, 400)
    assert "<b>" not in answer.text


def test_the_ends_of_a_game_lead_nowhere_beyond(over: Site) -> None:
    first, last = over.get(f"/games/{over.game}?at=0"), over.get(f"/games/{over.game}")
    assert "The board as dealt" in first.text
    assert not any("at=-1" in link for link in first.links)
    assert not any(f"at={over.view().version + 1}" in link for link in last.links)


def test_the_page_has_charts_with_their_figures_as_a_table_and_moments(over: Site) -> None:
    page = over.get(f"/games/{over.game}")
    assert "How it went" in page.headings
    assert "Points / Cash / Income / Shares / Engine" in page.text


def test_an_imported_game_states_no_times(over: Site) -> None:
    text = records.export(over.office, over.game)
    number = records.import_record(over.office, json.dumps(text), over.now)
    assert "played elsewhere" in over.get(f"/games/{number}").text
    listed = over.get("/archive").html.split("<li>")
    assert [("Played elsewhere." in line, "Ended " in line) for line in listed if f'/games/{number}"' in line] == [
        (True, False)
    ]
    assert [("Played elsewhere." in line, "Ended " in line) for line in listed if f'/games/{over.game}"' in line] == [
        (False, True)
    ]


HEAD = say("Points")


def _course(*rows: tuple[int | None, ...]) -> Course:
    seats = ("red", "blue", "green")
    turns = tuple(
        TurnEnd(turn, turn, {s: {"points": v} for s, v in zip(seats, row, strict=True) if v is not None}, {})
        for turn, row in enumerate(rows)
    )
    return Course((Column("points", HEAD),), turns)


def test_lines_rise_with_their_figures_and_marks_at_their_ends_stay_apart() -> None:
    (chart,) = charts(_course((0, 0, 0), (3, 4, 5), (20, 20, 21)), ("red", "blue", "green"))
    for line in chart.lines:
        heights = [y for _, y in line.points]
        assert all(above > below for above, below in pairwise(heights)), "higher figures lie further up"
    marks = sorted(line.mark for line in chart.lines)
    assert all(b - a >= APART for a, b in pairwise(marks))
    assert all(0 <= mark <= HEIGHT for mark in marks)


def test_who_is_out_has_a_shorter_line_that_says_so() -> None:
    (chart,) = charts(_course((0, 0, 0), (-3, 4, 5), (None, 8, 9)), ("red", "blue", "green"))
    red = next(line for line in chart.lines if line.seat == "red")
    assert red.out
    assert len(red.points) == 2
    assert [line.out for line in chart.lines if line.seat != "red"] == [False, False]


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 1), (-7, 3), (5, 5), (0, 999), (-40, 118), (12, 12345)])
def test_the_grid_is_round_and_holds_every_figure(low: int, high: int) -> None:
    (chart,) = charts(_course((low, low, low), (high, low, high)), ("red", "blue", "green"))
    values = [value for _, value in chart.grid]
    assert values[0] <= low <= high <= values[-1]
    assert 2 <= len(values) <= 7
    assert len({b - a for a, b in pairwise(values)}) == 1
