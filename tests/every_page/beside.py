"""Mock-ups of pages and the pages themselves in one picture each: ``python -m tests.every_page.beside [word…]``.

The mock-ups are ``look/page-*.html`` in the folder that ``PBEM_SHARED`` names. Most of them show the recorded game
``rust_belt-2692`` at its order 141; here it is put into a running game, and the pages are opened at the same position.
Pictures go into ``docs/pages/beside``: mock-up and page as a desk shows them, then both as a phone does. With words
only mock-ups are taken whose name has one of them.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page
from sqlalchemy import select, update

from pbem.engine import catalog
from pbem.engine.record import read_record, replay, start
from pbem.rails.names import folded
from pbem.service.archive import records
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening
from pbem.service.orders import submissions
from pbem.service.people import accounts
from pbem.store.tables import Game, Seat, Submission
from pbem.web.base.context import COOKIE
from tests.every_page import furnished
from tests.every_page.decisions import kept, late_ones, stops
from tests.web.browsers import launched, serving
from tests.web.conftest import Games
from tests.web.site import Site

SHARED = Path(os.environ.get("PBEM_SHARED", Path(__file__).parents[3] / "shared"))
FOLDER = Path(__file__).parents[2] / "docs" / "pages" / "beside"
RECORDED = SHARED / "recorded" / "rust_belt-2692.json"
NAMES = {"brown": "Davi", "red": "Ben", "purple": "Chloé", "pink": "Ana", "yellow": "Eva"}
ANA = 3
"""The number of the seat whose pages the mock-ups show."""
SIZES = ((1280, 900, 520), (360, 780, 220))
"""Pixels of a window, and of its picture."""
TALLEST, GAP, QUALITY, HEAVIEST = 1500, 10, 45, 120_000
"""Pixels of a picture and between its parts; what it may weigh, in bytes."""

Where = Callable[[Site], str]
"""The address of a page on a site that stands at its order."""


def _turn(query: str = "") -> Where:
    return lambda site: site.turn() + query


def _at(path: str) -> Where:
    return lambda site: path.format(game=site.game)


def _order(text: str) -> Where:
    return lambda site: site.turn(text)


def _sent(site: Site) -> str:
    """Ana's build is played."""
    claim = site.asked()
    new = submissions.NewSubmission(claim.waiting_for, "build L15 NE-NW; K14 SE-SW", claim.version, "page")
    number = submissions.submit(site.office, site.game, new, site.now)
    submissions.play_waiting(site.office, site.game, site.now)
    with site.office.read() as session:
        assert session.get_one(Submission, number).status == "played"
    return site.result(number).partition("?")[0]


def _stale(site: Site) -> str:
    """The auction has gone on since."""
    return site.path(site.office.addresses.turn(site.game, "pink", 127, "drop"))


def _plan(site: Site) -> str:
    """Davi is asked, then Eva; Ana plans."""
    view = site.view()
    return site.path(site.office.addresses.plan(view.id, "pink", view.sheet.turn(view.state)))


def _lobby(site: Site) -> str:
    """Ana is asked in one game, waits in another, and is invited to a third."""
    games = (
        ("Ruhr by Christmas", "age-of-steam", "germany", (1, 2, 3)),
        ("Contracts in Leeds", "steam-power", "northern_england", (1, 2, 3)),
        ("Lakes and locomotives", "age-of-steam", "finland", (2,)),
    )
    with site.office.write() as session:
        host = accounts.account(session, "hugo@example.org", "Hugo", site.now).id
    for title, system, map_slug, accepted in games:
        invited = tuple(opening.Invited(f"{folded(name)}@example.org", name) for name in ("Ana", "Greta", "Eva"))
        game = opening.open_game(site.office, host, opening.NewGame(title, system, map_slug, invited), site.now)
        for number in accepted:
            opening.answer(site.office, InvitationClaim(game, number), True, site.now)
    return "/"


BOTH = "L15%20NE-NW;K14%20SE-SW"
AT_141: tuple[tuple[str, Where], ...] = (
    ("turn-build-start", _turn()),
    ("turn-build-hex", _turn("?hex=L15")),
    ("turn-build", _turn("?steps=L15%20NE-NW&hex=K14")),
    ("turn-build-ready", _turn(f"?steps={BOTH}")),
    ("stale", _stale),
    ("game", _at("/games/{game}")),
    ("account", _at("/account")),
    ("new-game", _at("/new")),
    ("map", _at("/maps/southern_us")),
    ("error", _at("/games/nothing")),
    ("turn-sent", _sent),
)
LIVE: dict[int, tuple[tuple[str, Where], ...]] = {
    121: (("turn-plan", _plan),),
    127: (("turn-simple", _order("drop")),),
    141: AT_141,
    142: (("turn-move", _turn()),),
}
"""Pages to open before the order with this number is played. ``turn-sent`` plays it, and is the last one there."""
FURNISHED: tuple[tuple[str, Where], ...] = (
    ("start", _at("/")),
    ("tables", _at("/tables")),
    ("lobby", _lobby),
    ("archive", _at("/archive")),
)
OVER: tuple[tuple[str, Where], ...] = (
    ("archived-game", _at("/games/{game}")),
    ("archive-replay", _at("/games/{game}?at=141")),
)
STEAM = "northern_england-3-to-the-end"


