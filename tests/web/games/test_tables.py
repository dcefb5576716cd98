"""Open tables by clicks: two browsers meet without an address exchanged, and what a host decides on the page."""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta

import pytest

from pbem.service.games import opening
from pbem.service.games.terms import Terms
from pbem.service.people import accounts, programs
from pbem.store.statuses import GameStatus
from tests.web.reading import Form, Page
from tests.web.site import Site

BASE = "https://play.example.org"
NOTHING: Mapping[str, str] = {}


class Browser:
    """A browser of its own; ``name`` logs in."""

    def __init__(self, site: Site, name: str = "") -> None:
        self.site, self.client = site, site.app.test_client()
        if name:
            with site.office.write() as session:
                account = accounts.account(session, f"{name.casefold()}@example.org", name, site.now).id
                secret = accounts.remember(site.office, session, account, site.now)
            self.client.set_cookie("__Host-pbem", secret, domain="play.example.org")

    def get(self, path: str, code: int = 200) -> Page:
        answer = self.client.get(path, base_url=BASE, follow_redirects=True)
        assert answer.status_code == code, answer.text
        return Page(answer.text)

    def send(self, form: Form, code: int = 200, more: Mapping[str, str] = NOTHING, **fields: str) -> Page:
        """Send a form; ``more`` is for fields whose name is no word."""
        sent = {**form.fields, **more, **fields}
        answer = self.client.post(form.action, data=sent, base_url=BASE, follow_redirects=True)
        assert answer.status_code == code, answer.text
        return Page(answer.text)

    def press(self, path: str, do: str, **fields: str) -> Page:
        """Open a page and press the button that does this, in the first form that has it."""
        form = next(form for form in self.get(path).posts if ("do", do) in form.buttons)
        return self.send(form, more={"do": do, **fields})

    def opens(self, **fields: str) -> Page:
        """Fill in the form of a new game; the page of tables follows."""
        form = form_of(self.get("/new?open=1"))
        return self.send(form, more={"title": "Four winters", "map": "age-of-steam/rust_belt", **fields})

    def joins(self) -> Page:
        """Press "Join" at the first table of the list."""
        form = next(form for form in self.get("/tables").posts if ("do", "join") in form.buttons)
        return self.send(form, do="join")


@pytest.fixture
def browser(empty: Site) -> Callable[..., Browser]:

    def of_name(name: str = "") -> Browser:
        return Browser(empty, name)

    return of_name


Opened = Callable[..., Browser]


def of(browser: Browser) -> Page:
    return browser.get("/tables")


def form_of(page: Page) -> Form:
    """The form of a page, beside that of the log-out."""
    (only,) = [form for form in page.posts if form.action != "/logout"]
    return only


def link_of(page: Page) -> str:
    """The link to pass on, without its host."""
    form = next(value for value in page.html.split('"') if value.startswith(f"{BASE}/j/"))
    return form.removeprefix(BASE)


def test_two_browsers_meet_at_a_table_without_an_address_exchanged(browser: Opened, empty: Site) -> None:
    ana, ben, zoe = browser("Ana"), browser("Ben"), browser()
    assert "Four winters : 2 seats left" in ana.opens().text
    assert "You have a seat. We email you" in ben.joins().text
    assert "1 seat left" in of(zoe).text
    page = zoe.get(of(zoe).link("/tables/"))
    asked = zoe.send(form_of(page), name="Zoe", email="zoe@example.org")
    assert "Check your email." in asked.text
    letter = empty.letters("seat-at-table")[-1]
    link = empty.path(empty.office.addresses.sit(letter.data["game"], letter.account_id, letter.data["key"]))
    empty.game = letter.data["game"]
    sitting = zoe.get(link)
    assert "Take a seat at Four winters?" in sitting.text
    assert empty.view().status == GameStatus.OPEN
    zoe.send(form_of(sitting))
    assert empty.view().status == GameStatus.RUNNING
    assert [seat.name for seat in empty.view().seats] == ["Ana", "Ben", "Zoe"]
    assert "Zoe" in zoe.get("/account").text
    assert "No table has a seat for you now" in of(browser()).text


