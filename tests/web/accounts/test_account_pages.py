"""The account page, the time control of a new game, and the clocks on the page of a game."""

import re
from datetime import timedelta
from html import unescape

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

import pbem
from pbem.service.base import queries
from pbem.service.base.seals import seal
from pbem.service.base.tokens import VoteClaim
from pbem.service.games import votes
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.orders import deadlines
from pbem.service.people import absences, accounts, notifications
from pbem.service.turns import caretaker
from pbem.store.tables import Letter, Note
from pbem.views.clear_colours import clear
from tests.web.conftest import Played
from tests.web.reading import Form, Page
from tests.web.site import Site

BASE = "https://play.example.org"


@pytest.fixture
def own(site: Site) -> Site:
    """Ana is logged in; the game has just started."""
    site.log_in()
    return site


def page(site: Site, path: str = "/account") -> Page:
    response = site.client.get(path, base_url=BASE)
    assert response.status_code == 200, response.text
    return Page(response.text)


def form(found: Page, action: str) -> Form:
    return next(form for form in found.posts if form.action == action)


def send(site: Site, action: str, **fields: str | list[str]) -> Page:
    """Send a form of the account page with these fields changed; the page that comes then."""
    response = sent(site, action, **fields)
    assert response.status_code == 303, response.text
    return page(site, response.headers["Location"].partition("#")[0])


def ana(site: Site) -> int:
    with site.office.read() as session:
        return queries.numbered(session, site.game, 0).account_id or 0


def sent(site: Site, action: str, **fields: str | list[str]) -> TestResponse:
    """The same; the answer of the server."""
    own = form(page(site), action)
    return site.client.post(action, data={**own.fields, **fields}, base_url=BASE)


def pictures_of(found: Page) -> list[str]:
    """The addresses of boards on a page, and of the style sheet."""
    pictures = r'="(/(?:games/\w+/(?:map|board|thumb)\.(?:png|svg)|style/)[^"]*)"'
    return re.findall(pictures, unescape(found.html))


def test_boards_look_as_their_reader_has_chosen_and_for_others_as_usual(own: Site) -> None:
    game = f"/games/{own.game}"
    guest = own.app.test_client()

    def drawn(address: str) -> str:
        return guest.get(address, base_url=BASE).get_data(as_text=True)

    usual = pictures_of(page(own, game))
    assert not [address for address in usual if "look=" in address or "clear" in address]
    send(own, "/account/board", clear="1", labels=[])
    chosen = pictures_of(page(own, game))
    assert len(chosen) == len(usual)
    assert all("look=cn" in address for address in chosen if "/style/" not in address)
    assert any("clear" in address for address in chosen if "/style/" in address)
    before, after = (next(address for address in found if ".svg" in address) for found in (usual, chosen))
    assert (">B1<" in drawn(before), ">B1<" in drawn(after)) == (True, False)
    assert "#c62f1b" in drawn(before)
    assert "#c62f1b" not in drawn(after)
    assert clear("#c62f1b") in drawn(after)
    private = own.path(own.office.addresses.seat(own.game, 0))
    assert all("look=cn" in address for address in pictures_of(Page(drawn(private))) if "/style/" not in address)
    assert pictures_of(Page(drawn(game))) == usual
    assert not [
        address for address in re.findall(r'og:image" content="([^"]*)"', page(own, game).html) if "look" in address
    ]
    send(own, "/account/board", clear=[], labels="1")
    assert pictures_of(page(own, game)) == usual


def test_answers_by_email_can_be_taken_from_the_own_address_alone_and_from_everywhere_again(own: Site) -> None:
    for wish in ({"own": "1"}, {"own": ""}):
        send(own, "/account/own-mail", **wish)
        assert accounts.wants(own.office, ana(own), "own_mail") is bool(wish["own"])
        assert page(own).html.count('name="own" value="1" checked') == bool(wish["own"])


# the account --------------------------------------------------------------------------------------------------


def test_the_account_is_one_click_from_every_page(own: Site) -> None:
    assert "/account" in page(own, "/").links


def test_how_one_is_told_is_saved_and_shown(own: Site) -> None:
    done = send(own, "/account/mails", mail="digest", hour="19:30", remind=["50", "1h"])
    assert "Your notification settings are saved." in done.text
    told = notifications.of(own.office, ana(own))
    assert (told.mails, f"{told.digest_at:%H:%M}", told.reminders) == ("digest", "19:30", ("50", "1h"))
    assert form(page(own), "/account/mails").fields["hour"] == "19:30"


