"""The archive as a static site: pages that any web server can give away, from any of its folders."""

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path

from flask import Flask, render_template, url_for

from pbem.engine import Say, catalog
from pbem.engine.text import together
from pbem.language import reading, rulings
from pbem.language.voice import spoken
from pbem.robot import opponents
from pbem.service.archive import archive
from pbem.service.games import views
from pbem.service.people import findable
from pbem.service.statistics import figures
from pbem.views.games import GameLine, GameView
from pbem.views.log import LogLine, log_lines
from pbem.web.base import summaries
from pbem.web.base.context import office
from pbem.web.games import game_files, how_to_play
from pbem.web.games.statistics import CSV, FILES
from pbem.web.interfaces import site_letters
from pbem.web.interfaces.site_folder import Folder
from pbem.web.interfaces.site_letters import Letter
from pbem.web.interfaces.site_links import Links

IN_SITE = "pbem.in_site"
"""Set in the environment of a request whose page is written into a site."""
PER_PAGE = 100
"""Games of a page of the archive."""
AT_ONCE = 16
"""Files of games, half a megabyte each, that are made and not written yet."""
LATEST = 5
"""Games that the front page names."""
LARGEST_FILM = 150_000
"""Characters of the game that the front page shows, so that it stays light."""
LOOKED_AT = 10
"""Games among which one is sought that is no larger, the latest."""

Told = Callable[[str, int, int], None]
"""Called with what is written, how much of it is done, and how much there is."""


Make = Callable[[str, bool, bool], Future[bytes]]
"""Has the file of a game made, by its id, whether search engines may list it, and whether it shows only turns."""


def write(
    app: Flask, root: Path, url: str, told: Told, make: Make, letters: Sequence[Letter] = (), *, by_turn: bool = False
) -> Folder:
    """Write the site into a folder. ``url``: where it will be, for its sitemap; without it there is none.
    ``letters``: those of a game, which it shows. ``by_turn``: as for :func:`game_files.written`.

    Raises :class:`Occupied`. Files of games that are there are not made again.
    """
    folder = Folder(root)
    with app.test_request_context(environ_overrides={IN_SITE: True}), reading(""):
        _Site(app, folder, url.rstrip("/"), told, make, letters, by_turn).write()
    folder.end()
    return folder


def game(app: Flask, game_id: str, findable: bool, by_turn: bool) -> bytes:
    """The file of a game for a site."""
    with app.test_request_context(environ_overrides={IN_SITE: True}), reading(""):
        view = views.game(office(), game_id)
        return game_files.written(view, archive_at="../archive/index.html", findable=findable, by_turn=by_turn)


