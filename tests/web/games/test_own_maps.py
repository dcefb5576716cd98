"""The page of an own map: who sees it, the ways to play on it, its file; a game played to its end on pages."""

import pytest
from sqlalchemy import select

from pbem.engine import catalog
from pbem.engine.record import read_record
from pbem.service.games import views
from pbem.service.own_maps import drafts, versions
from pbem.store.statuses import GameStatus, MapStatus
from pbem.store.tables import Game, OwnMap, OwnMapVersion
from tests.drawn import SLUG, SMALL, map_of
from tests.web.forms_only import FormsOnly
from tests.web.games.test_my_maps import get, post
from tests.web.reading import Form, Page
from tests.web.site import Site
from workers import trying


@pytest.fixture
def ana(site: Site) -> Site:
    site.log_in()
    return site


def form(page: Page, action: str) -> Form:
    return next(each for each in page.posts if each.action.endswith(action))


def test_a_draft_becomes_a_map_that_robots_try_and_that_can_then_be_played(ana: Site) -> None:
    key = drafts.begin(ana.office, ana.host, SMALL, ana.now)
    play = form(get(ana, f"/maps/own/{key}"), key)
    there = post(ana, play.action, {**play.hidden, "text": play.fields["text"], "do": "play"}).headers["Location"]
    answer = ana.client.get(there, base_url="https://play.example.org")
    assert "Robots are trying this map" in answer.text
    assert answer.headers["Refresh"]
    assert "Play it now" not in Page(answer.text).headings
    trying.try_out(ana.office, ana.only(select(OwnMapVersion.id)))
    page = get(ana, there)
    assert "Play it now" in page.headings
    assert "Unofficial, not rated." in page.text
    assert "A map of Ana: version 1, Friday 20 November" in page.text
    assert page.link("open=1")
    assert page.link(f"/new?map=age-of-steam/{SLUG}")


def test_what_people_write_on_a_map_is_shown_as_it_is(ana: Site) -> None:
    made = map_of(ana.office, ana.host, ana.now)
    text = get(ana, f"/maps/play/{made.key}").text
    assert "a {short} game of 50%" in text
    assert "Own design {on} real land." in text
    get(ana, f"/maps/{SLUG}")


def test_a_game_alone_against_robots_is_played_to_its_end_on_pages(ana: Site) -> None:
    made = map_of(ana.office, ana.host, ana.now)
    play = next(each for each in get(ana, f"/maps/play/{made.key}").posts if each.hidden.get("map") == SLUG)
    there = post(ana, play.action, {**play.hidden, "robot": "penny"}).headers["Location"]
    ana.game = there.rpartition("/")[2]
    player, mine = FormsOnly(ana), ana.view().seats[0].seat
    for _ in range(200):
        if ana.asked().over:
            break
        if ana.asked().waiting_for == mine:
            player.answer(ana.asked().default())
        else:
            ana.robots_answer()
    assert ana.row().status == GameStatus.OVER
    page = get(ana, there)
    assert "Douro" in page.text
    for picture in page.pictures:
        assert ana.client.get(picture["src"], base_url="https://play.example.org").status_code == 200
    record = ana.client.get(f"/games/{ana.game}/record.json", base_url="https://play.example.org")
    assert read_record(record.text).board == made.sheet.drawing
    assert get(ana, f"/archive?map={SLUG}").link(ana.game)
    assert get(ana, f"/statistics/{SLUG}").headings


def test_an_open_table_and_invitations_begin_with_the_form_of_every_game(ana: Site) -> None:
    made = map_of(ana.office, ana.host, ana.now)
    page = get(ana, f"/new?map=age-of-steam/{SLUG}&open=1")
    new = next(each for each in page.posts if each.fields.get("map") or "map" in each.offered)
    assert new.fields["map"] == f"age-of-steam/{SLUG}"
    fields = {**new.fields, **new.hidden, "open_seats": "0", "players": "ben@example.net"}
    there = post(ana, new.action, fields).headers["Location"]
    game = views.game(ana.office, there.rpartition("/")[2])
    assert (game.sheet.slug, game.title) == (SLUG, "Douro")
    table = post(ana, new.action, {**new.fields, **new.hidden, "open_seats": "2", "players": ""})
    assert table.headers["Location"] == "/tables"
    assert "Douro" in get(ana, "/tables").text
    assert sorted(ana.rows(select(Game.map).where(Game.map != "rust_belt"))) == [SLUG, SLUG]
    assert versions.of_map(ana.office, made.key)[0].slug == SLUG


def test_who_sees_the_page_of_a_map(ana: Site) -> None:
    key = drafts.begin(ana.office, ana.host, SMALL, ana.now)
    get(ana, f"/maps/play/{key}", code=404)
    versions.make(ana.office, key, ana.host, ana.now)
    stranger = ana.app.test_client()
    assert stranger.get(f"/maps/play/{key}").status_code == 200
    assert stranger.get(f"/maps/play/{key}").headers["X-Robots-Tag"] == "noindex"
    assert stranger.get(f"/maps/{SLUG}").headers["X-Robots-Tag"] == "noindex"
    assert stranger.get(f"/maps/play/{key}/board.toml").text == catalog.sheet("age-of-steam", SLUG).drawing
    with ana.office.write() as session:
        session.get_one(OwnMap, key).status = MapStatus.WITHDRAWN
    assert stranger.get(f"/maps/play/{key}").status_code == 404
    assert "This map was withdrawn" in get(ana, f"/maps/play/{key}").text
    assert stranger.get(f"/maps/{SLUG}").status_code == 200, "players of its games can read its rules"
    assert stranger.get("/maps/own-0123456789abcdef").status_code == 404
    assert stranger.get("/maps/own-0123456789abcdef/board.png").status_code == 404


def test_anybody_draws_an_own_map_from_it(ana: Site) -> None:
    made = map_of(ana.office, ana.host, ana.now)
    ana.log_in(1)
    page = get(ana, f"/maps/play/{made.key}")
    new = next(each for each in page.posts if each.hidden.get("how") == "own")
    there = post(ana, new.action, new.hidden).headers["Location"]
    assert "Douro" in get(ana, there).headings
    assert ana.only(select(OwnMap.origin).where(OwnMap.key != made.key)) == made.key
