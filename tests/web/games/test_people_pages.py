"""Log-in, lobby, new game, invitations: what people do beside their turns."""

from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pbem.engine import Sheet, catalog
from pbem.service.archive import archive
from pbem.service.base.tokens import LoginClaim
from pbem.service.games import views
from pbem.service.letters import talk
from pbem.service.people import accounts
from pbem.service.statistics import counting
from pbem.store.tables import Login
from pbem.web.base.context import COOKIE
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

URL = "https://play.example.org"


class Browser:
    """A browser at the public address, which keeps its cookies."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.client: FlaskClient = site.client

    def get(self, path: str) -> Page:
        answer = self.client.get(path, base_url=URL, follow_redirects=True)
        assert answer.status_code < 500
        return Page(answer.text)

    def post(self, path: str, **fields: str) -> TestResponse:
        """Send a form with the mark that its page carried."""
        mark = next((form.hidden["mark"] for form in self.get("/").posts if "mark" in form.hidden), "")
        return self.client.post(path, data={"mark": mark, **fields}, base_url=URL)


@pytest.fixture
def browser(empty: Site) -> Browser:
    """Ana has opened a game and is logged in."""
    empty.open()
    empty.log_in(0)
    return Browser(empty)


def _login_token(site: Site) -> str:
    with site.office.read() as session:
        (login,) = session.query(Login).all()
    assert site.office.tokens.read(LoginClaim, site.office.tokens.make(LoginClaim(login.id))) == LoginClaim(login.id)
    return site.office.tokens.make(LoginClaim(login.id))


def test_a_guest_is_told_how_it_works_and_can_log_in(empty: Site) -> None:
    page = empty.get("/")
    assert page.headings[0].startswith("Age of Steam and Steam")
    assert page.headings[0].endswith("By email, over days and weeks.")
    assert [form.action for form in page.posts] == ["/play#robots", "/login"]


def test_a_mailed_link_logs_in_only_when_its_button_is_pressed(empty: Site) -> None:
    assert "Check your email" in empty.post("/login", {"address": "Ana@Example.org"}, 200).text
    token = _login_token(empty)
    for _ in range(2):
        assert empty.get(f"/login/{token}").form.buttons
    answer = empty.client.post(f"/login/{token}", base_url=URL)
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" in cookie
    assert "Your turn: 0 games" in Browser(empty).get("/").text
    assert "used" in empty.client.post(f"/login/{token}", base_url=URL).text


def test_a_link_that_is_too_old_says_so(empty: Site) -> None:
    empty.post("/login", {"address": "ana@example.org"}, 200)
    token = _login_token(empty)
    empty.later(minutes=21)
    assert empty.get(f"/login/{token}").posts == []
    assert empty.client.post(f"/login/{token}").status_code == 409


def test_logging_out_needs_the_form_of_this_browser(browser: Browser) -> None:
    assert browser.client.post("/logout", base_url=URL).status_code == 400
    assert browser.client.post("/logout", data={"mark": "0" * 64}, base_url=URL).status_code == 403
    assert "Ana" in browser.get("/").text
    assert browser.post("/logout").status_code == 303
    assert "You are logged out" in browser.get("/?logged_out=1").text


def test_a_new_game_invites_its_players(browser: Browser) -> None:
    sent = browser.post(
        "/new",
        title="Slow train to Duluth",
        map="age-of-steam/rust_belt",
        players='Ben ben@example.org\n\n"Chloé" <chloe@example.org>',
        turn_time="3d",
    )
    assert sent.status_code == 303
    page = browser.get(sent.headers["Location"])
    assert page.headings[0] == "Slow train to Duluth"
    assert "Waiting for Ben and Chloé." in page.text


def test_what_is_wrong_with_a_new_game_is_said_at_its_fields_and_nothing_typed_is_lost(browser: Browser) -> None:
    sent = browser.post("/new", title="", map="x/y", players="nonsense\n<script>alert(1)</script>", turn_time="1s")
    assert sent.status_code == 400
    page = Page(sent.text)
    assert "“nonsense” is not an email address" in page.text
    form = next(form for form in page.posts if form.action == "/new")
    assert form.fields["players"] == "nonsense\n<script>alert(1)</script>"
    assert "<script>alert" not in sent.text


@pytest.mark.parametrize("sheet", [s for s in catalog.sheets() if 3 in s.player_counts()], ids=lambda sheet: sheet.slug)
def test_every_map_is_opened_at_once_with_its_own_options_and_without_a_name(browser: Browser, sheet: Sheet) -> None:
    """As a browser sends the form: every field of it, those of other maps too."""
    form = next(form for form in browser.get("/new").posts if form.action == "/new")
    last = {f"options.{option.key}": [*option.choices][-1] for option in sheet.options()}
    typed = {"map": f"{sheet.game}/{sheet.slug}", "players": "b@example.org\nc@example.org"}
    sent = browser.client.post("/new", data={**form.fields, **typed, **last}, base_url=URL)
    assert sent.status_code == 303
    view = views.game(browser.site.office, sent.headers["Location"].rpartition("/")[2])
    assert view.title == sheet.name
    assert {f"options.{key}": value for key, value in view.options.items()} == last


def test_the_form_can_be_updated_without_sending_it(browser: Browser) -> None:
    answer = browser.post("/new", title="Winter", map="age-of-steam/rust_belt", players="x", turn_time="3d", update="1")
    assert answer.status_code == 200
    assert '<th scope="row">3</th><td class="num">10</td><td class="num">64</td>' in answer.text, "what to expect"


def test_the_lobby_has_the_turn_the_waiting_and_the_invitations(browser: Browser) -> None:
    assert "Not started yet: 1 game" in browser.get("/").text
    for number in (1, 2, 3):
        browser.site.answer(number)
    asked = next(seat for seat in browser.site.view().seats if seat.seat == browser.site.view().waiting_for)
    browser.site.log_in(asked.number)
    page = browser.get("/")
    assert "Your turn: 1 game" in page.text
    assert page.link("/t/")
    browser.site.log_in((asked.number + 1) % 4)
    assert f"Waiting for {asked.name}" in browser.get("/").text


def test_a_name_can_be_changed_and_a_bad_one_is_explained(browser: Browser) -> None:
    assert browser.post("/account/name", name="Anne <b>").status_code == 303
    assert "Anne &lt;b&gt;" in browser.get("/account?saved=name").html
    answer = browser.post("/account/name", name="x" * 500)
    assert answer.status_code == 400
    assert "longer than 40 characters" in answer.text


def test_an_invitation_is_answered_in_the_list_of_games(empty: Site) -> None:
    empty.open()
    empty.log_in(1)
    ben = Browser(empty)
    assert "Ana invites you to Age of Steam, Rust Belt: 4 players, 3 days for each answer." in ben.get("/").text
    address = f"/games/{empty.game}/invitation"
    assert ben.post(address, answer="perhaps").status_code == 400
    assert ben.client.post(address, data={"answer": "accept", "mark": "x"}, base_url=URL).status_code == 403, (
        "no form of ours"
    )
    assert empty.view().seats[1].status == "invited"
    assert "You have declined." in ben.get(ben.post(address, answer="decline").headers["Location"]).text
    assert "You have accepted." in ben.get(ben.post(address, answer="accept").headers["Location"]).text
    assert empty.view().seats[1].status == "accepted"
    empty.log_in(2)
    assert "Accepted: Ben. Not accepted yet: Davi." in Browser(empty).get("/").text


def test_what_others_have_said_is_counted_until_it_is_marked_as_read(browser: Browser) -> None:
    talk.post(browser.site.office, browser.site.game, 0, "Hello?", browser.site.now)
    assert "new message" not in browser.get("/").text
    browser.site.answer(1)
    talk.post(browser.site.office, browser.site.game, 1, "Here.", browser.site.now)
    assert "1 new message" in browser.get("/").text
    page = browser.get(f"/games/{browser.site.game}")
    assert "1 new message" in browser.get("/").text, "to look changes nothing"
    form = next(form for form in page.posts if form.action.endswith("/talk/read"))
    assert browser.client.post(form.action, data=form.hidden, base_url=URL).status_code == 303
    assert "new message" not in browser.get("/").text
    assert "Mark as read" not in browser.get(f"/games/{browser.site.game}").text


def test_an_invitation_is_answered_by_its_button_only(empty: Site) -> None:
    empty.open()
    path = empty.path(empty.office.addresses.invitation(empty.game, 1, "accept"))
    page = empty.get(path)
    assert page.headings[0] == "Accept the invitation?"
    assert page.form.hidden == {"answer": "accept", "browser_zone": ""}
    assert empty.view().seats[1].status == "invited"
    assert "You have accepted." in empty.press(path).text
    assert empty.view().seats[1].status == "accepted"


def test_an_invitation_without_an_answer_offers_both(empty: Site) -> None:
    empty.open()
    path = empty.path(empty.office.addresses.invitation(empty.game, 2))
    assert empty.get(path).form.buttons == [("answer", "accept"), ("answer", "decline")]
    told = empty.press(path, answer="decline").text
    assert "You have declined." in told
    assert "changed nothing" not in told
    assert "has declined, so it cannot start now." in empty.get(f"/games/{empty.game}").text


def test_an_invitation_to_a_game_that_has_started_leads_to_it(empty: Site) -> None:
    empty.start()
    path = empty.path(empty.office.addresses.invitation(empty.game, 2))
    page = empty.get(path)
    assert page.posts == []
    assert f"/games/{empty.game}" in page.links
    assert empty.client.post(path, data={"answer": "decline"}).status_code == 409


@pytest.mark.parametrize("fields", [{}, {"answer": "maybe"}, {"answer": ["accept", "decline"]}])
def test_an_answer_that_is_none_is_not_taken(empty: Site, fields: dict[str, str]) -> None:
    empty.open()
    path = empty.path(empty.office.addresses.invitation(empty.game, 2))
    assert empty.client.post(path, data=fields).status_code == 400
    assert empty.view().seats[2].status == "invited"


def test_the_archive_lists_finished_games_only(played: Played) -> None:
    assert "No game has ended yet" in played("started").get("/archive").text
    site = played("over")
    assert "Coal by post" in site.get("/archive").text
    assert "1 game, newest first" in site.get("/archive").text
    assert "Coal by post" in site.get("/archive?q=chlo&map=rust_belt").text
    assert "1 of 1 games, newest first" in site.get("/archive?q=chlo&map=rust_belt").text
    assert "No finished game matches" in site.get("/archive?q=nobody").text


def test_the_archive_counts_its_games_to_a_limit(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    site = played("over")
    found = archive.page(site.office, archive.Wanted(map="germany"))
    assert (found.found, found.in_all) == (0, 1)
    monkeypatch.setattr(archive, "MOST_COUNTED", 0)
    assert "More than 0 games, newest first" in site.get("/archive").text


def test_filters_of_the_archive_stay_in_its_address_and_in_its_form(played: Played) -> None:
    site = played("over")
    assert 'name="mine"' not in site.get("/archive").html
    site.log_in()
    for game in counting.due(site.office, site.now):
        counting.count(site.office, game, site.now)
    whole = "/archive?players=4&order=longest"

    def page(address: str) -> Page:
        answer = site.client.get(address, base_url=site.office.settings.public_url)
        assert answer.status_code == 200
        return Page(answer.text)

    assert "Coal by post" in page(f"{whole}&mine=1").text
    assert "First page" in page(f"{whole}&mine=1&older=x").text
    assert "/archive?players=4&order=longest&mine=1" in page(f"{whole}&mine=1&older=x").links
    assert "No finished game matches" in page("/archive?players=6").text
    assert "Coal by post" in page("/archive?players=99&order=loudest&mine=yes&older=x").text
    shown = page(whole).html
    assert "<option selected>4</option>" in shown
    assert '<option value="longest" selected>' in shown


def test_players_of_a_game_without_limit_of_turns_find_how_to_end_it(empty: Site) -> None:
    """Steam Power, SP-R5a: whoever only takes cash plays for ever."""
    site = empty
    site.start(game="steam-power", map="ireland")
    for number in (0, 1, 2):
        site.client = site.app.test_client()
        site.log_in(number)
        page = Page(site.client.get(f"/games/{site.game}", base_url=URL).text)
        if number == 0:
            page = Page(site.client.get(page.link("/people"), base_url=URL).text)
            form = next(form for form in page.posts if ("do", "ask-end") in form.buttons)
            answer = {"do": "ask-end", "sure": "yes"}
        else:
            form = next(form for form in page.posts if "vote" in form.hidden)
            answer = {"answer": "agree"}
        assert site.client.post(form.action, data={**form.hidden, **answer}, base_url=URL).status_code == 303
    assert site.view().status == "stopping"


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("/new", "/new"),
        ("/new?open=1", "/new?open=1"),
        ("/new?map=age-of-steam/germany", "/new?map=age-of-steam/germany"),
    ],
)
def test_a_guest_comes_to_the_form_by_the_link_that_logs_in(empty: Site, address: str, leads_to: str) -> None:
    browser = Browser(empty)
    page = browser.get(address)
    assert page.headings[0] == "New game"
    (form,) = page.posts
    assert browser.client.post(form.action, data={**form.fields, "address": "x"}, base_url=URL).status_code == 400
    assert browser.client.post(form.action, data={**form.fields, "address": "z@x.org"}, base_url=URL).status_code == 200
    (letter,) = empty.letters("login")
    (enters,) = browser.get(empty.path(empty.read(letter).own.link)).posts
    answer = browser.client.post(enters.action, data=enters.fields, base_url=URL)
    assert unquote(answer.headers["Location"]) == leads_to
    assert "1. Map" in browser.get(answer.headers["Location"]).headings


@pytest.mark.parametrize("then", ["https://evil.example", "//evil.example", "", "mars", "/account"])
def test_a_link_that_logs_in_leads_nowhere_else(empty: Site, then: str) -> None:
    browser = Browser(empty)
    browser.client.post("/login", data={"address": "z@x.org", "then": then}, base_url=URL)
    (letter,) = empty.letters("login")
    link = empty.path(empty.read(letter).own.link)
    assert "?" not in link
    answer = browser.client.post(link, data={"then": then}, base_url=URL)
    assert answer.headers["Location"] == "/"


def test_who_has_played_is_not_asked_whether_never(browser: Browser, empty: Site) -> None:
    with empty.office.write() as session:
        newcomer = accounts.account(session, "new@example.org", "New", empty.now).id
        secret = accounts.remember(empty.office, session, newcomer, empty.now)
    stranger = Browser(empty)
    stranger.client = empty.app.test_client()
    stranger.client.set_cookie(f"__Host-{COOKIE}", secret, domain="play.example.org", secure=True)
    for path in ("/", "/tables"):
        assert "Never played?" in stranger.get(path).text
    for number in range(1, 4):
        empty.answer(number)
    assert "Never played?" not in browser.get("/tables").text
    empty.play_on(1000)
    assert "You are not in a game at the moment." in browser.get("/").text
    assert "Never played?" not in browser.get("/").text
