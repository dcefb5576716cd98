"""Trials: every question can be answered in one, nothing of the game changes, nothing hidden is shown."""

import random
from io import BytesIO

import pytest
from PIL import Image

from pbem.render.palette import TRIAL
from pbem.service.games import trials, watching
from pbem.service.turns import standing_orders
from pbem.web.turns import addresses
from pbem.web.turns.addresses import UNPACKED, TooLong, packed, unpacked
from tests import rows
from tests.table import NAMES
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import FIRST_BUILD, Site


def place(site: Site, number: int = 0) -> str:
    """Below the link of a seat."""
    return site.path(site.office.addresses.seat(site.game, number)) + "/try"


def opened(site: Site, path: str) -> tuple[str, Page]:
    """The address of a trial that a link begins, and its page."""
    answer = site.client.get(path)
    assert answer.status_code == 302, answer.text
    address = answer.headers["Location"]
    return address, site.get(address)


def tried(site: Site, address: str, **fields: str) -> tuple[str, Page]:
    """The trial after a form of its page was sent."""
    after = site.post(address, fields).headers["Location"]
    return after, site.get(after)


def wander(site: Site, address: str, orders: int, luck: random.Random) -> tuple[str, Page]:
    """Answer so many questions by whatever the pages offer."""
    page = site.get(address)
    for _ in range(orders):
        form = next((form for form in page.posts if form.id == "play"), None)
        if form is None:
            break
        buttons = [(name, value) for name, value in form.buttons if name in ("orders", "instead")]
        fields = {name: value for name, value in form.fields.items() if name not in ("typed", "then")}
        if buttons and (luck.random() < 0.5 or not fields):
            fields |= [luck.choice(buttons)]
        address, page = tried(site, address, **fields)
    return address, page


def test_a_trial_goes_on_for_whoever_is_asked(site: Site) -> None:
    address, page = opened(site, place(site))
    assert "Trial: nothing here is played" in page.headings
    view = site.view()
    first, second = (view.names[seat] for seat in view.state.order[:2])
    assert f"You choose for {first}" in page.text
    address, page = tried(site, address, orders="issue 1")
    assert f"You choose for {second}" in page.text
    assert f"{first} issued 1 share and has $15" in page.text
    assert site.view().version == 0


def test_robots_play_on_and_the_page_says_what_it_comes_to(site: Site) -> None:
    first = site.view().state.order[0]
    address, _ = opened(site, place(site, next(s.number for s in site.view().seats if s.seat == first)))
    address, page = tried(site, address, orders="issue 1")
    assert "Your figures since the trial began: Cash from $10 to $15; Shares from 2 to 3;" in page.text
    assert "Robots answer until you are asked." in page.text
    address, page = tried(site, address, robots="1")
    assert f"You choose for {site.view().names[first]}" in page.text
    assert "A robot gives this answer too, and the next ones until you are asked again." in page.text
    answer = site.post(address, {"expected": "1"}, code=200)
    assert "Points that robots expect at the end of the game" in answer.text
    for name in site.view().names.values():
        assert name in Page(answer.text).text.partition("Points that robots expect")[2].partition(".")[0]
    assert site.view().version == 0


@pytest.mark.parametrize("form", ["started", "build", "deliver", "over"])
def test_trying_changes_no_row(played: Played, form: str) -> None:
    site = played(form)
    before = rows.everything(site.office)
    at = f"?at={site.view().version // 2}" if form == "over" else ""
    address, _ = opened(site, f"/games/{site.game}/try{at}" if form == "over" else place(site))
    address, _ = wander(site, address, 12, random.Random(form))
    for kind in ("map", "board"):
        assert site.client.get(f"{address}/{kind}.png").mimetype == "image/png"
    assert rows.everything(site.office) == before


