"""The private feeds: what they hold, that they can be made void, and that nothing in a title breaks them."""

from datetime import datetime, timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from icalendar import Calendar
from sqlalchemy import update

from pbem.service.games import pauses
from pbem.service.people import feeds
from pbem.store.tables import Account, Game
from tests.speaking import angled, spoken_as
from tests.web.conftest import Played
from tests.web.site import Site

ATOM = "{http://www.w3.org/2005/Atom}"


def asked(site: Site) -> int:
    return site.number_asked() + 1


def made(site: Site, account: int = 0) -> feeds.FeedAddresses:
    return feeds.renew(site.office, account or asked(site), site.now)


def atom(site: Site, addresses: feeds.FeedAddresses) -> ElementTree.Element:
    answer = site.client.get(site.path(addresses.atom))
    assert (answer.status_code, answer.content_type) == (200, "application/atom+xml; charset=utf-8")
    return ElementTree.fromstring(answer.data)


def calendar(site: Site, addresses: feeds.FeedAddresses) -> Calendar:
    answer = site.client.get(site.path(addresses.calendar))
    assert (answer.status_code, answer.content_type) == (200, "text/calendar; charset=utf-8")
    assert all(len(line) <= 75 for line in answer.data.split(b"\r\n"))
    read = Calendar.from_ical(answer.data.decode())
    assert isinstance(read, Calendar)
    return read


def entries(feed: ElementTree.Element) -> list[tuple[str, str]]:
    return [
        (str(entry.findtext(f"{ATOM}title")), entry.find(f"{ATOM}link").attrib["href"])  # type: ignore[union-attr]
        for entry in feed.iter(f"{ATOM}entry")
    ]


def test_feeds_speak_the_language_of_their_owner(site: Site) -> None:
    addresses = made(site)
    site.put(update(Account).values(language="pl"))
    with spoken_as(angled):
        feed, turns = atom(site, addresses), calendar(site, addresses)
    assert entries(feed)[0][0].startswith(
        "[Coal by post] ««turn 1»: «issue shares», by «««poniedziałku 23 listopada», 18:00»"
    )
    assert feed.attrib["{http://www.w3.org/XML/1998/namespace}lang"] == "pl"
    assert str(turns.walk("VEVENT")[0]["summary"]) == "Coal by post: «issue shares»"


def test_a_feed_has_the_question_with_its_private_link(site: Site) -> None:
    ((title, link),) = entries(atom(site, made(site)))
    assert title == "[Coal by post] Turn 1: issue shares, by Monday 23 November, 18:00 (UTC)"
    assert site.path(link) == site.turn()


def test_a_question_of_a_paused_game_says_that_no_clock_runs(site: Site) -> None:
    addresses = made(site)

    def told() -> str | None:
        (entry,) = atom(site, addresses).iter(f"{ATOM}entry")
        return entry.findtext(f"{ATOM}summary")

    assert told() == "It is your turn on Rust Belt."
    with site.office.game(site.game, site.now) as work:
        pauses.begin(work, work.numbered(0), None)
    assert told() == "It is your turn on Rust Belt. The game is paused, and no clock runs."


def test_times_are_those_of_the_readers_zone(site: Site) -> None:
    site.put(update(Account).values(zone="Asia/Tokyo"))
    assert "by Tuesday 24 November, 03:00 (Tokyo)" in entries(atom(site, made(site)))[0][0]


def test_whoever_is_not_asked_has_an_empty_feed(site: Site) -> None:
    other = asked(site) % 4 + 1
    feed = atom(site, made(site, other))
    assert entries(feed) == []
    assert datetime.fromisoformat(str(feed.findtext(f"{ATOM}updated"))) == site.now
    assert not calendar(site, made(site, other)).walk("VEVENT")


def test_an_answered_question_leaves_the_feed(site: Site) -> None:
    addresses = made(site)
    site.play()
    assert entries(atom(site, addresses)) == []


def test_a_question_that_is_not_told_yet_is_in_no_feed(site: Site) -> None:
    site.put(update(Game).values(grace_seconds=600))
    site.play()
    addresses = made(site)
    assert entries(atom(site, addresses)) == []
    site.later(minutes=10)
    assert len(entries(atom(site, addresses))) == 1


def test_an_invitation_is_in_the_feed_with_the_link_that_answers_it(empty: Site) -> None:
    empty.open()
    ((title, link),) = entries(atom(empty, made(empty, 2)))
    assert title == "[Coal by post] You are invited: Age of Steam, Rust Belt"
    assert empty.path(link) == empty.path(empty.office.addresses.invitation(empty.game, 1))


def test_a_finished_game_stays_in_the_feed_for_a_month(played: Played) -> None:
    site = played("over")
    addresses = made(site, 1)
    assert entries(atom(site, addresses))[0][0] == "[Coal by post] The game is over"
    site.later(days=31)
    assert entries(atom(site, addresses)) == []


def test_a_deadline_is_an_event_without_private_links(site: Site) -> None:
    (event,) = calendar(site, made(site)).walk("VEVENT")
    assert event.decoded("dtend") == site.view().deadline
    assert event.decoded("dtend") - event.decoded("dtstart") == timedelta(minutes=30)
    assert str(event["summary"]) == "Coal by post: issue shares"
    assert str(event["url"]) == f"https://play.example.org/games/{site.game}"
    assert b"/t/" not in event.to_ical()


def test_what_has_not_changed_is_not_sent_again(site: Site) -> None:
    addresses = made(site)
    for address in (addresses.atom, addresses.calendar):
        first = site.client.get(site.path(address))
        again = site.client.get(site.path(address), headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
    site.play()
    changed = site.client.get(site.path(addresses.atom), headers={"If-None-Match": first.headers["ETag"]})
    assert changed.status_code == 200


def test_new_addresses_make_the_old_ones_void_and_closing_makes_all_void(site: Site) -> None:
    old, new = made(site), made(site)
    assert site.client.get(site.path(old.atom)).status_code == 404
    assert site.client.get(site.path(new.atom)).status_code == 200
    feeds.close(site.office, asked(site))
    assert feeds.addresses(site.office, asked(site)) is None
    for address in (new.atom, new.calendar):
        assert site.client.get(site.path(address)).status_code == 404


@pytest.fixture(scope="module")
def named(saved: object) -> Site:
    site: Site = saved.at("started")  # type: ignore[attr-defined]
    return site


HOSTILE = [
    "]]>",
    "<!--",
    "&#0;",
    "\x00\x0b\x1f",
    "\ufffe\uffff",
    "BEGIN:VEVENT",
    "a\r\nEND:VEVENT\r\n",
    ";,:\\",
    "é" * 80,
]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_characters="\0"), max_size=120)))
def test_no_title_breaks_a_feed(named: Site, title: str) -> None:
    storable = title.replace("\0", "").encode("utf-8", "replace").decode()[:120]
    named.put(update(Game).values(title=storable), update(Account).values(name=storable[:80]))
    addresses = made(named)
    assert len(entries(atom(named, addresses))) == 1
    (event,) = calendar(named, addresses).walk("VEVENT")
    assert str(event["url"]).endswith(named.game)