class _Site:
    def __init__(
        self, app: Flask, folder: Folder, url: str, told: Told, make: Make, letters: Sequence[Letter], by_turn: bool
    ) -> None:
        self._make, self._letters, self._by_turn = make, letters, by_turn
        self._under_way: deque[tuple[str, str, Future[bytes]]] = deque()
        self._client, self._folder, self._url, self._told = app.test_client(), folder, url, told
        self._found = frozenset(one.game for one in findable.games(office()))
        self._pages = _pages()
        self._links = Links(self._pages, self._fetched, folder)
        self._open: list[str] = []

    def write(self) -> None:
        search, count, last = [], 0, archive.count(office())
        latest: list[GameLine] = []
        for number, lines in enumerate(archive.every(office(), PER_PAGE), 1):
            for line in lines:
                self._pages[url_for("games.game", game_id=line.id)] = f"games/{line.id}.html"
                self._game(line)
                count += 1
                self._told("games", count - len(self._under_way), last)
            self._put("site_archive.html", f"archive/{number}.html", number=number, games=lines[::-1])
            search += [_searched(line) for line in lines]
            latest = [*latest, *lines][-PER_PAGE:]
        self._await(0)
        pages = -(-count // PER_PAGE)
        self._put("site_archive.html", "archive/index.html", number=0, games=latest[::-1], pages=pages, count=count)
        self._folder.put("archive/games.json", json.dumps(search, ensure_ascii=False, indent=0).encode())
        self._write_letters()
        self._front(latest[::-1])
        self._others()
        self._for_robots()

    def _game(self, line: GameLine) -> None:
        name = f"games/{line.id}.html"
        findable = line.id in self._found or _of_robots(line)
        made_of = findable, self._by_turn, *game_files.made_of(line)
        source = hashlib.sha256(repr(made_of).encode()).hexdigest()[:32]
        if findable:
            self._open.append(name)
        if not self._folder.keep(name, source):
            self._under_way.append((name, source, self._make(line.id, findable, self._by_turn)))
            self._await(AT_ONCE)

    def _await(self, most: int) -> None:
        """Write what is made, until no more than these are under way."""
        while len(self._under_way) > most:
            name, source, made = self._under_way.popleft()
            self._folder.put(name, made.result(), source)

    def _front(self, latest: Sequence[GameLine]) -> None:
        """The front page, with the latest game of robots that is not too large: search engines may list this page."""
        values: dict[str, object] = {}
        for line in [line for line in latest if _of_robots(line)][:LOOKED_AT]:
            view = views.game(office(), line.id)
            found = game_files.film_values(view)
            if len(str(found["film"])) <= LARGEST_FILM:
                picture = f"games/{line.id}.png"
                self._folder.put(picture, game_files.final_board(view))
                values = {**found, "picture": f"/{picture}", "shown": line, "steps": _steps(view)}
                break
        self._put("site_front.html", "index.html", games=latest[:LATEST], letters=self._letters, **values)
        self._open.append("index.html")

    def _write_letters(self) -> None:
        """What is told of a game by email, letter by letter."""
        if not self._letters:
            return
        self._pages["/letters"] = "letters/index.html"
        self._pages |= {f"/letters/{letter.number}": f"letters/{letter.number:04}.html" for letter in self._letters}
        self._put("site_letters.html", "letters/index.html", letters=self._letters)
        for letter in self._letters:
            above = render_template("site_letter_above.html", letter=letter, count=len(self._letters))
            self._folder.put(f"letters/{letter.number:04}.html", site_letters.page(letter, above).encode())
            for name, content in letter.pictures.items():
                self._folder.put(f"letters/{name}", content)

    def _put(self, template: str, name: str, **values: object) -> None:
        values = {"section": "archive" if name.startswith("archive/") else "", **values}
        html = render_template(template, summary=_words, public=summaries.public_words, **values)
        self._folder.put(name, self._links.page(html, name).encode())

    def _others(self) -> None:
        """The pages that the server has as well."""
        for done, (address, name) in enumerate(others := list(_others()), 1):
            content = self._fetched(address)
            if name.endswith(".html"):
                content = self._links.page(content.decode(), name).encode()
                if not address.startswith(("/statistics", "/ratings")):
                    self._open.append(name)
            self._folder.put(name, content)
            self._told("pages", done, len(others))

    def _for_robots(self) -> None:
        lines = ["User-agent: *", "Allow: /"]
        if self._url:
            lines.append(f"Sitemap: {self._url}/sitemap.xml")
            fixed = [f"/{name.removesuffix('index.html')}" for name in sorted(self._open)]
            found = render_template("sitemap.xml", root=self._url, fixed=fixed, games=())
            self._folder.put("sitemap.xml", found.encode())
        self._folder.put("robots.txt", "\n".join([*lines, ""]).encode())

    def _fetched(self, address: str) -> bytes:
        with self._client.get(address, environ_overrides={IN_SITE: True}) as answer:
            if answer.status_code != 200:
                raise RuntimeError(f"{address} cannot be written into a site: {answer.status}")
            content: bytes = answer.data
        return content


def _steps(view: GameView) -> list[tuple[str, LogLine, str]]:
    """The first order of every kind: its phase where the guide tells of it, what was done, and where it is explained.

    They lead a visitor through a turn; orders of a single word, by which nothing happens, only where there is no other.
    """
    topics, found = how_to_play.topics(view.sheet.game), dict[str, tuple[str, LogLine, str]]()
    for move in sorted(view.log, key=lambda move: (" " not in move.orders, move.number)):
        named = move.phase if move.phase in topics else move.orders.partition(" ")[0]
        if move.counts and move.number > 0 and named in topics and named not in found and (lines := log_lines([move])):
            phase = named if named == move.phase else ""
            found[named] = phase, lines[0], how_to_play.help_with(view.sheet, named)
    return sorted(found.values(), key=lambda step: step[1].number)


def _pages() -> dict[str, str]:
    """The files of the site by the addresses of the server that lead to them."""
    made = {url_for("lobby.lobby"): "index.html", url_for("archive.index"): "archive/index.html"}
    return made | dict(_others())


def _others() -> Iterator[tuple[str, str]]:
    for endpoint in ("maps.index", "how_to_play.index", "statistics.index"):
        yield url_for(endpoint), f"{url_for(endpoint).strip('/')}/index.html"
    addresses = [
        *(url_for("maps.map", slug=sheet.slug) for sheet in catalog.sheets()),
        *(url_for("statistics.of_map", slug=slug) for _, slug in sorted(figures.games(office()))),
        *(url_for("how_to_play.guide", game=game) for game in how_to_play.games()),
        *(url_for("how_to_play.orders", game=game) for game in how_to_play.games()),
        *(url_for("rulings.page", game=game) for game in rulings.PAGES),
        url_for("how_to_play.by_email"), url_for("statistics.ratings"), url_for("about.names"),
    ]  # fmt: skip
    for address in addresses:
        yield address, f"{address.strip('/')}.html"
    for name, (_, kind) in FILES.items():
        if kind == CSV:
            address = url_for("statistics.download", name=name)
            yield address, address.strip("/")
    yield url_for("how_to_play.words"), url_for("how_to_play.words").strip("/")


def _searched(line: GameLine) -> list[str]:
    """What the browser searches of a game, and shows of it: id, map, title, words."""
    return [line.id, line.sheet.slug, line.title, spoken(_words(line))]


def _words(line: GameLine) -> Say:
    return together(summaries.line_words(line), *summaries.company(line))


def _of_robots(line: GameLine) -> bool:
    """Whether nobody is named in it: robots play, or the record has no names of players."""
    robots = {robot.name for robot in opponents.every().values()}
    return all(seat.robot or seat.name in robots or seat.name == seat.seat.capitalize() for seat in line.seats)
