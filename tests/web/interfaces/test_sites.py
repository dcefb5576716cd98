"""The archive as a static site: what is in it, and what is written when it is written again."""

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

import pytest
from justhtml import JustHTML
from playwright.sync_api import Browser, expect
from typing_extensions import override

from pbem.cli import main
from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import write_record
from pbem.mail.compose import compose
from pbem.robot import opponents
from pbem.service.archive import game_files, records
from pbem.service.base.seals import seal
from pbem.service.statistics import counting
from pbem.store.tables import Game
from pbem.web import write_site
from pbem.web.interfaces import site_letters, sites
from pbem.web.interfaces.site_folder import MANIFEST, NOTED_EVERY, Folder, Occupied
from tests.databases import put_tables
from tests.every_page.looking import looking
from tests.mail.views import LETTERS
from tests.web.browsers import DESKTOP, PHONE
from tests.web.conftest import Games, Played
from tests.web.site import Site

MAILS = (("invitation", "ana"), ("your-turn-build", "ana"), ("your-turn-build", "ben"))
BASE = "https://example.org/games-of-ours"
LIGHT = 300_000
"""Bytes of the front page with all it needs."""
ADDRESS = re.compile(r'\b(?:href|src|srcset|action)="([^"]*)"')
LOOKED_AT = ("index.html", "archive/index.html", "archive/1.html", "maps/index.html", "maps/rust_belt.html",
             "how-to-play/index.html", "how-to-play/age-of-steam.html", "statistics/index.html",
             "statistics/barbados.html", "ratings.html", "names.html", "letters/index.html")  # fmt: skip


def _written(site: Site, folder: Path, url: str = BASE) -> Folder:
    mails = folder.parent / "mails"
    return write_site(site.office, folder, url, lambda *_: None, letters=mails if mails.is_dir() else None)


def _robots_game(site: Site) -> str:
    """A game of robots, imported; its id."""
    record, _ = play(catalog.sheet("age-of-steam", "barbados"), 1, "a", [opponents.every()["penny"]])
    return records.import_record(site.office, json.dumps(write_record(record)), site.now)


@pytest.fixture(scope="module")
def made(saved: Games, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Path, str]]:
    """A site of a game of people and one of robots, in a folder of a folder; and the id of that of robots."""
    site, folder = saved.at("over"), tmp_path_factory.mktemp("served") / "games-of-ours"
    robots = _robots_game(site)
    for game in counting.due(site.office, site.now):
        counting.count(site.office, game, site.now)
    mails, board = folder.parent / "mails", site.client.get("/maps/barbados/thumb.png").data
    mails.mkdir(parents=True)
    for number, (name, reader) in enumerate(MAILS, 1):
        (mails / f"{number:04}-{reader}-{name}.eml").write_bytes(compose(LETTERS[name], board).content)
    _written(site, folder)
    yield site, folder, robots
    saved.close(site)


def _pages(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.html"))


def test_every_address_is_relative_and_leads_to_a_file_and_a_place_in_it(made: tuple[Site, Path, str]) -> None:
    _, folder, _ = made
    broken, links = [], 0
    for name in _pages(folder):
        for address in ADDRESS.findall((folder / name).read_text("utf-8")):
            to = urlsplit(address)
            if to.scheme in ("data", "mailto", "https"):
                continue
            links += 1
            path = (folder / name).parent / unquote(to.path) if to.path else folder / name
            text = path.read_text("utf-8") if path.is_file() and path.suffix == ".html" else ""
            in_game = name.startswith("games/") or name == "index.html"  # their scripts know what #12 is
            there = not to.fragment or f'id="{to.fragment}"' in text or (in_game and to.fragment.isdigit())
            if address.startswith("/") or not path.is_file() or not there:
                broken.append((name, address))
    assert broken == []
    assert links > 1000


def test_every_page_has_a_strict_policy_and_needs_no_server(made: tuple[Site, Path, str]) -> None:
    _, folder, _ = made
    for name in _pages(folder):
        text = (folder / name).read_text("utf-8")
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
        assert policy is not None, name
        if name.startswith("letters/0"):
            assert policy[1] == site_letters.POLICY, "which lets nothing in but its own look"
        else:
            assert "unsafe" not in policy[1]
        assert "<form" not in text, name
        assert "/static/turn.js" not in text, name
        assert not JustHTML(text, collect_errors=True).errors, name


def test_it_has_a_page_of_every_public_game_and_an_import_of_it_is_the_same(made: tuple[Site, Path, str]) -> None:
    site, folder, robots = made
    games = {path.stem for path in (folder / "games").glob("*.html")}
    assert games == {site.game, robots}
    for game in games:
        held, _ = game_files.read((folder / "games" / f"{game}.html").read_bytes())
        assert seal(json.loads(held)) == seal(records.export(site.office, game))
    assert {row[0] for row in json.loads((folder / "archive/games.json").read_text("utf-8"))} == games


def test_search_engines_are_told_of_what_names_nobody(made: tuple[Site, Path, str]) -> None:
    site, folder, robots = made
    listed = re.findall(r"<loc>([^<]+)</loc>", (folder / "sitemap.xml").read_text("utf-8"))
    assert f"{BASE}/" in listed
    assert f"{BASE}/maps/rust_belt.html" in listed
    assert f"{BASE}/games/{robots}.html" in listed
    assert f"{BASE}/games/{site.game}.html" not in listed
    assert "noindex" in (folder / f"games/{site.game}.html").read_text("utf-8")
    assert "noindex" in (folder / "archive/index.html").read_text("utf-8")
    assert "noindex" not in (folder / f"games/{robots}.html").read_text("utf-8")
    front = (folder / "index.html").read_text("utf-8")
    assert "noindex" not in front
    assert not any(seat.name in front for seat in site.view().seats)
    assert f"Sitemap: {BASE}/sitemap.xml" in (folder / "robots.txt").read_text("utf-8")


def test_written_again_nothing_changes(made: tuple[Site, Path, str]) -> None:
    site, folder, _ = made
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}
    again = _written(site, folder)
    assert (again.written, again.removed) == (0, 0)
    assert before == {
        path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()
    }