@pytest.mark.parametrize(("game", "map"), [("steam-power", "ireland"), ("age-of-steam", "germany")])
def test_trying_on_other_boards_changes_no_row(empty: Site, game: str, map: str) -> None:
    empty.start(game=game, map=map, names=NAMES[:3])
    before = rows.everything(empty.office)
    address, _ = opened(empty, place(empty))
    address, page = wander(empty, address, 10, random.Random(2))
    assert "Tried so far" in page.headings
    for kind in ("map", "board"):
        picture = Image.open(BytesIO(empty.client.get(f"{address}/{kind}.png").data)).convert("RGB")
        assert picture.getpixel((0, picture.height // 2)) == TRIAL
    assert rows.everything(empty.office) == before


def test_the_hands_of_others_are_made_up_and_the_page_says_so(empty: Site) -> None:
    empty.start(game="steam-power", map="ireland", names=NAMES[:3])
    view = empty.view()
    asked, following = view.state.seats[:2]
    number = next(seat.number for seat in view.seats if seat.seat == asked)
    address, page = opened(empty, place(empty, number))
    assert "everything hidden from you was dealt anew" in page.text
    assert f"5 contracts in the hand of {view.names[asked]}" in page.headings
    assert "Invented for this trial" not in page.text
    assert all(f"Contract {contract}:" in page.text for contract in view.state.players[asked].hand)
    for _ in range(2):
        address, page = tried(empty, address, send="typed", typed="cash")
    assert f"5 contracts in the hand of {view.names[following]}" in page.headings
    assert "Invented for this trial" in page.text
    assert not all(f"Contract {contract}:" in page.text for contract in view.state.players[following].hand)


def test_what_the_judge_says_against_orders_is_said_of_tried_ones(site: Site) -> None:
    address, _ = opened(site, place(site))
    page = Page(site.post(address, {"send": "typed", "typed": "issue 99"}, 200).text)
    assert "This was not tried. You cannot issue 99 shares" in page.text
    assert page.form.fields["typed"] == "issue 99"
    assert "cannot be read" in site.post(address, {"send": "typed", "typed": "dance"}, 200).text


def test_orders_of_an_address_that_cannot_be_played_are_left_out_with_the_reason(site: Site) -> None:
    start = opened(site, place(site))[0].removesuffix("-")
    page = site.get(start + packed(("issue 2", "issue 99", "issue 0")))
    assert "This was not tried." in page.text
    assert "issued 2 shares" in page.text
    assert page.text.count("issued") == 2  # in the band, and in the cell of the player


def test_undoing_and_the_numbers_of_the_log_lead_to_the_trial_before(site: Site) -> None:
    start, _ = opened(site, place(site))
    first, _ = tried(site, start, orders="issue 2")
    second, page = tried(site, first, orders="issue 1")
    assert {start, first, second} - {second} <= {*page.links, *site.get(first).links}
    assert first in page.links


def test_what_was_tried_for_the_open_question_is_sent_with_one_button(site: Site) -> None:
    view = site.view()
    number = next(seat.number for seat in view.seats if seat.seat == view.waiting_for)
    address, page = opened(site, place(site, number))
    assert not [form for form in page.posts if form.id != "play"]
    address, page = tried(site, address, orders="issue 2")
    address, page = tried(site, address, orders="issue 0")
    (form,) = [form for form in page.posts if form.id != "play"]
    assert form.hidden == {"orders": "issue 2"}
    answer = site.post(form.action, form.hidden)
    assert site.get(answer.headers["Location"]).headings[0] == "Your orders are played"
    assert site.view().log[-1].orders == "issue 2"


def test_own_orders_that_follow_are_sent_to_wait_for_their_moment(played: Played) -> None:
    site = played("build")
    asked = site.view().waiting_for
    address, page = opened(site, site.turn() + "/try")
    for order in (FIRST_BUILD, *3 * ("build nothing",), *4 * ("loco",)):
        address, page = tried(site, address, orders=order)
    assert "Kept secret for their moment: loco" in page.text
    form = page.posts[0]
    site.post(form.action, form.hidden)
    assert site.view().log[-1].orders == FIRST_BUILD
    assert [order.orders for order in standing_orders.of_seat(site.office, site.game, asked)] == ["loco"]


def test_what_is_tried_for_others_or_from_an_earlier_position_cannot_be_sent(site: Site) -> None:
    asked = site.view().waiting_for
    other = next(seat.number for seat in site.view().seats if seat.seat != asked)
    _, page = tried(site, opened(site, place(site, other))[0], orders="issue 2")
    assert len(page.posts) == 1
    site.play("issue 2")
    number = next(seat.number for seat in site.view().seats if seat.seat == asked)
    _, page = tried(site, opened(site, place(site, number) + "?at=0")[0], orders="issue 1")
    assert len(page.posts) == 1


def test_a_draft_of_a_turn_page_can_be_tried(site: Site) -> None:
    turn = site.turn()
    assert f"{turn}/try?orders=issue%202" in site.get(site.turn("issue 2")).links
    answer = site.client.get(f"{turn}/try?orders=issue+2")
    assert "issued 2 shares" in site.get(answer.headers["Location"]).text
    assert "99" in site.get(f"{turn}/try?send=typed&typed=issue+99").text


def test_a_trial_below_a_turn_page_ends_with_its_question(site: Site) -> None:
    turn = site.turn()
    address, _ = opened(site, turn + "/try")
    site.play()
    for path in (address, turn + "/try"):
        answer = site.client.get(path)
        assert (answer.status_code, answer.headers["Location"]) == (302, turn)


def test_only_players_try_something_in_a_running_game(site: Site) -> None:
    site.get(f"/games/{site.game}/try", 403)
    site.get(f"/games/{site.game}/try/0/0123abcd/-", 403)
    assert "/try" not in site.get(f"/games/{site.game}").html
    assert f"{place(site)}" in site.get(place(site).removesuffix("/try")).links


def test_the_link_of_spectators_only_shows_a_game(played: Played) -> None:
    site = played("over")
    link = site.path(watching.open_link(site.office, site.game, site.host, site.now))
    assert "/try" not in site.get(f"{link}?at=2").html


def test_everybody_tries_something_from_a_position_of_a_finished_game(played: Played) -> None:
    site = played("over")
    page = site.get(f"/games/{site.game}?at=2")
    address, page = opened(site, page.link("/try"))
    assert "from after order 2" in page.text
    assert "/try" not in site.get(f"/games/{site.game}").html
    site.get(f"/games/{site.game}/try", 409)
    assert len(tried(site, address, orders="issue 0")[1].posts) == 1


@pytest.mark.parametrize(
    "end", ["0/xyz/-", "0/0123abcd/!", "0/0123abcd/AAAA", "99/0123abcd/-", "0/0123abcd/" + 2001 * "A"]
)
def test_an_address_that_is_none_of_a_trial_is_not_there(site: Site, end: str) -> None:
    site.get(f"{place(site)}/{end}", 404)


def test_more_orders_than_a_trial_can_hold_are_refused_with_a_sentence(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "MOST", 2)
    start = opened(site, place(site))[0].removesuffix("-")
    address = start + packed(("issue 0", "issue 0"))
    assert "this one is full" in site.post(address, {"orders": "issue 0"}, 200).text
    page = site.get(start + packed(("issue 0", "issue 0", "issue 1")))
    assert "this one is full" in page.text
    assert page.text.count("issued") == 5  # in the band the last one, in the log and in the cells of the players both


def test_more_than_an_address_holds_is_refused_with_a_sentence(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "PACKED", 5)
    address, _ = opened(site, place(site))
    assert "too long for an address" in site.post(address, {"orders": "issue 2"}, 200).text


def test_what_an_address_unpacks_to_is_bounded() -> None:
    with pytest.raises(TooLong):
        packed(("issue 0 " * UNPACKED,))
    orders = ("issue 2", "build B1 NE-S; D1 N-S\nmove blue", "")
    assert unpacked(packed(orders)) == orders