def test_the_lobby_lists_tables_with_a_seat_for_the_reader_and_leads_to_them(browser: Opened, empty: Site) -> None:
    assert "No table has a seat for you now." in Browser(empty, "Cleo").get("/").text
    Browser(empty, "Anna").opens(open_seats="3")
    lobby = Browser(empty, "Cleo").get("/")
    assert "Four winters Age of Steam, Rust Belt" in " ".join(lobby.text.split())
    assert " of 4 " in " ".join(lobby.text.split())
    table = Browser(empty, "Cleo").get(lobby.link("/tables/"))
    assert any(("do", "join") in form.buttons for form in table.posts)
    assert "No table has a seat for you now." in Browser(empty, "Anna").get("/").text


def test_maps_of_a_new_game_stand_by_game_and_its_form_is_one_click_from_everywhere(empty: Site) -> None:
    anna = Browser(empty, "Anna")
    for path in ("/archive", "/maps", "/account"):
        assert "/new" in anna.get(path).links
    form = anna.get("/new").html
    head = form.index("<h3>Steam Power</h3>")
    assert form.index("<h3>Age of Steam</h3>") < form.index('name="map" value="age-of-steam/rust_belt"') < head
    assert head < form.index('name="map" value="steam-power/ireland"')


def test_who_sits_can_leave_and_the_host_decides(browser: Opened, empty: Site) -> None:
    ana, ben = browser("Ana"), browser("Ben")
    ana.opens()
    ben.joins()
    assert "Your seat is free again." in ben.press("/tables", "leave").text
    assert "no longer in the list" in ana.press("/tables", "unlist").text
    assert "No table has a seat for you now" in of(ben).text
    ana.press("/tables", "list")
    assert "Saved." in ana.press("/tables", "if-free", if_free="off").text
    page = ana.get(of(ana).link("sure=cancel"))
    cancel = next(form for form in page.posts if form.action.endswith("/cancel"))
    assert "The game is cancelled." in ana.send(cancel, sure="yes").text
    assert "Four winters" not in of(ana).text


def test_the_host_fills_the_table_with_robots_and_is_in_the_game(browser: Opened) -> None:
    ana = browser("Ana")
    ana.opens()
    page = ana.press("/tables", "fill")
    assert "Robot Marta" in page.text
    assert "Robot Clara" in page.text


def test_the_host_changes_the_table(browser: Opened) -> None:
    ana = browser("Ana")
    change = ana.opens().link("/change")
    assert "at most 12 weeks" in ana.send(form_of(ana.get(change)), 400, fill_at="2029-01-01T10:00").text
    assert "Write the date" in ana.send(form_of(ana.get(change)), 400, fill_at="soon").text
    page = ana.send(form_of(ana.get(change)), open_seats="4", more={"lang.de": "1"}, experience="beginners")
    assert "Four winters : 4 seats left" in page.text
    assert "English or German" in page.text
    assert "Beginners welcome" in of(browser()).text
    browser("Ben").get(change, 403)


def test_a_host_without_a_seat_changes_the_table_and_may_call_it_off(browser: Opened, empty: Site) -> None:
    zoe = browser("Zoe")
    host = empty.account("Zoe")
    terms = Terms(3, empty.now + timedelta(days=7))
    new = opening.NewGame("Four winters", "age-of-steam", "rust_belt", (), plays=False, open_to=terms)
    game = opening.open_game(empty.office, host, new, empty.now)
    page = zoe.get(f"/games/{game}")
    page = zoe.send(form_of(zoe.get(page.link("/change"))), open_seats="4")
    assert "Four winters : 4 seats left" in page.text
    assert any(form.action.endswith("/cancel") for form in zoe.get(f"/games/{game}?sure=cancel").posts)
    browser("Ben").get(f"/tables/{game}/change", 403)


def test_only_the_host_decides(browser: Opened) -> None:
    ana, ben = browser("Ana"), browser("Ben")
    fill = next(form for form in ana.opens().posts if ("do", "fill") in form.buttons)
    mark = next(form for form in of(ben).posts if ("do", "join") in form.buttons).fields["mark"]
    for do in ("fill", "list", "unlist", "new-link", "revoke", "if-free"):
        page = ben.send(fill, 409, do=do, mark=mark, if_free="off")
        assert "Only the host" in page.text
    ben.send(fill, 403, do="fill")


