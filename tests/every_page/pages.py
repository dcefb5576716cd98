"""Pictures of the pages for people who judge how they look: ``python -m tests.every_page.pages``.

They are written into ``docs/pages`` with an index, each as a desk and as a phone shows it. What pages look like in the
language of the reader, in the dark or on other sheets is looked at by the tests beside this.
"""

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from pbem.service.own_maps import reports
from tests.drawn import map_of
from tests.every_page import shots
from tests.every_page.decisions import kept, late_ones, stops
from tests.web.addresses import Known
from tests.web.browsers import launched, serving
from tests.web.conftest import Games
from tests.web.site import Site
from workers import reporting

FOLDER = Path(__file__).parents[2] / "docs" / "pages"
SIZES = (("desk", 1280, 640), ("phone", 390, 300))
"""Name, pixels of the window, pixels of the picture."""
TALLEST = 1800
"""Pixels of a window; what stands below on a longer page is left out."""
QUALITY = 35
GAMES = (
    ("rust_belt-5-to-the-last-turn-2", "Age of Steam, Rust Belt"),
    ("switzerland-3-to-the-last-turn", "Age of Steam, Switzerland"),
    ("northern_italy-3-to-the-end", "Steam Power, Northern Italy"),
)
"""Kept games, each shown at a late decision of every kind and in the archive."""
FOR_STRANGERS = (
    ("/", "The start page"),
    ("/tables", "Open tables"),
    ("/maps", "Maps"),
    ("/maps/southern_us", "A map"),
    ("/how-to-play/age-of-steam", "How to play"),
    ("/rulings/steam-power", "Rulings"),
    ("/first-game", "The first game by email"),
    ("/ratings", "Ratings"),
    ("/nothing", "An address with nothing"),
)
FOR_PLAYERS = (
    ("/", "Your games"),
    ("/new", "New game"),
    ("/account", "Your account"),
    ("/leagues/new", "New league"),
    ("/maps/own", "My maps"),
    ("/maps/own/<key>", "Drawing a map"),
    ("/maps/play/<key>", "A map that a player has drawn"),
    ("/maps/play/<key>/balance", "A balance report"),
    ("/maps/play/<key>/publish", "Publishing a map"),
    ("/games/<game_id>", "A running game"),
    ("/s/<token>/people", "People of a game"),
    ("/t/<token>", "A question"),
)


def main() -> None:
    """Take all pictures anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.webp"):
        old.unlink()
    titles: list[str] = []
    with launched() as browser:
        for title in _taken(browser):
            print(title)
            titles.append(title)
    (FOLDER / "README.md").write_text(index(titles), "utf-8")


def index(titles: list[str]) -> str:
    """The page that shows the pictures."""
    lines = [
        "# Pages\n",
        "As a desk and as a phone shows them, the top of the longer ones. All are taken anew by",
        "`python -m tests.every_page.pages`.\n",
    ]
    for title in titles:
        shown = (
            f'<img src="{shots.name_of(title)}-{size}.webp" alt="{title}, {size}" width="{wide // 2}">'
            for size, wide in _widths()
        )
        lines.append(f"## {title}\n\n{' '.join(shown)}\n")
    return "\n".join(lines)


def _widths() -> Iterator[tuple[str, int]]:
    return ((size, wide) for size, _, wide in SIZES)


def _taken(browser: Browser) -> Iterator[str]:
    """Titles, each when its pictures are there."""
    games = Games(Path(tempfile.mkdtemp()))
    known = Known(games.at("started"))
    paths = dict(known.paths("GET"))
    with serving(known.site.app) as root:
        page = browser.new_page()
        for path, title in FOR_STRANGERS:
            yield _take(page, root + path, title)
        page.goto(root + known.site.path(known.site.office.addresses.seat(known.site.game, 0)))
        page.get_by_role("button", name="Stay logged in").click()
        paths["/games/<game_id>"] = f"/games/{known.site.game}"
        paths["/maps/play/<key>/balance"] = _reported(known.site)
        for path, title in FOR_PLAYERS:
            yield _take(page, root + paths.get(path, path), title)
    for name, board in GAMES:
        record, site = kept(name), games.fresh()
        with serving(site.app) as root:
            page = browser.new_page()
            for _, (phase, word) in stops(site, record, late_ones(record)):
                if phase == "over":
                    yield _take(page, f"{root}/games/{site.game}", f"{board}: the archived game")
                    yield _take(page, f"{root}/archive", f"{board}: the archive")
                else:
                    yield _take(page, root + site.turn(), f"{board}: {phase.replace('_', ' ')}, {word}")


def _reported(site: Site) -> str:
    """The page of a whole balance report."""
    version = map_of(site.office, site.host, site.now)
    reports.ask(site.office, version, site.host, site.now)
    reporting.work_off(site.office)
    return f"/maps/play/{version.key}/balance"


def _take(page: Page, url: str, title: str) -> str:
    for size, window, wide in SIZES:
        page.set_viewport_size({"width": window, "height": 900})
        page.goto(url)
        page.wait_for_timeout(300)  # the board is laid out by a script
        picture = Image.open(io.BytesIO(page.screenshot(full_page=True, animations="disabled"))).convert("RGB")
        picture = picture.crop((0, 0, window, min(picture.height, TALLEST)))
        picture = picture.resize((wide, picture.height * wide // window), Image.Resampling.LANCZOS)
        picture.save(FOLDER / f"{shots.name_of(title)}-{size}.webp", quality=QUALITY, method=6)
    return title


if __name__ == "__main__":
    main()
