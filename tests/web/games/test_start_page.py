"""What a stranger sees first: a game that plays itself, a real email, three ways in."""

import re
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from sqlalchemy import Update, update

from pbem.engine import Sheet, catalog
from pbem.rails.sheet import MapSheet
from pbem.render import CARD
from pbem.robot import opponents
from pbem.service.games import guests
from pbem.service.games.terms import Terms
from pbem.settings.paths import templates_folder
from pbem.store.statuses import SeatsLeft
from pbem.store.tables import Account, Game, Seat
from pbem.web.base import voices
from pbem.web.base.voices import STRANGER, portraits
from tests.mail.golden import GOLDEN
from tests.web import start_board, start_card
from tests.web.conftest import Played
from tests.web.reading import Form, Page
from tests.web.site import Site

BASE = "https://play.example.org"
STATIC = templates_folder() / "static"
HEAVIEST_BOARD, HEAVIEST_STYLE, HEAVIEST_PAGE = 180_000, 26_000, 40_000
"""Bytes that a page may have of each."""
HEAVIEST_CARD = 250_000
AGAIN = "python -m tests.web.start_board draws it anew"


def _start(site: Site) -> Page:
    answer = site.app.test_client().get("/", base_url=BASE)
    assert answer.status_code == 200
    return Page(answer.text)


def _frame(path: Path, number: int) -> Image.Image:
    with Image.open(path) as file:
        file.seek(number)
        return file.convert("RGB")


def test_the_moving_board_is_a_kept_game_of_our_robots_as_our_renderer_draws_it() -> None:
    game = start_board.record()
    states = start_board.shown(game)
    assert game.sheet.over(states[-1])
    with Image.open(STATIC / start_board.MOVING) as moving:
        assert getattr(moving, "n_frames", 1) == len(states), AGAIN
        assert moving.info["loop"] == 0
    for number in (0, len(states) - 1):
        drawn = start_board.drawn(game, states[number])
        assert ImageChops.difference(_frame(STATIC / start_board.MOVING, number), drawn).getbbox() is None, AGAIN
    last = _frame(STATIC / start_board.MOVING, len(states) - 1)
    assert ImageChops.difference(_frame(STATIC / start_board.STILL, 0), last).getbbox() is None, AGAIN


def test_the_picture_beside_a_link_shows_two_kept_games_late_in_play() -> None:
    path = STATIC / start_card.FILE
    assert path.stat().st_size <= HEAVIEST_CARD
    for scene in (start_card.age_of_steam(), start_card.steam_power()):
        assert sum(map(len, scene.track.values())) > 20
    with Image.open(path) as kept:
        assert kept.size == CARD
        assert not start_card.differs(kept), "python -m tests.web.start_card draws it anew"


def test_the_start_page_is_light_enough_for_a_phone(empty: Site) -> None:
    assert (STATIC / start_board.MOVING).stat().st_size <= HEAVIEST_BOARD
    assert (STATIC / start_board.STILL).stat().st_size <= HEAVIEST_BOARD
    assert (STATIC / "start.css").stat().st_size <= HEAVIEST_STYLE
    assert len(_start(empty).html.encode()) <= HEAVIEST_PAGE


def test_the_board_stands_still_for_whoever_wants_less_motion_or_stops_it(empty: Site) -> None:
    page = _start(empty)
    assert re.search(r'<source media="\(prefers-reduced-motion: reduce\)" srcset="[^"]*start-board-still', page.html)
    assert 'type="checkbox" id="hold"' in page.html


def test_the_email_of_the_start_page_is_what_our_templates_write(empty: Site) -> None:
    letter = " ".join((GOLDEN / "your-turn-build.txt").read_text("utf-8").replace("\n- ", " ").split()).lower()
    page = _start(empty).html
    excerpt = page[page.index('class="email"') : page.index("</article>")]
    parts = (" ".join(part.split()) for part in re.findall(r">([^<]+)<", excerpt))
    sentences = [part.rstrip(" …") for part in parts if part and part not in ("To", "Ana", "Subject", "Or:", ".")]
    button = "Open the build page"
    assert button in sentences
    assert button in (GOLDEN / "your-turn-build.html").read_text("utf-8")
    sentences.remove(button)
    assert len(sentences) > 8
    assert [sentence for sentence in sentences if sentence.strip(". ").lower() not in letter] == []