def test_the_front_page_tells_a_turn_of_its_game(made: tuple[Site, Path, str]) -> None:
    front = (made[1] / "index.html").read_text("utf-8")
    told = front.partition('id="guide-h"')[2].partition("</ol>")[0]
    rules = re.findall(r'href="how-to-play/age-of-steam.html#(\w+)"', told)
    assert rules[:4] == ["issue_shares", "select_actions", "build_track", "move_goods"], "alone nobody bids"
    numbers = re.findall(r'href="#(\d+)"', told)
    assert len(numbers) == len(rules)
    assert numbers == sorted(numbers, key=int)


def test_the_letters_of_one_player_stand_in_it_as_they_were_sent(made: tuple[Site, Path, str]) -> None:
    folder = made[1] / "letters"
    pages = sorted(path.name for path in folder.glob("0*.html"))
    assert pages == ["0001.html", "0002.html"], "those of the player who has got most"
    letter = (folder / "0002.html").read_text("utf-8")
    assert 'href="0001.html"' in letter
    assert "cid:" not in letter
    assert set(re.findall(r'src="([^"]+)"', letter)) == {path.name for path in folder.glob("2-*")}
    assert not re.search(r'href="https?://', letter), "the server is gone"
    assert 'href="0002.html"' in (folder / "index.html").read_text("utf-8")
    assert 'href="letters/index.html"' in (made[1] / "index.html").read_text("utf-8")


