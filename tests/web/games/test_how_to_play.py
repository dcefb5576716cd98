"""How each game is played: pages with pictures of games that can be played as they are told."""

import io
import re
from html import unescape

import pytest
from PIL import Image

from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.web.games import how_to_play
from tests.web.conftest import Played
from tests.web.site import Site

GAMES = sorted({sheet.game for sheet in catalog.sheets()})
FIGURES = [(game, name) for game in how_to_play.games() for name in how_to_play.example(game).figures]


def test_every_game_has_a_guide_and_all_are_found_from_every_page(site: Site) -> None:
    assert list(how_to_play.games()) == GAMES
    assert 'href="/how-to-play"' in site.client.get("/maps").text
    index = site.client.get("/how-to-play").text
    assert all(f'href="/how-to-play/{game}"' in index for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_guide_can_be_read_in_ten_minutes_and_shows_all_its_figures(site: Site, game: str) -> None:
    page = site.client.get(f"/how-to-play/{game}").text
    words = re.sub(r"<[^>]+>", " ", page[page.index("<article") : page.index("</article>")]).split()
    assert 500 < len(words) < 2000
    for name, figure in how_to_play.example(game).figures.items():
        assert f'src="/how-to-play/{game}/{name}.png"' in page
        assert figure.after <= len(how_to_play.example(game).orders)


@pytest.mark.parametrize(("game", "name"), FIGURES)
def test_a_figure_is_drawn_as_large_as_its_page_says(site: Site, game: str, name: str) -> None:
    page = site.client.get(f"/how-to-play/{game}").text
    said = re.search(rf'{name}\.png" width="(\d+)" height="(\d+)"', page)
    with Image.open(io.BytesIO(site.client.get(f"/how-to-play/{game}/{name}.png").data)) as picture:
        assert said is not None
        assert picture.size == (int(said[1]), int(said[2]))
        assert max(picture.size) < 700


@pytest.mark.parametrize(
    "path", ["/how-to-play/chess", "/how-to-play/chess/board.png", "/how-to-play/age-of-steam/x.png"]
)
def test_what_no_guide_has_is_not_found(site: Site, path: str) -> None:
    assert site.client.get(path).status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_links_inside_a_guide_lead_to_a_heading(site: Site, game: str) -> None:
    page = site.client.get(f"/how-to-play/{game}").text
    headings = set(re.findall(r'<h[23] id="([^"]+)"', page))
    assert headings >= set(re.findall(r'href="#([^"]+)"', page)) - {"main"}


def test_every_phase_in_which_something_is_asked_is_explained() -> None:
    assert {"issue_shares", "turn_order", "select_actions", "build_track", "move_goods", "goods_growth"} <= (
        how_to_play.topics("age-of-steam")
    )
    assert {"actions", "bonus", "draw"} <= how_to_play.topics("steam-power")


@pytest.mark.parametrize(("form", "phase"), [("started", "issue_shares"), ("build", "build_track")])
def test_a_question_leads_to_what_explains_it(played: Played, form: str, phase: str) -> None:
    site = played(form)
    assert f'href="/how-to-play/age-of-steam#{phase}"' in site.client.get(site.turn()).text


@pytest.mark.parametrize(("game", "slug"), [("age-of-steam", "rust_belt"), ("steam-power", "ireland")])
def test_every_order_of_the_page_that_documents_them_is_read_as_one(site: Site, game: str, slug: str) -> None:
    page = site.client.get(f"/how-to-play/{game}/orders").text
    sheet = catalog.sheet(game, slug)
    state = sheet.start(sheet.colours[:4], SeededChance(bytes(32), "deal"), {}).state
    orders = [unescape(code) for code in re.findall('<th scope="row"><code>(.*?)</code>', page)]
    assert len(orders) > 12
    for order in orders:
        assert sheet.parse(state, order, {}), order
    assert f'href="/how-to-play/{game}/orders"' in site.client.get("/how-to-play/by-email").text


def test_there_is_no_page_of_orders_for_another_game(site: Site) -> None:
    assert site.client.get("/how-to-play/chess/orders").status_code == 404
