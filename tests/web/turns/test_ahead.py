"""Builds and deliveries ahead of time, chosen on the pages of questions of now."""

from html import unescape
from re import findall

import pytest

from pbem.service.turns import standing_orders
from tests.web.conftest import Played
from tests.web.site import FIRST_BUILD, Site
from tests.web.turns.test_plan_page import plan_path


@pytest.fixture
def site(played: Played) -> Site:
    """Somebody builds track; the others will be asked for builds and deliveries."""
    site = played("build")
    site.play(FIRST_BUILD)
    site.later(minutes=1)
    return site


def last(site: Site) -> str:
    """The seat that builds last."""
    return str(site.view().state.scratch.seats[-1])


def page_of(site: Site, moment: str) -> str:
    return f"{plan_path(site, last(site)).partition('?')[0]}?ahead={moment}"


def orders_on(site: Site, path: str) -> list[str]:
    return [unescape(order) for order in findall(r'name="orders" value="([^"]+)"', site.client.get(path).text)]


def send(site: Site, path: str, **more: str) -> None:
    form = next(form for form in site.get(path).forms if form.id == "play")
    sent = site.post(form.action, {**form.hidden, **more})
    assert "Waiting:" in site.get(sent.headers["Location"]).text


def waiting(site: Site) -> list[tuple[str, str]]:
    return [(order.moment, order.orders) for order in standing_orders.of_seat(site.office, site.game, last(site))]


def test_a_delivery_is_chosen_from_the_list_of_today_and_others_for_when_it_is_not_possible(site: Site) -> None:
    path = page_of(site, "move_goods.1")
    assert path in site.get(plan_path(site, last(site))).links
    page = site.get(path)
    assert page.headings[0] == "Order ahead: move goods, round 1"
    order = orders_on(site, path)[0]
    send(site, path, orders=order)
    assert waiting(site) == [("move_goods.1", order)]
    send(site, path, instead="loco", also="1")
    assert waiting(site) == [("move_goods.1", f"{order} | loco")]
    send(site, path, orders=order)
    assert waiting(site) == [("move_goods.1", order)], "without the tick it takes its place"


def test_a_round_is_ordered_after_the_one_before_and_changes_no_other(site: Site) -> None:
    plan = plan_path(site, last(site))
    first, second = page_of(site, "move_goods.1"), page_of(site, "move_goods.2")
    assert second not in site.get(plan).links
    order = orders_on(site, first)[0]
    send(site, first, orders=order)
    assert second in site.get(plan).links
    send(site, second, instead="loco")
    assert waiting(site) == [("move_goods.1", order), ("move_goods.2", "loco")]
    send(site, first, instead="loco")
    assert waiting(site) == [("move_goods.1", "loco"), ("move_goods.2", "loco")]


def test_a_build_is_put_together_on_the_board_and_waits(site: Site) -> None:
    path = page_of(site, "build_track")
    (hexes, *_) = [link for link in site.get(path).links if "hex=" in link]
    tiles = [link for link in site.get(path.partition("?")[0] + hexes).links if "steps=" in link]
    draft = path.partition("?")[0] + tiles[0].partition("#")[0]
    page = site.get(draft)
    picture = next(picture["src"] for picture in page.pictures if "steps=" in picture["src"])
    assert site.client.get(picture).status_code == 200
    send(site, draft)
    ((moment, order),) = waiting(site)
    assert (moment, order.split()[0]) == ("build_track", "build")
    assert site.view().version == site.view().latest, "nothing was played"


def test_typed_orders_are_checked_against_the_question_to_come(site: Site) -> None:
    page = site.get(f"{page_of(site, 'move_goods.1')}&typed=loco&check=1")
    assert "This is legal: loco" in page.text


def test_what_is_asked_now_or_never_is_not_ordered_ahead(site: Site) -> None:
    plan = plan_path(site, last(site)).partition("?")[0]
    for moment in ("issue_shares", "goods_growth", "move_goods.9", "x" * 60, "é"):
        assert "Order ahead" not in site.get(f"{plan}?ahead={moment}").text
    asked = site.asked().waiting_for
    own = plan_path(site, asked).partition("?")[0]
    assert not [link for link in site.get(own).links if "ahead=build_track" in link]


@pytest.mark.parametrize("ahead", ["pink:nothing", "nobody:build_track", "red", "red:move_goods.x"])
def test_a_picture_of_a_draft_that_nobody_is_asked_for_is_not_there(site: Site, ahead: str) -> None:
    code = site.client.get(f"/games/{site.game}/map.png?ahead={ahead}&steps=B1+NE-S").status_code
    assert code == 404