def test_several_processes_write_what_one_does(
    made: tuple[Site, Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, folder, robots = made
    monkeypatch.setattr(sites, "_others", lambda: iter(()))
    write_site(site.office, tmp_path / "site", BASE, lambda *_: None, jobs=2)
    for game in (site.game, robots):
        page = f"games/{game}.html"
        assert (tmp_path / "site" / page).read_bytes() == (folder / page).read_bytes()


def test_a_site_by_turn_has_the_position_after_every_turn_alone(
    made: tuple[Site, Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, folder, robots = made
    monkeypatch.setattr(sites, "_others", lambda: iter(()))
    write_site(site.office, tmp_path / "site", BASE, lambda *_: None, by_turn=True)
    turns, orders = (
        re.search(r'id="film">([^<]+)<', (root / f"games/{robots}.html").read_text("utf-8"))
        for root in (tmp_path / "site", folder)
    )
    assert turns is not None
    assert orders is not None
    page = (tmp_path / f"site/games/{robots}.html").read_text("utf-8")
    ends = [0, *map(int, re.findall(r'data-turn="(\d+)"', page))]
    assert json.loads(zlib.decompress(b64decode(turns[1])))["numbers"] == ends
    assert ends[1:], "there are turns"
    assert json.loads(zlib.decompress(b64decode(orders[1])))["numbers"] == list(range(ends[-1] + 1))


def test_what_changes_is_written_and_what_goes_is_removed(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = played("over")
    monkeypatch.setattr(sites, "_others", lambda: iter(()))  # these pages take ten seconds
    first = _written(site, tmp_path / "site")
    page = tmp_path / "site" / "games" / f"{site.game}.html"
    assert page.is_file()
    assert first.written == len(first)
    robots = _robots_game(site)
    second = _written(site, tmp_path / "site", url="")
    assert (tmp_path / "site" / "games" / f"{robots}.html").is_file()
    assert not (tmp_path / "site" / "sitemap.xml").exists()
    assert "Sitemap" not in (tmp_path / "site" / "robots.txt").read_text("utf-8")
    assert second.written < len(second)
    with site.office.work(site.now) as work:
        work.session.get_one(Game, site.game).unlisted = True
    assert _written(site, tmp_path / "site", url="").removed == 2, "its page, and the picture of its map"
    assert not page.exists()


def test_a_folder_of_others_is_left_alone_and_a_broken_off_site_goes_on(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine")
    with pytest.raises(Occupied, match=r"diary\.txt"):
        Folder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]
    begun = Folder(tmp_path / "site")
    for number in range(NOTED_EVERY):
        begun.put(f"games/{number}.html", b"made", source="game")
    again = Folder(tmp_path / "site")
    assert again.keep("games/0.html", "game"), "what was made is not made again"
    assert not again.keep("games/1.html", "game after a correction")
    again.put("games/1.html", b"made anew")
    again.end()
    assert again.removed == NOTED_EVERY - 2, "those that have gone since"
    assert (tmp_path / "site/games/1.html").read_bytes() == b"made anew"
    (tmp_path / "site" / MANIFEST).write_text("no list")
    with pytest.raises(Occupied, match="cannot be read"):
        Folder(tmp_path / "site")


def test_the_command_writes_a_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(sites, "_others", lambda: iter(()))
    (tmp_path / "data").mkdir()
    put_tables(tmp_path / "data")
    assert main(["site", str(tmp_path / "site"), "--url", BASE]) == 0
    assert re.search(r"site: (\d+) files, \1 written, 0 removed", capsys.readouterr().out)
    assert "No game has ended yet." in (tmp_path / "site/archive/index.html").read_text("utf-8")
    assert "A game of robots" not in (tmp_path / "site/index.html").read_text("utf-8")
    assert main(["site", str(tmp_path / "site"), "--by-turn"]) == 0
    assert "1 removed" in capsys.readouterr().out, "the sitemap, which needs an address"
    assert main(["site", str(tmp_path)]) == 1
    assert "Choose an empty folder." in capsys.readouterr().err


class _Quiet(SimpleHTTPRequestHandler):
    @override
    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture(scope="module")
def root(made: tuple[Site, Path, str]) -> Iterator[str]:
    """Where the folder above the site is served, by a server that knows nothing."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(made[1].parent)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/games-of-ours/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_nothing_keeps_anybody_out(made: tuple[Site, Path, str], root: str, chromium: Browser) -> None:
    faults = []
    with looking(chromium, root) as looker:
        for name in (*LOOKED_AT, f"games/{made[2]}.html"):
            answer = looker.open(name)
            assert answer.status == 200, name
            for size in (PHONE, DESKTOP):
                faults += [f"{name} {fault}" for fault in looker.kept_out(size)]
    assert faults == []


def test_the_front_page_is_light_and_its_game_can_be_stepped_through(root: str, chromium: Browser) -> None:
    context = chromium.new_context(viewport=PHONE)
    page, bodies = context.new_page(), []
    page.on("requestfinished", lambda request: bodies.append(request.sizes()["responseBodySize"]))
    page.goto(root, wait_until="networkidle")
    expect(page.locator(".told")).to_contain_text("Order")
    page.keyboard.press("Home")
    expect(page.locator(".told")).to_contain_text("The board as dealt")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".told")).to_contain_text("Order 1 of")
    assert 50_000 < sum(bodies) <= LIGHT
    context.close()


def test_the_archive_is_searched_in_the_browser(made: tuple[Site, Path, str], root: str, chromium: Browser) -> None:
    context = chromium.new_context(viewport=DESKTOP)
    page = context.new_page()
    page.goto(f"{root}archive/index.html?map=barbados")
    games = page.locator("#games li")
    expect(page.locator("#search [role=status]")).to_have_text("1 of 2 games")
    expect(games).to_have_count(1)
    page.locator("#q").fill("nobody of that name")
    expect(games).to_have_count(0)
    page.locator("#q").fill("")
    expect(games).to_have_count(2)
    page.locator("#q").fill(made[0].view().seats[0].name.upper())
    expect(games).to_have_count(1)
    games.locator("a").click()
    expect(page.locator("#player")).to_be_visible()
    page.get_by_role("link", name="Archive").click()
    expect(games).to_have_count(2)
    context.close()
