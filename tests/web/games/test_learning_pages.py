"""Pages to learn by: the first game, how to play, rulings."""

import io
import re
from html import unescape

import pytest
from PIL import Image

from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.language import rulings
from pbem.service.base.tokens import ConfirmClaim
from pbem.service.games import guests
from pbem.web.games import how_to_play
from pbem.web.games.game import LAST_SHOWN
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

# the first game ----------------------------------------------------------------------------------------------


BASE = "https://play.example.org"
ANN = {"name": "Ann", "email": "ann@example.org"}


def test_it_is_found_from_the_start_page_the_guides_and_every_invitation(empty: Site) -> None:
    visitor = empty.app.test_client()
    for page in ("/", "/how-to-play", "/how-to-play/age-of-steam"):
        assert 'href="/first-game"' in visitor.get(page).text
    empty.open()
    for row in empty.letters("invitation"):
        begins = empty.path(empty.read(row).own.first_game)
        assert "Your invitation stays as it is." in visitor.get(begins).text
        answer = empty.path(empty.read(row).own.accept)
        assert begins in visitor.get(answer).text


def test_whoever_was_invited_presses_one_button_and_gets_the_first_email(empty: Site) -> None:
    empty.open()
    invitation = empty.letters("invitation")[1]
    begins = empty.path(empty.read(invitation).own.first_game)
    assert "chloe@example.org" in empty.get(begins).text
    assert empty.letters("lesson") == []
    for _ in range(2):
        empty.press(begins)
    assert [row.account_id for row in empty.letters("lesson")] == [invitation.account_id]


def test_a_visitor_gives_a_name_and_an_address_and_confirms_it_by_email(empty: Site) -> None:
    answer = empty.client.post("/first-game", data=ANN, base_url=BASE)
    assert answer.headers["Location"] == "/first-game/begun"
    page = empty.client.get("/first-game/begun", base_url=BASE).text
    assert "We have sent an email to the address you gave." in page
    assert [row.kind for row in empty.letters()] == ["guest-game"]
    (row,) = empty.letters()
    guests.confirm(empty.office, ConfirmClaim(row.data["game"], row.data["number"], row.account_id), empty.now)
    assert [row.kind for row in empty.letters()] == ["guest-game", "lesson"]


def test_what_is_wrong_stands_at_its_field_and_nothing_is_begun(empty: Site) -> None:
    answer = empty.client.post("/first-game", data={"name": "Ann", "email": "nowhere"}, base_url=BASE)
    assert answer.status_code == 400
    assert "1 problem to fix." in answer.text
    assert 'value="Ann"' in answer.text
    assert empty.letters() == []


def test_whoever_is_logged_in_begins_with_a_form_of_their_own(site: Site) -> None:
    site.log_in()
    page = Page(site.client.get("/first-game", base_url=BASE).text)
    (form,) = (form for form in page.posts if form.action == "/first-game")
    assert site.client.post("/first-game", data={"mark": "x"}, base_url=BASE).status_code == 403
    assert site.client.post("/first-game", data=form.hidden, base_url=BASE).status_code == 303
    (row,) = site.letters("lesson")
    assert "on its way" in site.client.get("/first-game/begun", base_url=BASE).text
    assert row.account_id == site.host


def test_the_page_of_an_answer_says_that_an_email_explains_the_next_question(empty: Site) -> None:
    empty.client.post("/first-game", data=ANN, base_url=BASE)
    empty.game = empty.letters("guest-game")[0].data["game"]
    view = empty.view()
    order = str(view.sheet.default(view.state))
    number = empty.send(order)
    empty.robots_answer()
    page = empty.client.get(empty.result(number), base_url=BASE).text
    assert "Once your address is confirmed, an email explains every question of the first game." in page


def test_once_the_address_is_confirmed_the_page_of_an_answer_no_longer_asks_for_that(site: Site) -> None:
    site.log_in()
    site.game = guests.begin_first_game(site.office, site.host, site.now)
    number = site.send(site.legal())
    site.robots_answer()
    page = site.get(site.result(number)).text
    assert "An email explains every question of the first game." in page
    assert "confirmed" not in page


