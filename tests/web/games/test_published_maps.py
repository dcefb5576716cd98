"""Own maps on pages: published listed, withdrawn by the owner, reported, looked at by the operator."""

from dataclasses import replace

import pytest

from pbem.service.own_maps import states
from pbem.store.statuses import MapStatus
from pbem.store.tables import OwnMap
from pbem.web.base import context
from tests.drawn import SLUG, map_of
from tests.web.addresses import BASE
from tests.web.games.test_my_maps import get, post
from tests.web.reading import Form, Page
from tests.web.site import Site


@pytest.fixture
def key(empty: Site) -> str:
    """The map of Ana, who is logged in and has finished a game on it."""
    made = map_of(empty.office, empty.account("Ana"), empty.now)
    empty.start(map=SLUG)
    empty.play_on(1000)
    empty.log_in()
    return made.key


def with_setting(site: Site, **changes: str) -> None:
    site.office = replace(site.office, settings=replace(site.office.settings, **changes))  # type: ignore[arg-type]
    site.app.extensions[context.EXTENSION] = context.RequestContext(site.office, lambda: site.now, 0)


def form(page: Page, part: str) -> Form:
    return next(each for each in page.posts if part in each.action)


def publish(site: Site, key: str) -> None:
    page = get(site, get(site, f"/maps/play/{key}").link("/publish"))
    boxes = {"mine": "1", "free": "1", "goes": "1"}
    post(site, form(page, "/publish").action, {**form(page, "/publish").hidden, **boxes})


def test_a_map_is_published_when_all_boxes_are_ticked(empty: Site, key: str) -> None:
    page = get(empty, get(empty, f"/maps/play/{key}").link("/publish"))
    asked = form(page, "/publish")
    refused = Page(post(empty, asked.action, {**asked.hidden, "mine": "1", "free": "1"}, 400).text)
    assert "Tick all three boxes" in refused.text
    assert form(refused, "/publish").fields.get("mine") == "1"
    publish(empty, key)
    assert "Everybody finds it in the list." in get(empty, f"/maps/play/{key}").text
    page = get(empty, get(empty, "/maps").link("drawn=1"))
    assert "Douro" in page.headings
    assert "They are unofficial, and games on them are not rated." in page.text
    assert "By Davi. 2 to 4 players, 2 turns. Games finished: 1, running: 0." in page.text
    assert page.link(f"/maps/play/{key}")
    assert "Published" in get(empty, "/maps/own").text


def test_the_list_is_a_form_that_only_asks(empty: Site, key: str) -> None:
    publish(empty, key)
    for query, there in (
        ("q=porto", True),
        ("q=lisboa", False),
        ("players=3", True),
        ("rule=turns", True),
        ("rule=tiles", False),
        ("rule=x&order=liked", True),
        ("players=6", False),
    ):
        assert ("Douro" in get(empty, f"/maps?drawn=1&{query}").headings) is there, query
    for query in ("length=long", "length=x&players=y&page=-1", "page=5", "q=%25"):
        get(empty, f"/maps?drawn=1&{query}")
    assert "No map is like this." in get(empty, "/maps?drawn=1&length=long").text


def test_before_a_game_is_finished_it_is_said_why_not(empty: Site) -> None:
    made = map_of(empty.office, empty.account("Ana"), empty.now)
    empty.open()
    empty.log_in()
    asked = form(get(empty, f"/maps/play/{made.key}/publish"), "/publish")
    boxes = {"mine": "1", "free": "1", "goes": "1"}
    answer = post(empty, asked.action, {**asked.hidden, **boxes}, 409)
    assert "Finish a game on this map first" in answer.text


def test_the_owner_takes_a_map_off_the_list_withdraws_it_and_lets_it_be_played_again(empty: Site, key: str) -> None:
    publish(empty, key)
    there, hidden = f"/maps/play/{key}", {}
    for do, status in (("back", MapStatus.PLAYTEST), ("withdraw", MapStatus.WITHDRAWN), ("back", MapStatus.PLAYTEST)):
        page = get(empty, there)
        hidden = next(each for each in page.posts if ("do", do) in each.buttons).hidden
        post(empty, there, {**hidden, "do": do})
        assert empty.found(OwnMap, key).status == status
    post(empty, there, {**hidden, "do": "x"}, 400)


