"""Leagues by their pages and emails: opened, joined by link and by a reply, followed, left."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from pbem.service.base.tokens import UnsubscribeClaim
from pbem.service.email_in import incoming
from pbem.service.leagues import members
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox
from pbem.service.people import accounts
from pbem.store.statuses import MemberStatus
from pbem.store.tables import League, Letter
from tests.databases import Sqlite
from tests.web.addresses import BASE
from tests.web.reading import Page
from tests.web.site import Site
from workers import clock


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A league that Ana opened on its page; she has invited Ben and Zoe."""
    folder = tmp_path_factory.mktemp("leagues")
    made = Site(Sqlite(folder).fresh(), folder)
    made.start()
    made.log_in()
    form = next(form for form in own(made, "/leagues/new").posts if form.action == "/leagues/new")
    wrong = {**form.fields, **form.hidden, "title": " ", "tables_of": "many"}
    answer = made.client.post("/leagues/new", data=wrong, base_url=BASE)
    assert answer.status_code == 400
    assert "Enter a whole number" in answer.text
    typed = {
        **form.fields, **form.hidden, "title": "Winter league", "map": "age-of-steam/detroit", "robots": "2",
        "seasons": "1", "games": "1", "invited": "ben@example.org\nzoe@example.org",
    }  # fmt: skip
    answer = made.client.post("/leagues/new", data=typed, base_url=BASE)
    assert answer.status_code == 303, answer.text
    yield made
    made.close()


def own(site: Site, path: str) -> Page:
    return Page(site.client.get(path, base_url=BASE).text)


def number(site: Site) -> str:
    return site.only(select(League.id))


def statuses(site: Site) -> dict[str, MemberStatus]:
    with site.office.read() as session:
        return {member.name: member.status for member in members.of(session, number(site))}


def stranger(site: Site) -> FlaskClient:
    return site.app.test_client()


def test_a_league_is_listed_and_its_page_says_how_it_is_played(site: Site) -> None:
    assert "Winter league" in Page(stranger(site).get("/leagues").text).text
    page = Page(stranger(site).get(f"/leagues/{number(site)}").text)
    assert "Divisions of 4" in page.text or "divisions of 4" in page.text
    assert "Detroit Bankruptcy" in page.text
    assert "3 players so far" in page.text


def test_who_is_invited_joins_with_the_link_of_the_email(site: Site) -> None:
    letter = next(one for one in site.letters("league-invitation") if site.read(one).envelope.to == "ben@example.org")
    link = site.path(site.read(letter).own.link)
    assert "Take part" in site.get(link).text
    assert statuses(site)["Ben"] == MemberStatus.INVITED
    answer = stranger(site).post(link, data={"answer": "accept"})
    assert answer.status_code == 303
    assert "You take part" in site.get(answer.headers["Location"]).text
    assert statuses(site)["Ben"] == MemberStatus.IN


@pytest.mark.parametrize("kind", ["league-invitation", "league-news"])
def test_one_click_stops_the_emails_of_a_league(site: Site, kind: str) -> None:
    letter = site.letters(kind)[0]
    link = site.path(site.read(letter).links.unsubscribe)
    claim = UnsubscribeClaim(letter.account_id, "", kind)
    assert not accounts.mail_stopped(site.office, claim)
    assert stranger(site).post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert accounts.mail_stopped(site.office, claim)
    assert not outbox.claim(site.office, letter.id, site.now)
    accounts.resume_mail(site.office, claim)


def reply(site: Site, letter: Letter, text: str) -> str:
    """An email that answers a letter, from an address that is none of its reader's."""
    mail = incoming.Mail(text, "zoe@example.net", f"<{text}@example.net>", text)
    return incoming.take(site.office, letter.id, mail, site.now)


def test_who_replies_yes_takes_part_and_who_replies_neither_is_asked_again(site: Site) -> None:
    letter = next(one for one in site.letters("league-invitation") if site.read(one).envelope.to == "zoe@example.org")
    assert reply(site, letter, "What is this?") == "asked again"
    again = site.letters("league-invitation")[-1]
    assert again.id != letter.id
    assert site.read(again).own.unread
    assert reply(site, again, "Yes, please!\n\nZoe") == "takes part: yes"
    assert statuses(site)["Zoe"] == MemberStatus.IN
    assert correspondence.letter(site.office, site.letters("league-news")[-1].id, site.now).view.own.what == "joined"


def test_somebody_without_an_account_gets_the_link_by_email(site: Site) -> None:
    path = f"/leagues/{number(site)}"
    assert stranger(site).post(path, data={"do": "join", "name": "", "email": "nowhere"}).status_code == 400
    assert stranger(site).post(path, data={"do": "join", "name": "Yan", "email": "yan@example.org"}).status_code == 303
    assert site.read(site.letters("league-invitation")[-1]).envelope.to == "yan@example.org"


def test_leaving_is_asked_once_more(site: Site) -> None:
    path = f"/leagues/{number(site)}"
    site.log_in(1)
    mark = own(site, path).posts[0].hidden["mark"]
    answer = site.client.post(path, data={"mark": mark, "do": "leave"}, base_url=BASE)
    assert "sure=leave" in answer.headers["Location"]
    assert "Leave Winter league?" in own(site, answer.headers["Location"]).text
    assert statuses(site)["Ben"] == MemberStatus.IN
    site.client.post(path, data={"mark": mark, "do": "leave", "sure": "yes"}, base_url=BASE)
    assert statuses(site)["Ben"] == MemberStatus.DECLINED
    site.client.post(path, data={"mark": mark, "do": "join"}, base_url=BASE)
    assert statuses(site)["Ben"] == MemberStatus.IN


def test_the_page_shows_divisions_and_their_games_when_it_has_begun(site: Site) -> None:
    site.later(days=8)
    for _ in range(2):
        clock.tick(site.office, site.now, lambda *_: None)
    page = Page(stranger(site).get(f"/leagues/{number(site)}").text)
    assert "Division 1" in page.text
    assert "Division 2" in page.text
    assert "stands in" in page.text
    assert len([link for link in page.links if link.startswith("/games/")]) == 2
    assert Page(stranger(site).get(f"/leagues/{number(site)}?season=77").text).headings == page.headings
    told = site.read(site.letters("league-news")[-1])
    assert told.own.what == "begins"
    assert site.now - timedelta(days=9) < told.envelope.now


def test_what_is_no_league_is_no_error_of_ours(site: Site) -> None:
    for path in ("/leagues/nowhere", "/l/nonsense"):
        assert stranger(site).get(path).status_code == 404
    typed = {"do": "join", "name": "Yan", "email": "yan@example.org"}
    assert stranger(site).post("/leagues/nowhere", data=typed).status_code == 404


def test_a_cup_that_begins_when_it_is_full_says_so_on_its_page_and_in_the_list(site: Site) -> None:
    form = next(form for form in own(site, "/leagues/new").posts if form.action == "/leagues/new")
    typed = {**form.fields, **form.hidden, "title": "Winter cup", "kind": "knockout", "map": "age-of-steam/detroit"}
    assert site.client.post("/leagues/new", data={**typed, "full_at": "3"}, base_url=BASE).status_code == 400
    answer = site.client.post("/leagues/new", data={**typed, "full_at": "16"}, base_url=BASE)
    page = own(site, answer.headers["Location"])
    assert "or earlier, once 16 take part. 1 player so far." in page.text
    assert "1 of 16" in own(site, "/leagues").text
