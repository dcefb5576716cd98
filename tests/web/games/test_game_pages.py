"""The page of a game: running, not started, cancelled and over; for players and for guests."""

import json
import re
from urllib.parse import urljoin

import pytest
from sqlalchemy import update

from pbem.engine.record import write_record
from pbem.render.palette import PLAYERS
from pbem.service.archive import records
from pbem.service.base import queries
from pbem.service.games import views
from pbem.settings.paths import templates_folder
from pbem.store.tables import Move
from tests.every_page.decisions import kept, stops
from tests.web.conftest import Played
from tests.web.site import Site


def test_a_guest_sees_who_is_waited_for_and_no_button(site: Site) -> None:
    page = site.get(f"/games/{site.game}")
    assert page.headings[0] == "Coal by post"
    assert "Waiting for" in page.text
    assert page.posts == []
    assert not [link for link in page.links if "/t/" in link]


def test_the_player_who_is_asked_is_led_to_the_question(site: Site) -> None:
    number = next(seat.number for seat in site.view().seats if seat.seat == site.view().waiting_for)
    site.log_in(number)
    page = site.client.get(f"/games/{site.game}", base_url="https://play.example.org")
    assert "Answer now" in page.text


def test_the_private_link_opens_the_game_as_its_player(site: Site) -> None:
    path = site.path(site.office.addresses.seat(site.game, 0))
    page = site.get(path)
    assert "You are Ana" in page.text
    assert path in [form.action for form in page.posts]
    assert site.client.get("/", base_url="https://play.example.org").text.count("Log in") > 0


def test_the_log_tells_what_happened_and_leads_to_the_picture_of_every_order(site: Site) -> None:
    site.play("issue 2")
    page = site.get(f"/games/{site.game}")
    assert "issued 2 shares" in page.text
    earlier = site.get(f"/games/{site.game}?at=0")
    assert "after order 0 of 1" in earlier.text


@pytest.mark.parametrize("at", ["-1", "x", "9" * 400, "1e3", "0x1", "99", "²"])
def test_an_order_that_does_not_exist_shows_the_game_as_it_is(site: Site, at: str) -> None:
    assert site.client.get(f"/games/{site.game}", query_string={"at": at}).status_code == 200


def test_a_game_that_waits_for_players_says_for_whom(empty: Site) -> None:
    empty.open()
    page = empty.get(f"/games/{empty.game}")
    assert "Waiting for Ben, Chloé and Davi." in page.text
    assert empty.get(f"/games/{empty.game}?at=3").headings == page.headings


def test_only_the_host_can_cancel_and_only_with_the_form_of_this_browser(empty: Site) -> None:
    empty.open()
    url = "https://play.example.org"
    path = f"/games/{empty.game}/cancel"
    assert empty.client.post(path, data={"mark": ""}, base_url=url).headers["Location"].startswith("/login")
    empty.log_in(1)
    assert "Cancel this game" not in empty.client.get(f"/games/{empty.game}", base_url=url).text
    empty.log_in(0)
    assert empty.client.post(path, data={"mark": "x"}, base_url=url).status_code == 403
    page = empty.client.get(f"/games/{empty.game}", base_url=url).text
    mark = page.partition('name="mark" value="')[2].partition('"')[0]
    assert empty.client.post(path, data={"mark": mark, "sure": "yes"}, base_url=url).status_code == 303
    assert empty.view().status == "cancelled"
    assert "cancelled" in empty.get(f"/games/{empty.game}").text


def test_a_finished_game_can_be_stepped_through(played: Played) -> None:
    site = played("over")
    page = site.get(f"/games/{site.game}?at=3")
    assert "Order 3 of" in page.text
    assert site.get(page.link("at=4")).text.count("Order 4 of") == 1
    assert site.get(page.link("at=2")).text.count("Order 2 of") == 1
    assert "Final table" in page.headings
    assert site.client.get(page.pictures[0]["src"]).mimetype == "image/png"


def test_a_finished_game_shows_its_seed_and_how_to_check_it(played: Played) -> None:
    site = played("over")
    page = site.get(f"/games/{site.game}")
    view = site.view()
    assert view.seed in page.text
    assert view.commitment in page.text
    assert "pbem verify" in page.text


def test_a_running_game_keeps_its_seed(site: Site) -> None:
    record = site.client.get(f"/games/{site.game}/record.json")
    assert "seed" not in json.loads(record.data)
    assert b"73656564" not in record.data
    assert b"73656564" not in site.client.get(f"/games/{site.game}").data


def test_the_record_of_a_finished_game_is_whole(played: Played) -> None:
    site = played("over")
    record = site.client.get(f"/games/{site.game}/record.json").get_json()
    assert record["format"] == "pbem-record/1"
    assert record["result"]
    assert record["seed"] == site.view().seed


