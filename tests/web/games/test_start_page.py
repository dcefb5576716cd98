"""What a stranger sees first: a game that plays itself, a real email, three ways in."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from pbem.engine import catalog
from pbem.engine.sheet import Sheet
from pbem.render import CARD
from pbem.render.portraits import FACES, STRANGER
from pbem.robot import opponents
from pbem.service.games import guests
from pbem.service.games.terms import Terms
from pbem.settings.paths import templates_folder
from pbem.web.base import voices
from tests.mail.golden import GOLDEN
from tests.web import start_board, start_card
from tests.web.conftest import Played
from tests.web.reading import Page
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
    assert [sentence for sentence in sentences if sentence.lstrip(". ").lower() not in letter] == []


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
        folders = {type(sheet).__module__ for sheet in catalog.sheets() if sheet.game == game}
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
        f"/robots/{robot if robot in FACES else STRANGER}.png" for robot in opponents.every()
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