def main(words: list[str]) -> None:
    """Take the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with launched() as browser:
        for name, page, url in _pages(browser, words):
            picture = _joined([*_taken(page, _mock(name)), *_taken(page, url)])
            path = FOLDER / f"{name}.webp"
            for quality in range(QUALITY, 0, -8):
                picture.save(path, quality=quality, method=6)
                if path.stat().st_size <= HEAVIEST:
                    break
            print(f"{path.name}: {path.stat().st_size} bytes")
    names = sorted(path.stem for path in FOLDER.glob("*.webp"))
    (FOLDER / "README.md").write_text(index(names), "utf-8")


def index(names: list[str]) -> str:
    """The page that shows the pictures."""
    lines = [
        "# Mock-ups and pages\n",
        "Left of each pair the mock-up, right of it the page: first as a desk shows them, then as a phone does, the",
        "top of the longer ones. Taken by `python -m tests.every_page.beside`.\n",
    ]
    return "\n".join([*lines, *(f'## {name}\n\n<img src="{name}.webp" alt="{name}">\n' for name in names)])


def _mock(name: str) -> str:
    return (SHARED / "look" / f"page-{name}.html").as_uri()


def _wanted(pages: tuple[tuple[str, Where], ...], words: list[str]) -> list[tuple[str, Where]]:
    return [(name, where) for name, where in pages if not words or any(word in name for word in words)]


def _pages(browser: Browser, words: list[str]) -> Iterator[tuple[str, Page, str]]:
    """Name, page of a browser that may open it, address."""
    games = Games(Path(tempfile.mkdtemp()))
    if wanted := _wanted(FURNISHED, words):
        yield from _furnished(browser, games.fresh(), wanted)
    site = games.fresh()
    with serving(site.app) as root:
        page = browser.new_page()
        last = max((at for at, pages in LIVE.items() if _wanted(pages, words)), default=-1)
        for at in _recorded(site, last):
            if wanted := _wanted(LIVE.get(at, ()), words):
                page.goto(root + site.path(site.office.addresses.seat(site.game, ANA)))
                if (stay := page.get_by_role("button", name="Stay logged in")).count():
                    stay.click()
                for name, where in wanted:
                    yield name, page, root + where(site)
        if wanted := _wanted(OVER, words):
            site.game = records.import_record(site.office, RECORDED.read_bytes(), site.now)
            for name, where in wanted:
                yield name, page, root + where(site)
    if _wanted((("turn-steam-power", _turn()),), words):
        steam, record = games.fresh(), kept(STEAM)
        late = max(number for number, kind in late_ones(record).items() if kind[1] == "contract")
        with serving(steam.app) as root:
            for _ in stops(steam, record, {late: ("", "")}):
                yield "turn-steam-power", browser.new_page(), root + steam.turn()
                break


def _furnished(browser: Browser, site: Site, wanted: list[tuple[str, Where]]) -> Iterator[tuple[str, Page, str]]:
    """Pages that many people fill; Ana is logged in on those she has something on."""
    reader = furnished.furnish(site)
    with site.office.write() as session:
        secret = accounts.remember(site.office, session, reader, site.now)
    with serving(site.app) as root:
        for name, where in wanted:
            page = browser.new_page()
            if name != "start":
                at = root.replace("http:", "https:")  # browsers keep the name for what is secure
                page.context.add_cookies([{"name": f"__Host-{COOKIE}", "value": secret, "url": at, "secure": True}])
            yield name, page, root + where(site)


def _recorded(site: Site, last: int) -> Iterator[int]:
    """Play the recorded game on the site up to an order, and stop before each; its dice are those of the record."""
    record = read_record(RECORDED.read_bytes())
    sheet = catalog.sheet(record.game, record.map)
    office, now = site.office, site.now
    invited = tuple(opening.Invited(f"{seat}@example.org", NAMES[seat]) for seat in record.players)
    new = opening.NewGame("Slow train to Duluth", record.game, record.map, invited, grace=timedelta(minutes=10))
    site.game = opening.open_game(office, None, new, now)
    for number in range(len(record.players)):
        opening.answer(office, InvitationClaim(site.game, number), True, now)
    with office.database.write() as session:
        for number, colour in enumerate(record.players):
            mine = (Seat.game_id == site.game, Seat.number == number)
            session.execute(update(Seat).where(*mine).values(colour=f"{colour}+"))
        for seat in session.scalars(select(Seat).where(Seat.game_id == site.game)):
            seat.colour = seat.colour.removesuffix("+")
    state = start(sheet, record)[0].state
    for number, played in enumerate(replay(sheet, record)):
        with office.database.write() as session:
            game = session.get_one(Game, site.game)
            game.state, game.to_act = sheet.encode(state), sheet.to_act(state) or ""
            game.phase, game.turn = sheet.phase(state), sheet.turn(state)
        yield number
        if number >= last:
            return
        entry = played.entry
        submissions.submit(
            office, site.game, submissions.NewSubmission(entry.player, entry.orders, number, "page"), now
        )
        submissions.play_waiting(office, site.game, now)
        state = played.state


def _taken(page: Page, url: str) -> Iterator[Image.Image]:
    """A page as a desk shows it, then as a phone does."""
    for width, height, wide in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(url)
        page.evaluate("for (const one of document.images) one.loading = 'eager'")  # the whole page is shown
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)  # the board is laid out by a script
        shown = Image.open(io.BytesIO(page.screenshot(full_page=True, animations="disabled"))).convert("RGB")
        shown = shown.resize((wide, shown.height * wide // width), Image.Resampling.LANCZOS)
        yield shown.crop((0, 0, wide, min(shown.height, TALLEST)))


def _joined(four: list[Image.Image]) -> Image.Image:
    """Mock-up and page of the desk, mock-up and page of the phone, side by side."""
    parts = [four[0], four[2], four[1], four[3]]
    size = (sum(part.width + GAP for part in parts) + GAP, max(part.height for part in parts) + 2 * GAP)
    whole, left = Image.new("RGB", size, "#8a8a8a"), GAP
    for part in parts:
        whole.paste(part, (left, GAP))
        left += part.width + GAP
    return whole


if __name__ == "__main__":
    main(sys.argv[1:])
