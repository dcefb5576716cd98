"""Steam Power's own pages: the five actions, the hand as cards, what was drawn, the way to the board and back."""

import re
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit

import pytest

from pbem.service.turns import standing_orders
from tests.web.reading import Page
from tests.web.site import Site
from tests.web.turns.test_plan_page import plan_path

URL = "https://play.example.org"


@pytest.fixture
def site(empty: Site) -> Site:
    """A game of three that has just begun."""
    empty.start(names=("Ana", "Ben", "Chloé"), game="steam-power", map="ireland")
    return empty


def buttons(page: Page) -> list[tuple[str, str]]:
    """Those of the form in which an action is chosen."""
    return next(form for form in page.forms if form.id == "choose").buttons


def choose(site: Site, page: str, order: str) -> str:
    """Press the button of an action, as a browser without script does; returns the address of the next page."""
    form = next(form for form in site.get(page).forms if form.id == "choose")
    assert form.method == "get", "choosing changes nothing"
    assert order in [value for _, value in form.buttons] or "chosen" in form.hidden
    return f"{form.action}?{urlencode([*site_chosen(page), ('chosen', order)])}"


def site_chosen(page: str) -> list[tuple[str, str]]:
    return [(key, value) for key, value in parse_qsl(urlsplit(page).query) if key == "chosen"]


def send_all(site: Site, page: str) -> Page:
    form = site.get(page).form
    return site.get(site.post(form.action, form.hidden).headers["Location"])


def test_two_actions_are_chosen_one_after_the_other_seen_before_they_are_judged_and_sent_together(site: Site) -> None:
    seat = site.view().waiting_for
    second = choose(site, site.turn(), "cash")
    page = site.get(second)
    assert "Take $3 not sent" in page.text
    assert page.headings[0] == "Take one more action"
    ready = choose(site, second, "draw")
    page = site.get(ready)
    assert page.headings[0] == "Send these 2 actions?"
    assert "You learn what you draw only after sending." in page.text
    assert site.view().version == 0, "nothing was sent"
    answer = send_all(site, ready)
    assert answer.headings[0] == "Your orders are played"
    assert [move.orders for move in site.view().log if move.seat == seat] == ["cash", "draw"]


def test_the_second_action_after_a_draw_is_played_at_once_and_told_with_it(site: Site) -> None:
    seat = site.view().waiting_for
    ready = choose(site, choose(site, site.turn(), "draw"), "cash")
    text = send_all(site, ready).text
    assert [move.orders for move in site.view().log if move.seat == seat] == ["draw", "cash"]
    assert "You drew contracts" in text
    assert "Accepted, and already played" in text


def test_only_the_first_of_two_actions_can_be_sent_and_what_it_brought_is_new(site: Site) -> None:
    page = choose(site, site.turn(), "draw")
    only = next(form for form in site.get(page).posts if form.hidden.get("orders") == "draw")
    answer = site.get(site.post(only.action, only.hidden).headers["Location"])
    assert site.view().log[-1].orders == "draw"
    assert answer.text.count(" New ") == 2, "the contracts that were drawn"
    assert " New " not in site.get(site.turn()).text.partition("contracts in your hand")[0]


def test_track_is_chosen_on_the_board_and_the_board_shows_it_before_it_is_sent(site: Site) -> None:
    view = site.view()
    order = view.sheet.placements(view.state)[0]
    build = f"{site.turn()}?build=1&steps={quote_plus(order.partition(' ')[2])}"
    form = next(form for form in site.get(build).forms if form.id == "choose")
    assert form.hidden["chosen"].startswith("track ")
    page = site.get(f"{form.action}?{urlencode(form.hidden)}")
    assert page.headings[0] == "Take one more action"
    picture = next(picture["src"] for picture in page.pictures if "map.png" in picture["src"])
    assert picture != next(p["src"] for p in site.get(site.turn()).pictures if "map.png" in p["src"])
    assert site.client.get(picture).status_code == 200
    again = site.get(page.link("build=1"))
    assert "hex=" in "".join(again.links)
    assert all("chosen=track" in link for link in again.links if "hex=" in link)


def test_the_hand_says_what_the_letters_of_its_cubes_stand_for(site: Site) -> None:
    html = site.get(site.turn()).html
    hand, legend = html[html.index('id="hand"') :].partition("</section>")[0].rsplit("</ul>", 1)
    colours = set(re.findall(r'class="cube (\w+)"', hand))
    assert colours
    assert set(re.findall(r'class="cube (\w+)"[^>]*>\w</span> (\w+)', legend)) == {(name, name) for name in colours}


