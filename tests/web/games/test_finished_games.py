"""Pages of finished games: two beside each other, one stepped through, and what people say about it."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from sqlalchemy import select

from pbem.cli.play import play
from pbem.engine import catalog, say
from pbem.engine.overview import Column
from pbem.engine.record import write_record
from pbem.service import BadInput, NoSuch, NotNow, Office
from pbem.service.archive import records
from pbem.service.archive.course import Course, TurnEnd
from pbem.service.base.rate_limits import REMARKS, TooMuch
from pbem.service.games import account_deletion, remarks
from pbem.service.games.remarks import LONGEST, MOST_HERE, MOST_OF_ONE, NewRemark
from pbem.store.tables import Game, Remark
from pbem.web.games.charts import APART, HEIGHT, chart, charts
from tests.web.addresses import BASE
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

# two games beside each other ---------------------------------------------------------------------------------


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


def test_a_game_that_is_hidden_or_on_another_map_or_goes_on_is_not_shown(over: Site, other: str) -> None:
    record, _ = play(catalog.sheet("age-of-steam", "barbados"), 1, "a")
    elsewhere = records.import_record(over.office, json.dumps(write_record(record)), over.now)
    over.get(f"/games/{over.game}/beside?with={elsewhere}", 404)
    over.get(f"/games/{over.game}/beside?with=nothing", 404)
    with over.office.write() as session:
        session.get_one(Game, over.game).unlisted = True
    over.get(f"/games/{other}/beside?with={over.game}", 404)
    over.get(f"/games/{over.game}/beside?with={other}", 404)


# stepping through --------------------------------------------------------------------------------------------


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


def test_who_is_alone_above_keeps_the_mark_beside_the_line_when_many_end_below() -> None:
    series = {seat: [20, 0] for seat in ("red", "blue", "green", "yellow")} | {"pink": [20, 100]}
    drawn = chart(say("Chances to win"), series, [0, 1])
    marks = {line.seat: line.mark for line in drawn.lines}
    assert marks.pop("pink") == next(line.y for line in drawn.lines if line.seat == "pink")
    assert all(b - a == APART for a, b in pairwise(sorted(marks.values())))
    assert all(0 <= mark <= HEIGHT for mark in marks.values())


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 1), (-7, 3), (5, 5), (0, 999), (-40, 118), (12, 12345)])
def test_the_grid_is_round_and_holds_every_figure(low: int, high: int) -> None:
    (chart,) = charts(_course((low, low, low), (high, low, high)), ("red", "blue", "green"))
    values = [value for _, value in chart.grid]
    assert values[0] <= low <= high <= values[-1]
    assert 2 <= len(values) <= 7
    assert len({b - a for a, b in pairwise(values)}) == 1


# remarks -----------------------------------------------------------------------------------------------------


@pytest.fixture
def stranger(over: Site) -> int:
    """Somebody who does not play in the game."""
    return over.account("Eva")


def texts(site: Site, account: int | None) -> list[tuple[int, str]]:
    return [(remark.number, remark.text) for remark in remarks.of_game(site.office, site.game, account)]


def test_a_shared_remark_is_seen_at_its_position_and_a_private_one_by_its_author_alone(over: Site) -> None:
    over.log_in(0)
    page = f"/games/{over.game}?at=5"
    shown = Page(over.client.get(page, base_url=BASE).text)
    form = next(form for form in shown.posts if form.action.endswith("/remarks"))
    fields = {**form.hidden, "do": "keep", "remark": "Here <b>it</b> was lost."}
    over.client.post(form.action, data={**fields, "shared": "1"}, base_url=BASE)
    sent = over.client.post(form.action, data={**fields, "remark": "Remember this."}, base_url=BASE)
    assert sent.headers["Location"].endswith("at=5#remarks")
    own = Page(over.client.get(page, base_url=BASE).text)
    assert "Here <b>it</b> was lost." in own.text
    assert "Remember this." in own.text
    guest = over.app.test_client()
    there, elsewhere = guest.get(page).text, guest.get(f"/games/{over.game}?at=6").text
    assert "it&lt;/b&gt; was lost" in there
    assert "was lost" not in elsewhere
    assert 'at=5">order 5</a>' in elsewhere
    assert "Remember this" not in there


def test_a_form_of_another_site_and_a_guest_write_nothing(over: Site) -> None:
    fields = {"at": "5", "do": "keep", "remark": "x", "shared": "1"}
    path = f"/games/{over.game}/remarks"
    assert over.client.post(path, data=fields).headers["Location"].startswith("/login")
    over.log_in(0)
    assert over.client.post(path, data={**fields, "mark": "0" * 32}, base_url=BASE).status_code == 403
    assert texts(over, None) == []


@pytest.mark.parametrize(
    ("number", "text", "shared"),
    [(5, "x" * (LONGEST + 1), True), (5, "  ", True), (100_000, "beyond", False), (5, "\n" * 90 + "x\n" * 90, False)],
)
def test_what_is_too_long_or_nowhere_is_not_kept(over: Site, number: int, text: str, shared: bool) -> None:
    with pytest.raises(BadInput):
        remarks.write(over.office, over.game, over.host, NewRemark(number, text, shared), over.now)


def test_a_running_game_has_no_remarks(site: Site) -> None:
    with pytest.raises(NotNow):
        remarks.write(site.office, site.game, site.host, NewRemark(0, "", shared=False), site.now)


def test_nobody_fills_a_page(over: Site, stranger: int) -> None:
    for number in range(MOST_HERE):
        remarks.write(over.office, over.game, stranger, NewRemark(3, str(number), shared=True), over.now)
    with pytest.raises(NotNow):
        remarks.write(over.office, over.game, over.host, NewRemark(3, "one more", shared=True), over.now)
    for number in range(MOST_OF_ONE - MOST_HERE):
        remarks.write(over.office, over.game, stranger, NewRemark(number, "", shared=False), over.now)
    with pytest.raises(NotNow):
        remarks.write(over.office, over.game, stranger, NewRemark(3, "", shared=False), over.now)


def test_one_account_writes_so_many_in_an_hour(over: Site, stranger: int) -> None:
    limited: Office = replace(over.office, settings=replace(over.office.settings, rate_limits=True))
    for _ in range(REMARKS.most):
        remarks.write(limited, over.game, stranger, NewRemark(3, "", shared=False), over.now)
        mine = remarks.of_game(limited, over.game, stranger)
        remarks.remove(limited, over.game, stranger, mine[0].id, over.now)
    with pytest.raises(TooMuch):
        remarks.write(limited, over.game, stranger, NewRemark(3, "", shared=False), over.now)


def test_authors_and_the_players_of_the_game_remove_remarks_and_nobody_else(over: Site, stranger: int) -> None:
    other = over.account("Finn")
    remarks.write(over.office, over.game, stranger, NewRemark(3, "rude", shared=True), over.now)
    remarks.write(over.office, over.game, stranger, NewRemark(3, "secret", shared=False), over.now)
    shared, private = remarks.of_game(over.office, over.game, stranger)
    for account, number in ((other, shared.id), (over.host, private.id), (other, 10_000)):
        with pytest.raises(NoSuch):
            remarks.remove(over.office, over.game, account, number, over.now)
    remarks.remove(over.office, over.game, over.host, shared.id, over.now)
    remarks.remove(over.office, over.game, stranger, private.id, over.now)
    assert texts(over, stranger) == []


def test_remarks_go_with_the_account_that_wrote_them(over: Site, stranger: int) -> None:
    remarks.write(over.office, over.game, stranger, NewRemark(3, "shared", shared=True), over.now)
    remarks.write(over.office, over.game, over.host, NewRemark(3, "stays", shared=True), over.now)
    account_deletion.delete(over.office, stranger, "eva@example.org", over.now)
    with over.office.read() as session:
        assert session.scalars(select(Remark.text)).all() == ["stays"]
