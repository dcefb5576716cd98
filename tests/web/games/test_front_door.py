"""What strangers come upon: maps by game and number of players, previews of links, what search engines may find."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from PIL import Image
from sqlalchemy import Update, update

from pbem.engine import catalog
from pbem.service.games.terms import Terms
from pbem.store.statuses import SeatsLeft
from pbem.store.tables import Account, Game, Seat
from tests.web.conftest import Played
from tests.web.reading import Form, Page
from tests.web.site import Site

BASE = "https://play.example.org"


def _preview(html: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', html))


def test_maps_stand_by_game_with_numbers_of_players_length_and_character(empty: Site) -> None:
    page = empty.get("/maps")
    assert page.headings[1:] == ["Age of Steam: 15 maps", "Steam Power: 3 maps"]
    assert "Germany Complete links only 3 to 6 players, 6 to 10 turns" in page.text
    for sheet in catalog.sheets():
        assert f"/maps/{sheet.slug}" in page.links


@pytest.mark.parametrize("players", [1, 2, 3, 6])
def test_only_maps_for_so_many_are_shown(empty: Site, players: int) -> None:
    links = empty.get(f"/maps?n={players}").links
    for sheet in catalog.sheets():
        assert (f"/maps/{sheet.slug}" in links) == (players in sheet.player_counts()), sheet.slug


@pytest.mark.parametrize("amiss", ["0", "7", "x" * 999, "²", "-1"])
def test_a_number_that_no_map_is_for_shows_them_all(empty: Site, amiss: str) -> None:
    answer = empty.client.get("/maps", query_string={"n": amiss})
    assert answer.status_code == 200
    assert answer.text.count('class="card"') == len(catalog.sheets())


def test_a_link_that_is_passed_on_has_a_preview_with_the_picture_of_a_board(empty: Site) -> None:
    empty.start()
    for path, picture in (
        ("/", "/static/start-card.png"),
        ("/maps/ireland", "/maps/ireland/card.png"),
        (f"/games/{empty.game}", f"/games/{empty.game}/card.png?at=0"),
    ):
        preview = _preview(empty.get(path).html)
        assert preview["og:image"] == BASE + picture
        assert preview["og:url"] == BASE + path
        assert preview["og:image:alt"].startswith(("Board of ", "Boards late in two games"))
        assert preview["twitter:card"] == "summary_large_image"
        with empty.client.get(picture) as answer:
            data = answer.data
        with Image.open(BytesIO(data)) as image:
            assert image.size == (int(preview["og:image:width"]), int(preview["og:image:height"])) == (1200, 630)
    assert "Age of Steam, Rust Belt" in _preview(empty.get(f"/games/{empty.game}").html)["og:description"]


def test_a_table_has_a_preview_and_its_link_betrays_no_address(empty: Site) -> None:
    terms = Terms(1, empty.now + timedelta(days=5), SeatsLeft.ROBOTS, ("en",), "any", listed=False)
    empty.open(names=("Ana", "Ben", "Cleo"), open_to=terms)
    assert _preview(empty.get(f"/tables/{empty.game}").html) == {}
    link = empty.path(_link(empty))
    preview = _preview(empty.get(link).html)
    assert preview["og:title"] == "Coal by post"
    assert preview["og:image"] == f"{BASE}/maps/rust_belt/card.png"
    assert link.rpartition("/")[2] not in " ".join(preview.values())


def _link(site: Site) -> str:
    site.client = site.app.test_client()
    site.log_in(0)
    page = site.client.get("/tables", base_url=BASE).text
    site.client = site.app.test_client()
    found = re.search(rf"{BASE}/j/[^\"<\s]+", page)
    assert found is not None
    return found[0]


def test_what_is_not_for_everybody_has_no_preview(empty: Site) -> None:
    empty.start(unlisted=True)
    own = empty.path(empty.office.addresses.seat(empty.game, 0))
    assert _preview(empty.get(own).html) == {}
    assert _preview(empty.get(empty.turn()).html) == {}
    assert empty.client.get(f"/games/{empty.game}/card.png").status_code == 404


def _told(site: Site) -> tuple[bool, bool, bool]:
    """Whether search engines may list the page of the game, by its header, the site map and robots.txt."""
    page, site_map, robots = (site.client.get(path) for path in (f"/games/{site.game}", "/sitemap.xml", "/robots.txt"))
    return (
        "X-Robots-Tag" not in page.headers,
        f"<loc>{BASE}/games/{site.game}</loc>" in site_map.text,
        f"Allow: /games/{site.game}$" in robots.text,
    )


def _allow(site: Site, number: int, yes: bool = True) -> None:
    site.client = site.app.test_client()
    site.log_in(number)
    form = next(form for form in _account(site) if form.action == "/account/found")
    fields = {**form.hidden, **({"findable": "1"} if yes else {})}
    assert site.client.post(form.action, data=fields, base_url=BASE).status_code == 303
    site.client = site.app.test_client()


def _account(site: Site) -> list[Form]:
    return Page(site.client.get("/account", base_url=BASE).text).forms


def test_a_finished_game_is_found_when_all_who_played_it_allow_that_and_not_before(played: Played) -> None:
    site = played("over")
    numbers = [seat.number for seat in site.view().seats]
    for number in numbers:
        assert _told(site) == (False, False, False)
        _allow(site, number)
    assert _told(site) == (True, True, True)
    assert "noindex" in site.client.get(f"/games/{site.game}?at=3").headers["X-Robots-Tag"]
    _allow(site, numbers[0], yes=False)
    assert _told(site) == (False, False, False)


@pytest.mark.parametrize(
    "changed",
    [
        update(Game).values(unlisted=True),
        update(Game).values(status="running", to_act="", ended_at=None),
        update(Seat).where(Seat.number == 1).values(holder=1),
        update(Seat).where(Seat.number == 1).values(account_id=None),
        update(Account).where(Account.id == 1).values(findable=False),
    ],
    ids=["unlisted", "running", "seat that changed hands", "nobody to ask", "not allowed"],
)
def test_a_game_that_not_all_can_speak_for_is_never_found(played: Played, changed: Update) -> None:
    site = played("over")
    with site.office.write() as session:
        session.execute(update(Account).values(findable=True))
    assert _told(site) == (True, True, True)
    with site.office.write() as session:
        session.execute(changed)
    assert _told(site)[1:] == (False, False)


def test_pages_that_name_players_are_not_listed_and_those_that_name_none_are(empty: Site) -> None:
    empty.start()
    for path in ("/", "/maps", "/maps/ireland", "/how-to-play/steam-power"):
        assert "X-Robots-Tag" not in empty.client.get(path).headers, path
    for path in ("/archive", "/tables", "/seats", f"/games/{empty.game}", "/login"):
        assert empty.client.get(path).headers["X-Robots-Tag"] == "noindex", path


def test_games_in_their_last_turn_stand_on_the_start_page_without_the_names_of_players(played: Played) -> None:
    site = played("build")
    assert "In the last turn now" not in site.get("/").headings
    with site.office.write() as session:
        session.execute(update(Game).values(turn=8, deadline_at=site.now + timedelta(hours=3)))
    page = site.get("/")
    assert "In the last turn now" in page.headings
    assert "Age of Steam, Rust Belt, 4 players, turn 8 of 8: build track." in page.text
    listed = page.text[page.text.index("In the last turn now") : page.text.index("What hosts get")]
    assert not [seat.name for seat in site.view().seats if seat.name in listed]
    with site.office.write() as session:
        session.execute(update(Game).values(deadline_at=site.now + timedelta(hours=30)))
    assert "In the last turn now" not in site.get("/").headings