def test_what_is_wrong_in_the_form_of_a_seat_stands_at_its_field(browser: Opened) -> None:
    browser("Ana").opens()
    zoe = browser()
    page = zoe.get(of(zoe).link("/tables/"))
    wrong = zoe.send(form_of(page), 400, name="", email="nonsense")
    assert "Enter a name." in wrong.text
    assert "is not an email address." in wrong.text
    assert 'value="nonsense"' in wrong.html


def test_filters_are_kept_and_show_what_fits(browser: Opened) -> None:
    browser("Ana").opens()
    zoe = browser()
    assert "Four winters" in zoe.get("/tables?n=2&pace=calm&lang=en").text
    for query in ("n=3", "pace=brisk", "lang=pl"):
        assert "Four winters" not in zoe.get(f"/tables?{query}").text
    assert "Four winters" in zoe.get("/tables?n=x&pace=y&lang=" + "z" * 150).text


def test_an_unlisted_game_is_joined_by_its_link_only(browser: Opened, empty: Site) -> None:
    link = link_of(browser("Ana").opens(unlisted="1", listed="1"))
    ben = browser("Ben")
    assert "Four winters" not in of(ben).text
    ben.send(form_of(ben.get(link)), do="join")
    assert "Four winters" in of(ben).text


def test_a_form_that_was_changed_by_hand_is_no_error_of_ours(browser: Opened) -> None:
    ana = browser("Ana")
    for fields in ({"open_seats": "99"}, {"fill_at": "0001-01-01T00:00"}, {"fill_at": "9999-12-31T23:59"},
                   {"if_free": "x"}, {"experience": "x"}, {"lang.en": ""}):  # fmt: skip
        form = form_of(ana.get("/new?open=1"))
        ana.send(form, 400, fields, title="T", map="age-of-steam/rust_belt")


def test_who_has_played_too_little_reads_what_is_missing_in_place_of_the_button(
    browser: Callable[..., Browser],
) -> None:
    browser("Ana").opens(experience="some", open_seats="2")
    (here,) = [link for link in browser().get("/tables").links if link.startswith("/tables/")][:1]
    page = browser("Fay").get(here)
    assert "To sit here you must have finished 3 games. You have finished 0, so 3 are missing." in page.text
    assert not [form for form in page.posts if ("do", "join") in form.buttons]
    assert "To sit here you must have finished 3 games." in browser().get(here).text


def test_a_program_joins_where_the_host_has_switched_it_on_and_is_marked_on_every_page(
    browser: Opened, empty: Site
) -> None:
    host, owner = browser("Ana"), browser("Deep")
    programs.make_token(empty.office, empty.account("Deep"), empty.now)
    host.opens(open_seats="3")
    assert "Programs may play" not in owner.get("/tables").text
    (table,) = [link for link in owner.get("/tables").links if re.fullmatch(r"/tables/\w+", link)]
    assert "The host of this game does not allow programs." in owner.get(table).text
    assert not [form for form in owner.get(table).posts if ("do", "join") in form.buttons]
    join = next(form for form in owner.get("/tables").posts if ("do", "join") in form.buttons)
    assert "does not allow programs" in owner.send(join, 409, do="join").text
    change = next(link for link in host.get("/tables").links if link.endswith("/change"))
    host.send(form_of(host.get(change)), programs="1")
    for page in (owner.get(table), owner.get("/tables")):
        assert "Programs may play" in page.text
    owner.press(table, "join")
    for page in (host.get(table), host.get("/tables")):
        assert "Deep [bot]" in page.text
        assert "a program" in page.text
    assert "A program has a seat at this table already." in host.send(form_of(host.get(change)), 400, programs="").text
    people = host.get(f"/games/{table.rpartition('/')[2]}/people").text
    assert "Deep [bot]" in people
    assert "a program plays" in people
    assert "may play" in host.get(f"/games/{table.rpartition('/')[2]}").text
