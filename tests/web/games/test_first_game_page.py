"""The page of the first game: who has never played finds it from everywhere, and begins it with one form."""

import pytest

from pbem.service.base.tokens import ConfirmClaim
from pbem.service.games import first_game, guests
from pbem.service.orders import robots, submissions
from pbem.web.games.game import LAST_SHOWN
from tests.web.reading import Page
from tests.web.site import Site

BASE = "https://play.example.org"
ANN = {"name": "Ann", "email": "ann@example.org"}


def test_it_is_found_from_the_start_page_the_guides_and_every_invitation(empty: Site) -> None:
    visitor = empty.app.test_client()
    for page in ("/", "/how-to-play", "/how-to-play/age-of-steam"):
        assert 'href="/first-game"' in visitor.get(page).text
    empty.open()
    for row in empty.letters("invitation"):
        begins = empty.path(empty.read(row).own.first_game)
        assert "Your invitation stays as it is." in visitor.get(begins).text
        answer = empty.path(empty.read(row).own.accept)
        assert begins in visitor.get(answer).text


def test_whoever_was_invited_presses_one_button_and_gets_the_first_email(empty: Site) -> None:
    empty.open()
    invitation = empty.letters("invitation")[1]
    begins = empty.path(empty.read(invitation).own.first_game)
    assert "chloe@example.org" in empty.get(begins).text
    assert empty.letters("lesson") == []
    for _ in range(2):
        empty.press(begins)
    assert [row.account_id for row in empty.letters("lesson")] == [invitation.account_id]


def test_a_visitor_gives_a_name_and_an_address_and_confirms_it_by_email(empty: Site) -> None:
    answer = empty.client.post("/first-game", data=ANN, base_url=BASE)
    assert answer.headers["Location"] == "/first-game/begun"
    page = empty.client.get("/first-game/begun", base_url=BASE).text
    assert "We have sent an email to the address you gave." in page
    assert [row.kind for row in empty.letters()] == ["guest-game"]
    (row,) = empty.letters()
    guests.confirm(empty.office, ConfirmClaim(row.data["game"], row.data["number"], row.account_id), empty.now)
    assert [row.kind for row in empty.letters()] == ["guest-game", "lesson"]


def test_what_is_wrong_stands_at_its_field_and_nothing_is_begun(empty: Site) -> None:
    answer = empty.client.post("/first-game", data={"name": "Ann", "email": "nowhere"}, base_url=BASE)
    assert answer.status_code == 400
    assert "1 problem to fix." in answer.text
    assert 'value="Ann"' in answer.text
    assert empty.letters() == []


def test_whoever_is_logged_in_begins_with_a_form_of_their_own(site: Site) -> None:
    site.log_in()
    page = Page(site.client.get("/first-game", base_url=BASE).text)
    (form,) = (form for form in page.posts if form.action == "/first-game")
    assert site.client.post("/first-game", data={"mark": "x"}, base_url=BASE).status_code == 403
    assert site.client.post("/first-game", data=form.hidden, base_url=BASE).status_code == 303
    (row,) = site.letters("lesson")
    assert "on its way" in site.client.get("/first-game/begun", base_url=BASE).text
    assert row.account_id == site.host


@pytest.mark.parametrize("token", ["x", "x" * 400])
def test_a_token_that_is_none_is_no_page(site: Site, token: str) -> None:
    assert site.client.get(f"/first-game?invitation={token}").status_code in (400, 404)
    assert site.client.post("/first-game", data={"invitation": token}).status_code in (400, 403, 404)


def test_the_page_of_an_answer_says_that_an_email_explains_the_next_question(empty: Site) -> None:
    empty.client.post("/first-game", data=ANN, base_url=BASE)
    empty.game = empty.letters("guest-game")[0].data["game"]
    view = empty.view()
    order = str(view.sheet.default(view.state))
    number = empty.send(order)
    while empty.view().robot_asked:
        assert robots.think(empty.office, empty.game, empty.now)
        submissions.play_waiting(empty.office, empty.game, empty.now)
    page = empty.client.get(empty.result(number), base_url=BASE).text
    assert "Once your address is confirmed, an email explains every question of the first game." in page


def test_once_the_address_is_confirmed_the_page_of_an_answer_no_longer_asks_for_that(site: Site) -> None:
    site.log_in()
    site.game = first_game.begin(site.office, site.host, site.now)
    number = site.send(site.legal())
    while site.view().robot_asked:
        assert robots.think(site.office, site.game, site.now)
        submissions.play_waiting(site.office, site.game, site.now)
    page = site.get(site.result(number)).text
    assert "An email explains every question of the first game." in page
    assert "confirmed" not in page


def test_the_page_of_the_first_game_folds_what_robots_played_for_everybody(site: Site) -> None:
    site.log_in()
    site.game = first_game.begin(site.office, site.host, site.now)
    opening = site.view().version
    page = Page(site.client.get(f"/games/{site.game}", base_url=BASE).text)
    assert "The last orders" in page.headings
    assert f"Robots played orders 1 to {opening} for all players." in page.text
    shown, _, folded = page.html.partition("Played by robots for all players")
    assert shown.count('<li><a class="n"') == LAST_SHOWN
    assert '<li><a class="n"' in folded.partition("</details>")[0]
    site.play()
    page = Page(site.client.get(f"/games/{site.game}", base_url=BASE).text)
    assert "Since your last turn" in page.headings
    assert f"Robots played orders 1 to {opening} for all players." in page.text