@pytest.mark.parametrize("path", ["", "/board.png", "/map.png", "/map.svg", "/board.svg", "/record.json"])
def test_a_game_that_does_not_exist_is_not_found(empty: Site, path: str) -> None:
    assert empty.client.get(f"/games/nothing{path}").status_code == 404


def test_search_engines_stay_away_from_the_positions_of_games(empty: Site) -> None:
    answer = empty.client.get("/robots.txt")
    assert answer.mimetype == "text/plain"
    assert "Disallow: /games/" in answer.text


def test_a_log_that_is_kept_follows_names_and_what_is_taken_back(site: Site) -> None:
    view, seat = site.view(), site.view().waiting_for
    site.play("issue 2")
    assert f"{view.names[seat]} issued 2 shares" in site.get(f"/games/{site.game}").text
    with site.office.write() as session:
        queries.seat(session, site.game, seat).name = "Anabel"
    number = next(one.number for one in view.seats if one.seat == seat)
    pages = site.path(site.office.addresses.seat(site.game, number)), f"/games/{site.game}"
    assert "Anabel issued 2 shares" in site.get(pages[1]).text
    with site.office.write() as session:
        session.execute(update(Move).where(Move.number == 1).values(taken_back_by=1))
    assert "Taken back: it no longer counts." in site.get(pages[0]).text
    assert "issued 2 shares" not in site.get(pages[1]).text


def test_a_log_that_is_kept_leads_on_by_the_link_of_its_reader(site: Site) -> None:
    site.play("issue 2")
    sender = site.view().log[-1].seat  # own orders are no news
    others = [seat.number for seat in site.view().seats if seat.seat != sender]
    own, another = (site.path(site.office.addresses.seat(site.game, number)) for number in others[:2])
    for path in (f"/games/{site.game}", own, another):
        leads_on = [link for link in site.get(path).links if link.endswith("at=1") and ".png" not in link]
        assert leads_on
        assert all(urljoin(path, link) == f"{path}?at=1" for link in leads_on)


def test_the_log_of_an_earlier_turn_is_a_link_away(played: Played) -> None:
    site = played("started")
    site.play_on(45)
    assert site.view().log[-1].turn > 1
    page = site.get(f"/games/{site.game}")
    first = next(move for move in site.view().log if move.number == 1)
    assert "Log: turn 1" not in page.headings
    earlier = site.get(page.link("log=1"))
    assert "Log: turn 1" in earlier.headings
    assert f"at={first.number}" in " ".join(earlier.links)
    for amiss in ("0", "99", "x" * 999, "²"):
        assert site.client.get(f"/games/{site.game}", query_string={"log": amiss}).status_code == 200


def test_every_colour_of_a_player_has_its_mark_before_the_name() -> None:
    style = (templates_folder() / "static" / "marks.css").read_text("utf-8")
    assert re.findall(r"\.who\.(\w+)::before .*url\(\.\./marks/(\w+)\.svg\)", style) == [(s, s) for s in PLAYERS]


def test_the_final_table_has_cash_and_engine_and_the_sum_of_the_winner(site: Site) -> None:
    record = json.dumps(write_record(kept("rust_belt-4-one-survivor")))
    view = views.game(site.office, records.import_record(site.office, record, site.now))
    page, best = site.get(f"/games/{view.id}"), view.standings[0]
    player = view.state.players[best.seat]
    assert f'data-head="Cash">${player.cash}</td><td class="num" data-head="Engine">{player.engine}<' in page.html
    income, *rest = (points for _, points in best.parts)
    signed = "".join(f" {'−' if points < 0 else '+'} {abs(points)}" for points in rest)
    assert f": {income}{signed} = {best.score}.".replace("-", "−") in page.text


def test_a_turn_is_told_in_its_order_and_the_goods_display_says_where_new_cities_are(empty: Site) -> None:
    for _ in stops(empty, kept("rust_belt-5-to-the-last-turn-2"), {80: ("", "")}):
        break
    log = empty.get(f"/games/{empty.game}?log=1").html.partition('id="log"')[2]
    told = [int(number) for number in re.findall(r'aria-label="Order (\d+)"', log)]
    assert len(told) > 4
    assert told == sorted(told)
    auction = log[log.index("<strong>Turn order:</strong>") :]
    assert auction.index(" bid $") < auction.index(". Turn order: ")  # the result stands after the bids
    scene = empty.view().sheet.scene(empty.view().state)
    placed = {city.letter: city.name for city in scene.cities if city.letter}
    assert placed
    page = empty.get(f"/games/{empty.game}").html
    assert all(f"<td>{letter} {name}</td>" in page for letter, name in placed.items())