def test_the_page_of_the_first_game_folds_what_robots_played_for_everybody(site: Site) -> None:
    site.log_in()
    site.game = guests.begin_first_game(site.office, site.host, site.now)
    opening = site.view().version
    page = Page(site.client.get(f"/games/{site.game}", base_url=BASE).text)
    assert "The last orders" in page.headings
    assert f"Robots played orders 1 to {opening} for all players." in page.text
    shown, _, folded = page.html.partition("Played by robots for all players")
    assert shown.count('<li><a class="n"') == LAST_SHOWN
    assert '<li><a class="n"' in folded.partition("</details>")[0]
    site.play()
    page = Page(site.client.get(f"/games/{site.game}", base_url=BASE).text)
    assert "Since your last turn" in page.headings
    assert f"Robots played orders 1 to {opening} for all players." in page.text


# how to play -------------------------------------------------------------------------------------------------


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


# rulings -----------------------------------------------------------------------------------------------------


WITH_RULINGS = sorted(rulings.PAGES)


@pytest.mark.parametrize("game", WITH_RULINGS)
def test_every_ruling_has_an_anchor_of_its_own(site: Site, game: str) -> None:
    page = site.client.get(f"/rulings/{game}")
    anchors = re.findall(r'<tr id="([^"]+)"', page.text)
    assert sorted(anchors) == sorted(rulings.numbers(game))
    assert len(page.data) < 40 * 1024
    linked = re.findall(r'href="#([^"]+)"', page.text)
    assert set(linked) <= {*anchors, *re.findall(r'<h2 id="([^"]+)"', page.text), "main"}


def test_a_ruling_stands_there_in_its_words_with_links_to_others(site: Site) -> None:
    page = site.client.get("/rulings/age-of-steam").text
    assert "<td>Only complete links: looked at when the whole build is done, exits of towns included.</td>" in page
    assert 'skipped (<a href="#R13">R13</a>)' in page
    assert "<code>bid max 6</code>" in page
    assert "placement_rules.py" not in page, "players do not look for code"


def test_a_game_without_rulings_has_no_page(site: Site) -> None:
    site.get("/rulings/chess", 404)


def test_a_refused_order_leads_to_its_ruling(site: Site) -> None:
    """R10: the page of the refusal, and that of orders which were only checked."""
    for _ in range(2):
        site.play("issue 0")
    refused = "bid 99"
    site.until("choices")
    while site.asked().sheet.phase(site.asked().state) != "turn_order":
        site.play(site.asked().default(), seat=site.asked().waiting_for)
    sent = site.post(site.turn(), {"orders": refused})
    link = '(<a href="/rulings/age-of-steam#R12">R12</a>).'
    assert link in site.client.get(sent.headers["Location"]).text
    assert link in site.client.get(f"{site.turn()}?typed=bid+99&check=1").text
    assert link in site.client.get(site.turn(refused)).text


def test_a_number_within_a_sentence_is_a_hex() -> None:
    assert rulings.cited("age-of-steam", "R12 is full (R24).") == ("R12 is full (", "R24", ").")
    assert rulings.cited("age-of-steam", "Toledo (R12) is full.") is None
    assert rulings.cited("age-of-steam", "No such ruling (R999).") is None
    assert rulings.cited("chess", "Anything (R12).") is None


def test_the_words_of_positions_are_on_the_page_about_emails_and_as_json(empty: Site) -> None:
    answer = empty.client.get("/how-to-play/by-email/words.json").get_json()
    assert {"en": "cash", "es": "dinero", "pl": "kasa", "pt": "dinheiro"} in answer["words"]
    page = empty.get("/how-to-play/by-email")
    assert "/how-to-play/by-email/words.json" in page.links
    assert all(said in page.text for row in answer["words"] for said in row.values())