def test_readers_report_a_map_and_the_operator_looks(empty: Site, key: str) -> None:
    publish(empty, key)
    for number in (1, 2, 3):
        empty.log_in(number)
        page = get(empty, f"/maps/play/{key}")
        hidden = next(each for each in page.posts if ("do", "report") in each.buttons).hidden
        post(empty, f"/maps/play/{key}", {**hidden, "do": "report", "words": ""}, 400)
        sent = post(empty, f"/maps/play/{key}", {**hidden, "do": "report", "words": "Copied names."})
        assert "The operator of this server gets to read it." in get(empty, sent.headers["Location"]).text
    assert "Douro" not in get(empty, "/maps?drawn=1").headings
    empty.log_in(0)
    with_setting(empty, operator="ana@example.org")
    page = get(empty, "/host")
    assert "Maps that were reported" in page.headings
    assert "It is in no list until you have looked." in page.text
    assert "Copied names." in page.text
    asked = form(page, "/host/maps")
    post(empty, asked.action, {**asked.hidden, "do": "keep"})
    assert "Douro" in get(empty, "/maps?drawn=1").headings
    post(empty, asked.action, {**asked.hidden, "do": "withdraw", "reason": ""}, 400)
    post(empty, asked.action, {**asked.hidden, "do": "x"}, 400)
    done = post(empty, asked.action, {**asked.hidden, "do": "withdraw", "reason": "Copied names."})
    assert "The map is withdrawn." in get(empty, done.headers["Location"]).text
    assert "Copied names." in get(empty, f"/maps/play/{key}").text
    assert states.withdrawn(empty.office, key).reason == "Copied names."


def test_a_player_likes_a_map_on_the_page_of_the_finished_game(empty: Site, key: str) -> None:
    publish(empty, key)
    there = f"/games/{empty.game}"
    assert not any(form.id == "like" for form in get(empty, there).posts)  # Ana has drawn it
    empty.log_in(1)
    for do, words, sums in (
        ("like", "You like the map Douro.", "Liked by 1 of 1."),
        ("dislike", "You do not like the map Douro.", "Liked by 0 of 1."),
    ):
        asked = next(form for form in get(empty, there).posts if form.id == "like")
        sent = post(empty, asked.action, {**asked.hidden, "do": do})
        assert words in get(empty, sent.headers["Location"]).text
        assert "Do you like" not in get(empty, there).text
        assert sums in get(empty, f"/maps/play/{key}").text
        assert sums in get(empty, "/maps?drawn=1").text
    mark = asked.hidden["mark"]
    post(empty, f"/maps/play/{key}", {"mark": "x", "do": "like"}, 403)
    assert "/maps/play" in post(empty, f"/maps/play/{key}", {"mark": mark, "do": "like"}).headers["Location"]
    assert empty.client.get(f"/maps/play/{key}?do=dislike", base_url=BASE).status_code == 200
    assert "Liked by 1 of 1." in get(empty, f"/maps/play/{key}").text


def test_whoever_drew_a_withdrawn_map_answers_once(empty: Site, key: str) -> None:
    there = f"/maps/play/{key}"
    mark = form(get(empty, there), there).hidden["mark"]
    post(empty, there, {"mark": mark, "do": "answer", "words": "Why?"}, 409)
    states.withdraw_for_operator(empty.office, key, "Copied names.", empty.now)
    asked = next(each for each in get(empty, there).posts if ("do", "answer") in each.buttons)
    post(empty, there, {**asked.hidden, "do": "answer", "words": " "}, 400)
    post(empty, there, {**asked.hidden, "do": "answer", "words": "They are\nof real towns."})
    assert "Your answer to the operator: They are of real towns." in get(empty, there).text
    post(empty, there, {**asked.hidden, "do": "answer", "words": "And more."}, 409)
    empty.log_in(1)
    mark = get(empty, "/maps/own").posts[-1].hidden["mark"]
    post(empty, there, {"mark": mark, "do": "answer", "words": "Mine!"}, 404)
    empty.log_in(0)
    assert "Answers to withdrawn maps" not in get(empty, "/host", 404).headings
    with_setting(empty, operator="ana@example.org")
    assert "The answer: They are of real towns." in get(empty, "/host").text


def test_only_the_operator_deals_with_reports(empty: Site, key: str) -> None:
    mark = form(get(empty, f"/maps/play/{key}"), f"/maps/play/{key}").hidden["mark"]
    post(empty, "/host/maps", {"mark": mark, "key": key, "do": "keep"}, 404)


@pytest.mark.parametrize(("setting", "draws", "lists"), [("off", False, False), ("playtest", True, False)])
def test_what_a_server_does_not_offer_is_not_shown(
    empty: Site, key: str, setting: str, draws: bool, lists: bool
) -> None:
    publish(empty, key)
    with_setting(empty, own_maps=setting)
    page = get(empty, "/maps")
    assert ("/maps/own" in page.links) is draws
    assert any("drawn=1" in link for link in page.links) is lists
    assert "Maps drawn by players" not in get(empty, "/maps?drawn=1").headings
    assert ("New map" in get(empty, "/maps/own").headings) is draws
