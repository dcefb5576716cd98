"""Orders that were taken back: on no page, in no picture and in no email do others see what they were."""

from datetime import timedelta
from email import message_from_bytes, policy

import pytest

from pbem.mail.compose import compose
from pbem.service.games import takeback, watching
from tests.web.reading import Page
from tests.web.site import FIRST_BUILD, Site

GRACE = timedelta(minutes=10)
PICTURES = ("map.png", "map.svg", "board.png", "board.svg", "thumb.png", "card.png")


@pytest.fixture
def site(empty: Site) -> Site:
    """Somebody is asked to build, and can take it back; no track lies on the board."""
    empty.start(grace=GRACE)
    while empty.asked().sheet.question(empty.asked().state).form != "build":
        empty.play()
        empty.later(minutes=11)
    return empty


def built(site: Site) -> int:
    """Build, let everybody look at it, and take it back; returns the number of the seat."""
    seat = next(seat for seat in site.view().seats if seat.seat == site.asked().waiting_for)
    site.play(FIRST_BUILD)
    for picture in PICTURES:
        site.client.get(f"/games/{site.game}/{picture}?at={site.view().version}")
    takeback.take_back(site.office, site.game, seat.number, site.now)
    return seat.number


def public_pages(site: Site) -> list[str]:
    """Addresses of a game that say something of its course: of its page at every position near the end, and others."""
    page, version = f"/games/{site.game}", site.view().version
    links = [site.path(watching.open_link(site.office, site.game, site.host, site.now))]
    return [page, *(f"{page}?at={version - back}" for back in range(4)), f"{page}/record.json", *links]


def test_nobody_else_reads_what_was_taken_back(site: Site) -> None:
    number = built(site)
    name, other = site.view().seats[number].name, (number + 1) % 4
    told = f"{name} built 2 tiles for $4"
    seats = [site.path(site.office.addresses.seat(site.game, seat)) for seat in (other, number)]
    for path in (*public_pages(site), seats[0], f"{seats[0]}/people"):
        text = site.client.get(path).text
        assert "B1 NE-S" not in text, path
        assert told not in Page(text).text, path
    for path in (f"/games/{site.game}", seats[0]):
        page = site.get(path)
        assert f"{name} took back the last orders" in page.text
        assert "Taken back: it no longer counts." not in page.text
    mine = site.get(seats[1]).text
    assert "You built 2 tiles for $4" in mine
    assert f"You took back “{FIRST_BUILD}”" in mine
    assert "Taken back: it no longer counts." in mine


def test_no_picture_shows_what_was_taken_back(site: Site) -> None:
    before = site.view().version
    built(site)
    assert site.view().version == before + 2
    for picture in PICTURES:
        path = f"/games/{site.game}/{picture}"
        drawn, hidden, now = (site.client.get(f"{path}?at={before + step}") for step in range(3))
        assert hidden.data == drawn.data, picture
        assert "max-age=300" in hidden.headers["Cache-Control"], picture  # when the game is over it shows the build
        assert "immutable" in drawn.headers["Cache-Control"]
        if "board" not in picture:  # that one marks what the last order changed
            assert now.data == drawn.data, picture


def test_a_used_link_says_what_was_taken_back_only_to_the_player(site: Site) -> None:
    link = site.turn()
    number = built(site)
    assert "The answer was taken back." in site.get(link).text
    site.log_in(number)
    mine = site.client.get(link, base_url=site.office.settings.public_url).text
    assert f"<code>{FIRST_BUILD}</code> was taken back" in mine


def test_the_next_email_of_others_does_not_say_it(site: Site) -> None:
    built(site)
    site.play("build nothing")
    site.later(minutes=11)
    asked = site.asked().waiting_for
    letter = next(row for row in reversed(site.letters("your-turn")) if site.read(row).seat == asked)
    message = message_from_bytes(compose(site.read(letter), None).content, policy=policy.default)
    for kind in ("plain", "html"):
        part = message.get_body((kind,))
        assert part is not None
        text = " ".join(part.get_content().split())
        assert "took back the last orders" in text
        assert "NE-S" not in text
