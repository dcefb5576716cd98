"""Steam Power's own pages: the five actions, the hand as cards, what was drawn, the way to the board and back."""

from __future__ import annotations

import pytest

from tests.web.reading import Page
from tests.web.site import Site

URL = "https://play.example.org"


@pytest.fixture
def site(empty: Site) -> Site:
    """A game of three that has just begun."""
    empty.start(names=("Ana", "Ben", "Chloé"), game="steam-power", map="ireland")
    return empty


def test_the_page_has_all_five_actions_with_a_way_to_each_and_says_what_the_game_is_about(site: Site) -> None:
    page = site.get(site.turn())
    actions = ["Build track", "Build a factory", "Take money", "Draw contracts", "Fulfil a contract"]
    choose = page.text.partition("Choose an action")[2]
    assert sorted(actions, key=choose.index) == actions
    assert "The goal: Most points win. The game ends with the round" in page.text
    assert ("orders", "cash") in page.form.buttons
    assert ("orders", "draw") in page.form.buttons
    assert page.link("build=1")


def test_the_hand_is_shown_as_one_card_for_each_contract_to_its_owner_alone(site: Site) -> None:
    view = site.view()
    hand = view.state.players[view.waiting_for].hand
    page = site.get(site.turn())
    for number in hand:
        assert f"Contract {number} " in page.text
    assert f"{len(hand)} contracts in your hand, seen only by you" in page.headings
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
    orders = [order for name, order in page.form.buttons if name == "orders" and order.startswith("contract ")]
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
    assert "The goal: Score as much as you can in 8 turns" in text
    assert "You act for" in text
