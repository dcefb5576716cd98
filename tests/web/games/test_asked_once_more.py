"""What cannot be undone is asked once more, and what is asked of others can be withdrawn, by buttons."""

from datetime import timedelta

import pytest

from tests.web.reading import Form, Page
from tests.web.site import Site

URL = "https://play.example.org"


def _seat(site: Site, number: int) -> str:
    return site.path(site.office.addresses.seat(site.game, number, site.view().seats[number].holder))


def _press(site: Site, form: Form, **button: str) -> Page:
    answer = site.client.post(form.action, data={**form.fields, **button}, base_url=URL, follow_redirects=True)
    assert answer.status_code == 200
    return Page(answer.text)


def _with(page: Page, value: str) -> Form:
    return next(form for form in page.posts if ("do", value) in form.buttons)


def test_ending_the_game_is_asked_once_more_before_anybody_is_asked(site: Site) -> None:
    asked = _press(site, _with(site.get(f"{_seat(site, 0)}/people"), "ask-end"), do="ask-end")
    assert "Ask to end the game?" in asked.headings
    assert site.letters("end-asked") == []
    sure = next(form for form in asked.posts if form.hidden.get("sure") == "yes")
    assert "The others are asked by email." in _press(site, sure, do="ask-end").text
    assert len(site.letters("end-asked")) == 3


def test_who_asked_withdraws_the_question_with_one_button_that_nobody_else_has(site: Site) -> None:
    page = site.get(f"{_seat(site, 0)}/people?sure=ask-end")
    _press(site, next(form for form in page.posts if form.hidden.get("sure") == "yes"), do="ask-end")

    def forms(number: int) -> list[Form]:
        return [form for form in site.get(_seat(site, number)).posts if ("answer", "withdraw") in form.buttons]

    assert forms(1) == []
    _press(site, forms(0)[0], answer="withdraw")
    assert forms(0) == []
    assert "no longer asks for this" in site.get(f"/games/{site.game}").text


def test_a_new_host_is_made_only_after_a_second_question(site: Site) -> None:
    site.log_in(0)
    page = Page(site.client.get(f"/games/{site.game}/people", base_url=URL).text)
    form = next(form for form in page.posts if ("do", "hand-over") in form.buttons)
    asked = _press(site, form, do="hand-over")
    assert site.view().seats[0].host
    name = site.view().seats[int(form.hidden["seat"])].name
    assert f"Make {name} the host?" in asked.headings
    sure = next(form for form in asked.posts if form.hidden.get("sure") == "yes")
    assert "There is a new host." in _press(site, sure, do="hand-over").text
    assert [seat.name for seat in site.view().seats if seat.host] == [name]


@pytest.mark.parametrize("seat", ["", "x", "99", "1" * 2000])
def test_a_second_question_about_nobody_is_not_asked(site: Site, seat: str) -> None:
    site.log_in(0)
    answer = site.client.get(
        f"/games/{site.game}/people", query_string={"sure": "hand-over", "seat": seat}, base_url=URL
    )
    assert answer.status_code in (200, 400)
    assert "the host?" not in answer.text


def test_a_game_is_cancelled_only_after_a_second_question(empty: Site) -> None:
    empty.open()
    empty.log_in(0)
    page = Page(empty.client.get(f"/games/{empty.game}", base_url=URL).text)
    cancel = next(form for form in page.posts if form.action.endswith("/cancel"))
    asked = _press(empty, cancel)
    assert empty.view().status == "open"
    assert "You cannot reopen a cancelled game." in asked.text
    _press(empty, next(form for form in asked.posts if form.action.endswith("/cancel")), sure="yes")
    assert empty.view().status == "cancelled"


def test_pages_say_that_only_time_ends_taking_back(empty: Site) -> None:
    """A look at the board by the next player does not end it: docs/playing.md."""
    empty.start(grace=timedelta(minutes=10))
    asked = next(seat.number for seat in empty.view().seats if seat.seat == empty.view().waiting_for)
    empty.log_in(asked)
    empty.press(empty.turn(), orders="issue 2")
    for text in (empty.get(empty.result(empty.submissions()[0].id)).text, empty.get(_seat(empty, asked)).text):
        assert "Nobody has been told yet." in text
        assert "unless" not in text.partition("take")[2].partition("Nobody has been told yet.")[0]


def test_a_host_reminds_replaces_and_withdraws_invitations_by_buttons(empty: Site) -> None:
    empty.open()
    empty.log_in(0)
    people = f"/games/{empty.game}/people"

    def form(value: str) -> Form:
        return _with(Page(empty.client.get(people, base_url=URL).text), value)

    assert "The invitation is on its way." in _press(empty, form("remind"), do="remind").text
    assert "The invitation is on its way." in _press(empty, form("invite"), do="invite", address="b@example.org").text
    assert empty.view().seats[1].name == "B"
    assert "The invitation is withdrawn." in _press(empty, form("uninvite"), do="uninvite").text
    assert empty.view().seats[1].status == "vacant"
    bad = form("invite")
    answer = empty.client.post(bad.action, data={**bad.fields, "do": "invite", "address": "ana@example"}, base_url=URL)
    assert answer.status_code == 400
    assert "ends without .org" in Page(answer.text).text