def test_actions_of_a_turn_to_come_are_chosen_ahead_as_those_of_now_are(site: Site) -> None:
    view = site.view()
    other = next(seat.seat for seat in view.seats if seat.seat != view.waiting_for)
    plan = plan_path(site, other).partition("?")[0]
    first = site.get(plan).link("ahead=actions.1")
    assert "Your first action" in site.get(plan).text
    assert "always issue" not in site.get(plan).text, "that is the other game"
    assert not [link for link in site.get(plan).links if "ahead=actions.2" in link], "the first one comes first"
    page = site.get(first)
    assert page.headings[0] == "Order ahead: your first action"
    assert f"{len(view.state.players[other].hand)} contracts, seen only by you" in page.headings
    site.post(page.form.action, {**page.form.hidden, "orders": "cash"})
    second = site.get(site.get(plan).link("ahead=actions.2"))
    site.post(second.form.action, {**second.form.hidden, "orders": "draw"})
    waiting = standing_orders.of_seat(site.office, site.game, other)
    assert [(order.moment, order.orders) for order in waiting] == [("actions.1", "cash"), ("actions.2", "draw")]
    assert site.get(site.get(f"{plan}?ahead=actions.1").link("build=1")).headings[0] == "Order ahead: your first action"


def test_who_has_acted_in_this_turn_orders_ahead_for_the_next_one(site: Site) -> None:
    seat = site.view().waiting_for
    site.play("cash", seat=seat)
    site.play("cash", seat=seat)
    site.later(minutes=1)
    assert "Round 2, your first action" in site.get(plan_path(site, seat).partition("?")[0]).text


@pytest.mark.parametrize("given", ["nonsense", "factory A1", "contract 999", "x" * 2000, "draw;draw", "ü"])
def test_actions_of_an_address_that_cannot_be_played_are_left_out_with_the_reason(site: Site, given: str) -> None:
    page = site.get(f"{site.turn()}?{urlencode([('chosen', 'cash'), ('chosen', given)])}")
    assert page.headings[0].startswith(("Take one more action", "Take 2 actions", "Send these 2 actions?"))
    assert site.view().version == 0


def test_the_page_has_all_five_actions_with_a_way_to_each_and_says_what_the_game_is_about(site: Site) -> None:
    page = site.get(site.turn())
    actions = ["Build track", "Build a factory", "Take money", "Draw contracts", "Fulfil a contract"]
    choose = page.text.partition("What each action does")[2]
    assert sorted(actions, key=choose.index) == actions
    assert "The goal: Most points win. The game ends with the round" in page.text
    assert ("chosen", "cash") in buttons(page)
    assert ("chosen", "draw") in buttons(page)
    assert page.link("build=1")


def test_the_hand_is_shown_as_one_card_for_each_contract_to_its_owner_alone(site: Site) -> None:
    view = site.view()
    hand = view.state.players[view.waiting_for].hand
    page = site.get(site.turn())
    for number in hand:
        assert f"Contract {number}:" in page.text
    assert f"{len(hand)} contracts, seen only by you" in page.headings
    assert "Contract " not in site.get(f"/games/{site.game}").text


def _until_payable(site: Site) -> None:
    """Play on until the player who is asked can pay for a contract."""
    for _ in range(60):
        view = site.view()
        if any(choice.keyword == "contract" for choice in view.sheet.question(view.state).choices):
            return
        site.play("cash", seat=view.waiting_for, version=view.version)
    raise AssertionError("nobody could pay for a contract in 60 actions")


def test_a_contract_that_can_be_paid_has_a_button_on_its_card(site: Site) -> None:
    _until_payable(site)
    page = site.get(site.turn())
    orders = [order for _, order in buttons(page) if order.startswith("contract ")]
    site.press(site.turn(), orders=orders[0])
    assert site.view().log[-1].orders.split()[:2] == orders[0].split()[:2]


def test_who_draws_reads_which_contracts_and_nobody_else_does(site: Site) -> None:
    seat = site.view().waiting_for
    before = site.view().state.players[seat].hand
    number = next(other.number for other in site.view().seats if other.seat == seat)
    used = site.turn()
    mine = site.path(site.office.addresses.seat(site.game, number))
    sent = site.press(used, orders="draw")
    drawn = sorted(set(site.view().state.players[seat].hand) - set(before))
    told = f"You drew contracts {' and '.join(map(str, drawn))}."
    assert told in sent.text
    assert told in site.get(mine).text
    assert told not in site.get(f"/games/{site.game}").text
    assert told not in site.get(used).text, "a link that has served tells no secret"
    assert told not in site.get(f"{used}/sent/1").text


def test_the_page_of_the_board_is_not_red_before_anything_was_chosen_and_leads_back(site: Site) -> None:
    page = site.get(f"{site.turn()}?build=1")
    assert "You cannot send it like this" not in page.text
    assert "Build nothing" not in page.text
    assert page.link(site.turn())
    assert not [value for _, value in page.form.buttons if value.startswith("track")]


def test_the_page_of_the_map_has_no_columns_for_what_only_the_other_game_prints(site: Site) -> None:
    page = site.get("/maps/ireland")
    assert "Accepts" not in page.text
    assert "no fixed end" not in page.text
    assert "14 with 2, 11 with 3, 9 with 4 and 8 with 5" in page.text
    assert "Grows on" in site.get("/maps/rust_belt").text


def test_a_game_alone_states_its_goal_and_for_whom_one_acts(empty: Site) -> None:
    empty.start(names=("Ana",), game="steam-power", map="ireland_solo")
    text = Page(empty.client.get(empty.turn(), base_url=URL).text).text
    assert "The goal: Score as much as you can in 8 rounds" in text
    assert "You act for" in text