def test_zone_and_quiet_hours_are_saved_and_times_are_shown_there(own: Site) -> None:
    send(own, "/account/times", zone="Asia/Tokyo", quiet_from="22:00", quiet_to="07:00")
    assert "Times are for Tokyo." in page(own, f"/games/{own.game}").text
    assert notifications.of(own.office, ana(own)).quiet is not None
    send(own, "/account/times", zone="UTC", quiet_from="", quiet_to="")
    assert notifications.of(own.office, ana(own)).quiet is None


def test_the_board_in_emails_and_the_talk_of_a_game_are_chosen_here(own: Site) -> None:
    assert chosen(own) == "inside"
    send(own, "/account/mails", mail="turn", every="6", hour="18:00", pictures="link")
    assert chosen(own) == "link"
    send(own, "/account/mails", mail="turn", every="6", hour="18:00")
    assert notifications.of(own.office, ana(own)).pictures == "link"
    answer = sent(own, "/account/mails", mail="turn", pictures="loud")
    assert (answer.status_code, "Choose the board inside the email" in answer.text) == (400, True)
    send(own, "/account/games", **{f"talk.{own.game}": "once"})
    assert [(line.mails, line.talk) for line in notifications.games(own.office, ana(own))] == [("", "once")]


def chosen(own: Site) -> str:
    """How the board comes in emails, as the page has it."""
    found = re.search(r'name="pictures" value="(\w+)" checked', page(own).html)
    assert found is not None
    return found[1]


def test_cities_are_chosen_by_the_part_of_the_world_and_the_own_one_is_always_among_them(own: Site) -> None:
    assert cities(page(own, "/account")) >= {"UTC", "Europe/Lisbon"}
    send(own, "/account/times", zone="Asia/Tokyo", quiet_from="", quiet_to="")
    assert cities(page(own, "/account")) >= {"UTC", "Asia/Tokyo", "Asia/Seoul"}
    assert cities(page(own, page(own).link("world=America"))) >= {"UTC", "Asia/Tokyo", "America/Lima"}
    assert cities(page(own, "/account?world=Mars")) >= {"UTC", "Asia/Tokyo", "Asia/Seoul"}
    send(own, "/account/times", zone="US/Eastern", quiet_from="", quiet_to="")
    assert '<option value="US/Eastern" selected>' in page(own, "/account?world=Asia").html


def cities(of: Page) -> set[str]:
    """The time zones that a page offers."""
    found = of.html.partition('<select id="zone"')[2].partition("</select>")[0]
    return set(re.findall('<option value="([^"]+)"', found))


def test_a_private_link_shows_times_by_the_clock_of_its_player(own: Site) -> None:
    send(own, "/account/times", zone="Asia/Tokyo", quiet_from="", quiet_to="")
    own.client.delete_cookie("__Host-pbem", domain="play.example.org")
    assert "Times are for Tokyo." in own.get(own.path(own.office.addresses.seat(own.game, 0))).text


def test_an_absence_is_added_announced_and_removed(own: Site) -> None:
    first, last = (own.now + timedelta(days=3)).date(), (own.now + timedelta(days=9)).date()
    done = send(own, "/account/away", **{"from": str(first), "until": str(last)})
    assert "33 days of 2026 are left" in done.text
    assert "away from" in own.get(f"/games/{own.game}").text
    (absence,) = absences.of(own.office, ana(own), own.now)
    send(own, "/account/away", remove=str(absence.id))
    assert absences.of(own.office, ana(own), own.now) == ()


def test_another_browser_can_be_logged_out(own: Site) -> None:
    other = own.app.test_client()
    path = own.path(own.office.addresses.seat(own.game, 0))
    other.post(path, base_url=BASE)
    assert other.get("/account", base_url=BASE).status_code == 200
    keys = [line.key for line in notifications.logins(own.office, ana(own), own.now)]
    assert len(keys) == 2
    here = form(page(own), "/account/logins")
    mine = notifications.browser(
        next(cookie for cookie in [own.client.get_cookie("__Host-pbem", domain="play.example.org")] if cookie).value
    )
    theirs = next(key for key in keys if key != mine)
    own.client.post("/account/logins", data={"mark": here.hidden["mark"], "key": theirs}, base_url=BASE)
    assert other.get("/account", base_url=BASE).status_code == 302
    assert page(own).headings[0] == "Ana"


def test_all_browsers_can_be_logged_out(own: Site) -> None:
    mark = form(page(own), "/account/logins").hidden["mark"]
    answer = own.client.post("/account/logins", data={"mark": mark, "key": "all"}, base_url=BASE)
    assert answer.headers["Location"].startswith("/?logged_out")
    assert notifications.logins(own.office, ana(own), own.now) == ()