def test_the_button_of_the_email_on_the_start_page_leads_to_what_it_says(empty: Site) -> None:
    page = _start(empty).html
    excerpt = page[page.index('class="email"') : page.index("</article>")]
    (leads_to,) = re.findall(r'<a class="face" href="([^"#]+)#build_track">Open the build page</a>', excerpt)
    assert 'id="build_track"' in empty.client.get(leads_to).text


def test_every_map_of_the_start_page_is_named_with_its_game_and_what_sets_it_apart(empty: Site) -> None:
    words = " ".join(_start(empty).text.split())
    for board in guests.BOARDS:
        sheet = catalog.sheet(board.game, board.map)
        assert sheet.remark
        assert f"{sheet.name} {sheet.game_name}" in words
        assert f"{sheet.remark[0].upper()}{sheet.remark[1:]}, " in words


def test_the_start_page_counts_the_maps_of_both_games_without_their_solo_modes(empty: Site) -> None:
    found = re.search(
        r"One of (\d+) maps for Age of Steam, with (\d+) for Steam Power", " ".join(_start(empty).text.split())
    )
    assert found is not None
    for game, told in zip(("age-of-steam", "steam-power"), found.groups(), strict=True):
        folders = {sheet.board.slug for sheet in catalog.sheets() if isinstance(sheet, MapSheet) and sheet.game == game}
        assert int(told) == len(folders)


def test_finished_games_stand_on_the_start_page(played: Played) -> None:
    site = played("over")
    page = _start(site)
    assert page.link(f"/games/{site.game}")
    assert "No game has ended here yet" not in page.text


def test_a_server_on_which_nobody_has_played_says_so_kindly(empty: Site) -> None:
    assert "No game has ended here yet" in _start(empty).text


@pytest.mark.parametrize("sheet", catalog.sheets(), ids=lambda sheet: f"{sheet.game}-{sheet.slug}")
def test_every_map_says_what_sets_it_apart(sheet: Sheet) -> None:
    assert 0 < len(sheet.remark) <= 50


def test_the_robots_look_out_of_the_start_page_with_what_they_are_like(empty: Site) -> None:
    page = _start(empty)
    assert [picture["src"] for picture in page.pictures if "/robots/" in picture["src"]] == [
        f"/robots/{robot if robot in portraits() else STRANGER}.png" for robot in opponents.every()
    ]
    assert all(str(robot.taste) in page.text for robot in opponents.every().values())


def test_a_robot_of_a_later_version_has_the_face_of_a_stranger(site: Site) -> None:
    with site.app.test_request_context(base_url=BASE):
        assert "/robots/stranger.png" in voices.portrait("hal")
        assert voices.portrait("") == ""


def test_open_tables_stand_on_the_start_page_each_with_its_game_and_a_way_in(empty: Site) -> None:
    assert "No table has a free seat now" in _start(empty).text
    terms = Terms(2, empty.now + timedelta(days=7))
    game = empty.open(names=("Ana",), open_to=terms, title="Coal before breakfast")
    page = _start(empty)
    assert page.link(f"/tables/{game}")
    assert "Coal before breakfast" in page.text
    assert "Age of Steam, Rust Belt" in page.text
    assert "Take 1 of 2 seats" in page.text


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
    site.put(update(Account).values(findable=True))
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
    site.put(update(Game).values(turn=8, deadline_at=site.now + timedelta(hours=3)))
    page = site.get("/")
    assert "In the last turn now" in page.headings
    assert "Age of Steam, Rust Belt, 4 players, turn 8 of 8: build track." in page.text
    listed = page.text[page.text.index("In the last turn now") : page.text.index("What hosts get")]
    assert not [seat.name for seat in site.view().seats if seat.name in listed]
    site.put(update(Game).values(deadline_at=site.now + timedelta(hours=30)))
    assert "In the last turn now" not in site.get("/").headings
