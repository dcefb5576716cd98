"""From the start page into a game in one form, and what entering somebody else's address does not give."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from pbem.engine import catalog
from pbem.service.base import rate_limits
from pbem.service.base.tokens import ConfirmClaim
from pbem.service.games import guests
from pbem.service.operator import due
from pbem.service.turns import lessons
from pbem.store.statuses import GameStatus
from pbem.store.tables import Game, LoggedIn, Seat
from pbem.web.games.play import levels
from tests.web.games.test_tables import Browser
from tests.web.reading import Page
from tests.web.site import Site

BASE = "https://play.example.org"
ANN = {"map": "st_lucia", "name": "Ann", "email": "ann@example.org"}


class Visitor:
    """A browser nobody is logged in on."""

    def __init__(self, site: Site) -> None:
        self.site, self.client = site, site.app.test_client()

    def get(self, path: str) -> Page:
        answer = self.client.get(path, base_url=BASE, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return Page(answer.text)

    def code(self, path: str) -> int:
        return self.client.get(path, base_url=BASE).status_code

    def start(self, **changes: str) -> str:
        """Fill in the form of the start page; returns the id of the game."""
        answer = self.client.post("/play", data={**ANN, **changes}, base_url=BASE)
        assert answer.status_code == 303, answer.text
        self.site.game = self.site.letters("guest-game")[-1].data["game"]
        return self.site.game

    def press(self, path: str) -> Page:
        answer = self.client.post(path, base_url=BASE, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return Page(answer.text)


@pytest.fixture
def visitor(empty: Site) -> Visitor:
    return Visitor(empty)


def link(site: Site) -> str:
    letter = site.letters("guest-game")[-1]
    return site.path(site.office.addresses.confirm(site.game, 0, letter.account_id))


def test_the_first_question_is_on_the_screen_after_one_form(visitor: Visitor) -> None:
    visitor.start()
    visitor.site.robots_answer()
    page = visitor.get("/play")
    assert "You are Ann" in page.text
    assert page.posts[0].action.startswith("/t/")


def test_while_robots_think_a_page_waits_with_the_board(visitor: Visitor) -> None:
    visitor.start()
    while not visitor.site.view().robot_asked:
        visitor.site.play()
    answer = visitor.client.get("/play", base_url=BASE)
    assert "Robot Rufus is thinking" in answer.text
    assert 'http-equiv="refresh"' in answer.text
    picture = next(part for part in answer.text.split('"') if part.startswith(f"/games/{visitor.site.game}/"))
    assert visitor.code(picture.replace("&amp;", "&")) == 200


def test_what_is_wrong_stands_at_its_field_and_nothing_typed_is_lost(visitor: Visitor) -> None:
    answer = visitor.client.post("/play", data={"map": "mars", "name": "Ann", "email": ""}, base_url=BASE)
    assert answer.status_code == 400
    assert "Choose one of the boards." in answer.text
    assert "Enter your email address." in answer.text
    assert 'value="Ann"' in answer.text
    assert visitor.site.letters() == []


def test_the_novice_is_the_opponent_that_is_chosen_first(visitor: Visitor) -> None:
    page = visitor.get("/")
    assert [robot.key for robot in levels()] == ["penny", "rufus", "clara", "marta"]
    (form,) = [form for form in page.posts if form.action.startswith("/play")]
    assert form.fields["robot"] == "penny"


@pytest.mark.parametrize("robot", ["penny", "marta"])
def test_one_robot_takes_every_seat_where_it_is_chosen(visitor: Visitor, robot: str) -> None:
    visitor.start(map="rust_belt", robot=robot)
    assert [seat.robot for seat in visitor.site.view().seats] == ["", robot, robot, robot]


def test_a_robot_that_there_is_not_stands_at_the_form(visitor: Visitor) -> None:
    answer = visitor.client.post(
        "/play", data={"map": "rust_belt", "robot": "hal", "name": "Ann", "email": "ann@example.org"}, base_url=BASE
    )
    assert answer.status_code == 400
    assert "Choose one of the robots." in answer.text


@pytest.mark.parametrize("slug", [sheet.slug for sheet in catalog.sheets()])
def test_every_map_can_be_begun_alone_from_its_page_without_an_account(visitor: Visitor, slug: str) -> None:
    page = visitor.get(f"/maps/{slug}")
    page = visitor.get(page.link("#robots").partition("#")[0])
    (form,) = [form for form in page.posts if form.action.startswith("/play")]
    assert form.fields["map"] == slug
    visitor.start(map=form.fields["map"])
    game = visitor.site.view()
    assert (game.status, game.sheet.slug) == (GameStatus.RUNNING, slug)
    robots_there = sum(bool(seat.robot) for seat in game.seats)
    assert robots_there == len(game.seats) - 1
    assert bool(robots_there) == (1 not in game.sheet.player_counts())


def test_who_is_logged_in_plays_a_map_alone_with_one_press_and_the_lobby_offers_it_again(site: Site) -> None:
    ana = Browser(site, "Ana")
    form = next(form for form in ana.get("/maps/poland").posts if form.action == "/play")
    assert "Against 3 robots, without a time limit. It starts at once." in ana.get("/maps/poland").text
    assert "Poland" in ana.send(form).text
    offered = [form for form in ana.get("/").posts if form.action == "/play"]
    assert {form.fields["map"] for form in offered} == {"poland"}


def test_a_button_against_robots_stands_where_nobody_waits_for_the_reader(empty: Site) -> None:
    newcomer = Browser(empty, "Eva")
    page = newcomer.get("/")
    assert "Play against robots" in page.text
    form = next(form for form in page.posts if form.action == "/play")
    assert "Rust Belt" in newcomer.send(form).text


def test_no_map_and_the_lesson_are_not_offered_on_the_start_page(visitor: Visitor) -> None:
    for chosen in ("mars", lessons.FIRST, "x" * 60):
        (form,) = [form for form in visitor.get(f"/?map={chosen}").posts if form.action.startswith("/play")]
        assert form.fields["map"] == guests.BOARDS[0].map


def test_only_one_letter_goes_out_before_the_address_is_confirmed(visitor: Visitor) -> None:
    visitor.start()
    for _ in range(4):
        visitor.site.robots_answer()
        visitor.site.play()
    visitor.site.later(days=1)
    assert visitor.site.send_all() == ["guest-game"]


def test_the_link_of_the_letter_changes_nothing_until_its_button_is_pressed_and_then_logs_in(visitor: Visitor) -> None:
    game = visitor.start()
    other = Visitor(visitor.site)
    assert "Play on in St. Lucia?" in other.get(link(visitor.site)).text
    assert visitor.site.view().seats[0].holder == 0
    assert "You are Ann" in other.press(link(visitor.site)).text or "Ann" in other.get("/account").text
    with visitor.site.office.read() as session:
        seat = session.scalars(select(Seat).where(Seat.game_id == game, Seat.number == 0)).one()
        row = session.get_one(Game, game)
        assert seat.account_id is not None
        assert row.host_id == seat.account_id
    other.press(link(visitor.site))  # a second time it only logs in


def test_what_the_first_browser_had_is_void_once_the_address_is_confirmed(visitor: Visitor) -> None:
    game = visitor.start()
    Visitor(visitor.site).press(link(visitor.site))
    assert visitor.code(f"/games/{game}") == 404
    assert visitor.client.get("/play", base_url=BASE).headers["Location"] == "/"


def test_the_first_browser_says_how_to_go_on_once_the_address_is_confirmed_on_another(visitor: Visitor) -> None:
    visitor.start()
    assert "is confirmed" not in visitor.get("/").text
    Visitor(visitor.site).press(link(visitor.site))
    page = visitor.get("/play")
    assert "The address of your game of St. Lucia is confirmed." in page.text
    assert page.link("/login")
    visitor.site.play_on(1000)
    assert "is confirmed" not in visitor.get("/").text


def test_who_logs_in_on_the_first_browser_after_that_is_at_the_question_again(visitor: Visitor) -> None:
    site = visitor.site
    visitor.start()
    site.robots_answer()
    Visitor(site).press(link(site))
    for address, leads_to in (("eve@example.org", "/logout"), (ANN["email"], "/t/")):
        site.account("", address)
        assert visitor.client.post("/login", data={"address": address}, base_url=BASE).status_code == 200
        entered = site.path(site.office.addresses.login(site.letters("login")[-1].data["login"]))
        assert visitor.press(entered).posts[0].action.startswith(leads_to)


def test_the_address_of_somebody_gives_no_right_to_the_account_and_games_of_that_person(visitor: Visitor) -> None:
    site = visitor.site
    site.start_anew(unlisted=True)
    old, logged_in = site.game, _log_ins(site)
    new = visitor.start(email="ben@example.org")
    assert visitor.code(f"/games/{old}") == 404
    assert visitor.code("/account") == 302
    assert _log_ins(site) == logged_in
    assert visitor.code(f"/games/{site.game}/people") == 302
    ben = Visitor(site)
    account = site.only(select(Seat.account_id).where(Seat.game_id == old, Seat.number == 1)) or 0
    ben.press(site.path(site.office.addresses.seat(old, 1)))
    assert new not in ben.get("/").html
    assert site.letters("guest-game")[-1].account_id == account


def _log_ins(site: Site) -> int:
    with site.office.read() as session:
        return session.scalar(select(func.count()).select_from(LoggedIn)) or 0


def test_nobody_else_sees_the_game_before_the_address_is_confirmed(visitor: Visitor) -> None:
    game = visitor.start()
    assert visitor.code(f"/games/{game}") == 200
    assert Visitor(visitor.site).code(f"/games/{game}") == 404


def test_somebody_else_does_not_take_the_game_over_with_a_link_of_another_account(visitor: Visitor) -> None:
    visitor.start()
    Visitor(visitor.site).press(link(visitor.site))
    visitor.start(email="eve@example.org")
    eve = visitor.site.letters("guest-game")[-1].account_id
    first = visitor.site.letters("guest-game")[0].data["game"]
    assert guests.waits(_seat(visitor.site))
    path = visitor.site.path(visitor.site.office.addresses.confirm(first, 0, eve))
    answer = visitor.client.post(path, base_url=BASE)
    assert answer.headers["Location"] == "/"
    assert visitor.site.office.tokens.read(ConfirmClaim, path.rpartition("/")[2]) == ConfirmClaim(first, 0, eve)


def _seat(site: Site) -> Seat:
    return site.only(select(Seat).where(Seat.game_id == site.game, Seat.number == 0))


def test_a_game_that_is_never_confirmed_nor_played_costs_nothing(visitor: Visitor) -> None:
    """It has no end of time, as the start page promises."""
    visitor.start(map="st_lucia")
    visitor.site.robots_answer()
    before = visitor.site.view()
    visitor.site.awake(days=90)
    assert due.deadlines(visitor.site.office, visitor.site.now) == []
    assert (before.deadline, visitor.site.view().version) == (None, before.version)


def test_who_is_logged_in_has_the_game_at_once(empty: Site) -> None:
    empty.open()
    empty.log_in(0)
    mark = Page(empty.client.get("/new", base_url=BASE).text).posts[0].hidden.get("mark", "")
    answer = empty.client.post("/play", data={"map": "st_lucia", "mark": mark}, base_url=BASE)
    assert answer.status_code == 303
    assert "/games/" in answer.headers["Location"]
    assert empty.client.post("/play", data={"map": "st_lucia", "mark": "0"}, base_url=BASE).status_code == 403


@pytest.mark.parametrize("path", ["/", "/tables"])
def test_who_is_logged_in_plays_robots_with_one_button_on_the_last_board(empty: Site, path: str) -> None:
    empty.open()
    empty.log_in(0)
    for before, now in (("rust_belt", "ireland"), ("ireland", "barbados"), ("barbados", "rust_belt")):
        page = Page(empty.client.get(path, base_url=BASE).text)
        form = next(form for form in page.posts if form.action == "/play")
        assert form.fields["map"] == before
        empty.later(minutes=1)
        answer = empty.client.post("/play", data={**form.fields, "map": now}, base_url=BASE)
        assert answer.headers["Location"].startswith("/games/")


def test_a_board_that_there_is_not_is_told_to_who_is_logged_in(empty: Site) -> None:
    empty.open()
    empty.log_in(0)
    form = next(form for form in Page(empty.client.get("/", base_url=BASE).text).posts if form.action == "/play")
    answer = empty.client.post("/play", data={**form.fields, "map": "mars"}, base_url=BASE)
    assert answer.status_code == 400
    assert "Choose one of the boards." in answer.text


def test_the_start_page_leads_back_to_the_game_of_this_browser(visitor: Visitor) -> None:
    visitor.start()
    assert "Your game of St. Lucia goes on" in visitor.get("/").text
    assert "goes on" not in Visitor(visitor.site).get("/").text


def test_one_client_does_not_fill_the_server_with_games_and_strangers_with_emails(visitor: Visitor) -> None:
    office = visitor.site.office
    visitor.site.office = replace(office, settings=replace(office.settings, rate_limits=True))
    for number in range(rate_limits.GUEST_GAMES.most):
        _begin(visitor.site, f"ann{number}@example.org")
    with pytest.raises(rate_limits.TooMuch):
        _begin(visitor.site, "ann@example.org")


def test_one_mailbox_gets_no_more_than_twenty_of_these_letters_a_day_from_whatever_clients(visitor: Visitor) -> None:
    office = visitor.site.office
    visitor.site.office = replace(office, settings=replace(office.settings, rate_limits=True))
    for number in range(rate_limits.LOGIN_LETTERS_TO.most + 2):
        _begin(visitor.site, f"ann+{number}@example.org", client=str(number))
    assert len(visitor.site.letters("guest-game")) == rate_limits.LOGIN_LETTERS_TO.most


def _begin(site: Site, address: str, client: str = "192.0.2.1") -> None:
    guests.start(site.office, "barbados", "Ann", address, site.now, client)