@pytest.mark.parametrize(
    ("action", "fields", "sentence"),
    [
        ("/account/mails", {"mail": "hourly"}, "Choose how you are notified"),
        ("/account/mails", {"mail": "hours", "every": "½"}, "The time between two emails"),
        ("/account/mails", {"mail": "hours", "every": "9" * 150}, "The time between two emails"),
        ("/account/mails", {"hour": "25:00"}, "not a time"),
        ("/account/mails", {"remind": "<script>"}, "no such reminder"),
        ("/account/times", {"zone": "../../etc/passwd"}, "not a time zone we know"),
        ("/account/times", {"zone": "<b>Mars</b>"}, "not a time zone we know"),
        ("/account/times", {"quiet_from": "22:00", "quiet_to": ""}, "not a time"),
        ("/account/times", {"quiet_from": "07:00", "quiet_to": "22:00"}, "at most 14 hours"),
        ("/account/away", {"from": "tomorrow", "until": "2026-12-01"}, "This is not a date"),
        ("/account/away", {"from": "2026-12-10", "until": "2026-12-01"}, "before the first"),
        ("/account/away", {"from": "0001-01-01", "until": "9999-12-31"}, "cannot begin before today"),
    ],
)
def test_what_cannot_be_saved_is_at_its_field(own: Site, action: str, fields: dict[str, str], sentence: str) -> None:
    answer = sent(own, action, **fields)
    assert answer.status_code == 400
    refused = Page(answer.text)
    assert sentence in refused.text
    assert "<script>" not in refused.html.replace("<script src", "")
    assert "<b>Mars" not in refused.html


# the time control of a new game ---------------------------------------------------------------------------------------


def opened(site: Site, code: int = 303, **time_control: str) -> Page:
    new = form(page(site, "/new"), "/new")
    fields = {**new.fields, "title": "Winter", "players": "b@example.org\nc@example.org", **time_control}
    answer = site.client.post("/new", data=fields, base_url=BASE)
    assert answer.status_code == code, answer.text
    return Page(answer.text) if code != 303 else page(site, answer.headers["Location"])


def test_the_time_control_is_chosen_and_shown_before_anybody_joins(own: Site) -> None:
    shown = opened(own, turn_time="3d", free_weekends="1", holidays="2026-12-25, 2026-12-26", at_zero="caretaker").text
    assert "3 days for an answer, then a bank of 7 days for the whole game." in shown
    assert "Saturdays and Sundays do not count" in shown
    assert "2 holidays of the game" in shown
    assert "a caretaker plays until the player is back" in shown
    letter = own.read(own.letters("invitation")[-1])
    assert letter.game is not None
    assert letter.game.time_control is not None
    assert not letter.game.time_control.weekends


def test_a_time_control_of_ones_own_with_an_increment(own: Site) -> None:
    shown = opened(own, turn_time="own", hours="12", bank="72", cap="96").text
    assert "3 days at the start, 12 hours more with every question, up to 4 days." in shown


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"turn_time": "1s"}, "between 1 minute and 30 days"),
        ({"turn_time": "own", "hours": "-3"}, "between 1 minute and 30 days"),
        ({"turn_time": "own", "hours": "24", "bank": "99999"}, "at most 60 days"),
        ({"turn_time": "3d", "holidays": "Christmas"}, "“Christmas” is not a date"),
        ({"turn_time": "3d", "at_zero": "surrender"}, "Choose what happens"),
    ],
)
def test_a_time_control_that_cannot_be_is_said_at_its_field(own: Site, chosen: dict[str, str], sentence: str) -> None:
    assert sentence in opened(own, code=400, **chosen).text


# the clocks of a game -----------------------------------------------------------------------------------------


def test_everybody_sees_all_clocks_and_who_is_waited_for(site: Site) -> None:
    shown = site.get(f"/games/{site.game}").text
    assert "Clocks" in shown
    assert "Waiting for" in shown
    assert "3 days for each answer." in shown


def test_a_pause_is_asked_for_agreed_to_and_ended_on_the_page(own: Site) -> None:
    here = f"/games/{own.game}"
    asking = form(page(own, here), f"{here}/clocks")
    own.client.post(asking.action, data={**asking.fields, "until": ""}, base_url=BASE)
    vote = own.letters("pause-asked")[0].data["vote"]
    for number in (1, 2, 3):
        votes.answer_by_link(own.office, VoteClaim(vote, number, 0), True, own.now)
    shown = page(own, here)
    assert "The game is paused until somebody ends the pause" in shown.text
    ending = form(shown, f"{here}/clocks")
    own.client.post(ending.action, data=ending.fields, base_url=BASE)
    assert own.view().paused_at is None


