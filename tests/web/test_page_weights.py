"""Pages of long games stay light: 40 KB of HTML, whoever looks, however much has happened."""

import json
import re
from collections.abc import Iterator

import pytest

from pbem.engine.record import write_record
from pbem.service.archive import records
from pbem.service.games import views
from pbem.settings.paths import templates_folder
from pbem.web.base.styles import EVERYWHERE, NEEDLESS, PARTS, joined, link
from tests.late_game import KEPT, late_game
from tests.playthroughs.telling import GAMES, SUFFIX, load
from tests.web.conftest import Games
from tests.web.site import Site

HEAVIEST = 40_000
"""Bytes of HTML, before a proxy compresses them."""
HEAVIEST_STYLE, HEAVIEST_SCRIPT = 33 * 1024, 5 * 1024
HEAVIER = {"board.js": 12_000, "painter.js": 12 * 1024, "alone.js": 6_000}
"""The live board, which is asked for when the page is there; what only the painter has; what is in game files alone."""
LATE = (KEPT, "germany-5-to-the-last-turn", "ireland-5-to-the-end-cash_action=5")
"""Games of five people on maps with much to say."""


@pytest.fixture(scope="module", params=LATE)
def late(request: pytest.FixtureRequest, saved: Games) -> Iterator[tuple[Site, str]]:
    """A game in its last two turns, and the same one when it is over."""
    site = saved.fresh()
    record = load(GAMES / f"{request.param}{SUFFIX}").record
    site.game = late_game(site.office, site.now, record).id
    yield site, records.import_record(site.office, json.dumps(write_record(record)), site.now)
    saved.close(site)


def _weights(site: Site, *addresses: str) -> dict[str, int]:
    """The pages that are too heavy, with their bytes."""
    pages = {address: len(site.get(address).html.encode()) for address in addresses}
    return {address: weight for address, weight in pages.items() if weight > HEAVIEST}


def test_the_page_of_a_game_in_its_last_turns_is_light_for_whoever_looks(late: tuple[Site, str]) -> None:
    site, _ = late
    seats = [site.path(site.office.addresses.seat(site.game, seat.number)) for seat in site.view().seats]
    assert _weights(site, f"/games/{site.game}", f"{seats[0]}?log=1", *seats) == {}
    assert _weights(site, *(f"{seat}/words" for seat in seats)) == {}


def test_every_position_of_a_finished_game_is_light(late: tuple[Site, str]) -> None:
    site, over = late
    last = views.latest(site.office, over)
    page = f"/games/{over}"
    assert _weights(site, page, *(f"{page}?at={at}" for at in range(last // 10, last, last // 5))) == {}


def test_the_page_of_an_account_is_light(site: Site) -> None:
    site.log_in()
    base = site.office.settings.public_url
    answer = site.client.get("/account", base_url=base)
    assert answer.status_code == 200
    assert len(answer.get_data()) <= HEAVIEST


def test_the_pages_of_questions_and_of_builds_are_light(late: tuple[Site, str]) -> None:
    site, _ = late
    forms: set[str] = set()
    for _ in range(40):
        asked = site.asked()
        if asked.over or "build" in forms:
            break
        question = asked.sheet.question(asked.state)
        if question.form not in forms:
            forms.add(question.form)
            page = site.get(site.turn())
            assert len(page.html.encode()) <= HEAVIEST
            hexes = [link for link in page.links if "hex=" in link]
            assert _weights(site, *hexes[:: len(hexes) // 3 or 1]) == {}
        site.play()
    assert forms >= ({"choices"} if site.view().sheet.game == "steam-power" else {"choices", "build"})


NAMED = re.compile(r"{% set (own_)?styles = (.+) %}")
"""The parts of the style that a page names; pages in the frame of turn pages name only their own."""


def test_the_style_sheet_of_every_page_is_light() -> None:
    """With all a page may need: the cards of Steam Power and the colours of a trial as well."""
    pages, sizes = templates_folder() / "pages", dict[str, int]()
    frame = NAMED.search((pages / "turn.html").read_text("utf-8"))
    for page in pages.rglob("*.html"):
        if found := NAMED.search(page.read_text("utf-8")):
            parts = found[2] + (frame[2] if frame and found[1] else "")
            needed = {*EVERYWHERE, "trial", *re.findall(r'"(\w+)"', parts)}
            sizes[page.name] = len(joined(tuple(part for part in PARTS if part in needed)).encode())
    assert {page: size for page, size in sizes.items() if size > HEAVIEST_STYLE} == {}
    assert {"turn_build.html", "turn_deliver.html", "game.html", "game_over.html", "welcome.html"} <= set(sizes)


def test_scripts_are_light() -> None:
    scripts = {path.name: path.stat().st_size for path in (templates_folder() / "static").glob("*.js")}
    assert {name: size for name, size in scripts.items() if size > HEAVIER.get(name, HEAVIEST_SCRIPT)} == {}
    assert len(scripts) > 3


def test_every_script_waits_until_the_page_is_there(site: Site) -> None:
    for page in (site.get("/"), site.get(f"/games/{site.game}"), site.get(site.turn())):
        scripts = re.findall(r"<script[^>]*>", page.html)
        assert scripts
        assert [script for script in scripts if " defer" not in script] == []


LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
PLAIN = re.compile(r"\s+|/\*.*?\*/", re.DOTALL)


def _sheets(site: Site, page: str) -> list[str]:
    return [address.replace("&amp;", "&") for address in LINK.findall(site.get(page).html)]


def test_a_page_links_one_sheet_that_browsers_keep_for_ever(site: Site) -> None:
    for page in ("/", "/maps", f"/games/{site.game}", site.turn()):
        (address,) = _sheets(site, page)
        answer = site.client.get(address)
        assert (answer.status_code, answer.mimetype) == (200, "text/css")
        assert "immutable" in answer.headers["Cache-Control"]
        assert "--paper:" in answer.text
        assert ".board" in answer.text or page == "/maps"


def test_only_white_space_and_comments_are_left_out() -> None:
    for part in PARTS:
        kept = (templates_folder() / "static" / f"{part}.css").read_text("utf-8")
        shorter = joined((part,))
        assert PLAIN.sub("", shorter) == PLAIN.sub("", kept).replace(";}", "}")
        assert len(shorter) < len(kept)
    spaced = 'a :hover { content: " ; " attr(x); width: calc(1px + 2px) } /* no */ b'
    assert NEEDLESS.sub(lambda found: "".join(filter(None, found.groups())), spaced) == (
        'a :hover{content:" ; " attr(x);width:calc(1px + 2px)} b'
    )


def test_parts_there_are_not_are_no_page_and_no_link(site: Site) -> None:
    for name in ("site-marks-nothing", "marks-site", "site-site", ""):
        assert site.client.get(f"/style/{name}.css").status_code == 404
    with site.app.test_request_context(), pytest.raises(ValueError, match="no such part of the style: marble"):
        link(["marble"])