def test_a_pause_can_be_ended_by_the_private_link_too(site: Site) -> None:
    vote = votes.ask(site.office, site.game, 0, Pausing(), site.now)
    for number in (1, 2, 3):
        votes.answer_by_link(site.office, VoteClaim(vote, number, 0), True, site.now)
    path = site.path(site.office.addresses.seat(site.game, 1))
    assert site.client.post(f"{path}/clocks", data={"do": "resume"}).status_code == 303
    assert site.view().paused_at is None


@pytest.mark.parametrize(
    "fields", [{"do": "pause", "until": "soon"}, {"do": "pause", "until": "1999-01-01"}, {"do": "x"}]
)
def test_a_wish_about_clocks_that_cannot_be_read_is_a_400(own: Site, fields: dict[str, str]) -> None:
    here = f"/games/{own.game}"
    mark = form(page(own, here), f"{here}/clocks").hidden["mark"]
    answer = own.client.post(f"{here}/clocks", data={"mark": mark, **fields}, base_url=BASE)
    assert answer.status_code == 400


def test_who_is_played_for_by_a_caretaker_says_so_and_is_back(own: Site) -> None:
    with own.office.write() as session:
        queries.locked(session, own.game).at_zero = "caretaker"
    colour = own.view().waiting_for
    number = next(seat.number for seat in own.view().seats if seat.seat == colour)
    assert deadlines.deadline(own.office, own.game, own.later(days=3))
    path = own.path(own.office.addresses.seat(own.game, number))
    shown = own.get(path)
    assert "A caretaker plays for you." in shown.text
    assert "A caretaker played this for" in shown.text
    assert own.client.post(f"{path}/clocks", data={"do": "back"}).status_code == 303
    assert "A caretaker plays for you." not in own.get(path).text


def test_a_guest_cannot_send_a_caretaker_away(own: Site) -> None:
    assert not caretaker.back(own.office, own.game, 10**6, own.now)
    guest = own.app.test_client()
    answer = guest.post(f"/games/{own.game}/clocks", data={"do": "back"})
    assert answer.status_code in (302, 403)


def test_everything_that_is_kept_of_a_person_can_be_downloaded_and_nothing_of_others(own: Site) -> None:
    with own.office.work(own.now) as work:
        for account, text in ((ana(own), "mine"), (ana(own) + 1, "of another")):
            work.session.add(Note(game_id=own.game, account_id=account, text=text, changed_at=own.now))
    link = page(own).link("data.json")
    answer = own.client.get(link, base_url=BASE)
    found = answer.get_json()
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert found["account"]["address"] == "ana@example.org"
    assert [(game["id"], game["file"]) for game in found["games"]] == [(own.game, None)], "the game goes on"
    assert [seat["game_id"] for seat in found["seats"]] == [own.game]
    assert [note["text"] for note in found["notes"]] == ["mine"]
    assert {email["game_id"] for email in found["emails"]} <= {own.game, None}
    assert len(found["emails"]) > 0
    assert "of another" not in answer.text
    assert (found["format"], found["version"], found["sha256"]) == ("pbem-account/1", pbem.__version__, seal(found))
    assert own.app.test_client().get(link, base_url=BASE).status_code != 200


def test_all_finished_games_of_a_person_can_be_saved(played: Played) -> None:
    site = played("over")
    site.log_in()
    listed = page(site).link("mine=1")
    games = Page(site.client.get(listed, base_url=BASE).text)
    address = games.link("game.html")
    assert address == f"/games/{site.game}/game.html"
    assert site.client.get(address, base_url=BASE).status_code == 303, "it is made meanwhile"
    kept = site.client.get(page(site).link("data.json"), base_url=BASE).get_json()
    assert [game["file"] for game in kept["games"]] == [f"{BASE}{address}"]
    assert "game.html" not in site.get("/archive").html, "for their own games alone"


def test_the_account_page_shows_the_last_emails_with_what_the_mail_server_said(own: Site) -> None:
    with own.office.work(own.now) as work:
        letter = work.session.scalars(select(Letter).where(Letter.account_id == ana(own)).order_by(Letter.id)).all()[-1]
        letter.last_error = "451 4.7.1 Greylisted"
    found = page(own).text
    assert "The last emails sent to you" in found
    assert "451 4.7.1 Greylisted" in found
