"""What is left of a demo to look at: the board of every turn, the archived game, the record."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pbem.demo.browser import Astray, Browser

ADDRESS = re.compile(r'(?P<before>\b(?:href|src)=")(?P<url>/[^"]*)"')


def turn_ends(record: dict[str, Any]) -> dict[int, int]:
    return {entry["turn"]: number for number, entry in enumerate(record["turns"], 1)}


def save_boards(browser: Browser, game: str, ends: dict[int, int], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for turn, number in ends.items():
        (folder / f"turn-{turn}.png").write_bytes(browser.get(f"{game}/board.png?at={number}"))


def save_record(browser: Browser, game: str, path: Path) -> dict[str, Any]:
    body = browser.get(f"{game}/record.json")
    path.write_bytes(body)
    record: dict[str, Any] = json.loads(body)
    return record


def save_archive(browser: Browser, game: str, ends: dict[int, int], folder: Path) -> None:
    """The page of the archived game, one for every turn, readable without the server."""
    folder.mkdir(parents=True, exist_ok=True)
    path = urlsplit(game).path
    pages = {f"{path}?at={number}": f"turn-{turn}.html" for turn, number in ends.items()}
    pages |= {f"{path}?at=0": "start.html", path: "index.html"}
    saver = Saver(browser, game.removesuffix(path), folder, pages)
    for url, name in pages.items():
        saver.page(url, name)


class Saver:
    """Saves pages with what they show; a link to a page that is not saved leads to the first one."""

    def __init__(self, browser: Browser, root: str, folder: Path, pages: dict[str, str]) -> None:
        self._browser, self._root, self._folder, self._pages = browser, root, folder, pages
        self._saved: dict[str, str] = {}

    def page(self, url: str, name: str) -> None:
        html = self._browser.get(self._root + url).decode()
        (self._folder / name).write_text(ADDRESS.sub(self._local, html), "utf-8")

    def _local(self, found: re.Match[str]) -> str:
        url = found["url"].replace("&amp;", "&")
        return f'{found["before"]}{self._pages.get(url) or self._file(url)}"'

    def _file(self, url: str) -> str:
        path = urlsplit(url).path
        if path.endswith("/record.json"):
            return "../record.json"
        if not re.search(r"\.(png|svg|css|js)$", path):
            return "index.html"
        if url not in self._saved:
            name = re.sub(r"[^\w.-]+", "_", url.partition("?")[0].strip("/"))
            number = re.search(r"[?&]at=(\d+)", url)
            name = f"{number[1]}-{name}" if number else name
            try:
                (self._folder / name).write_bytes(self._browser.get(self._root + url))
            except Astray:
                return "index.html"
            self._saved[url] = name
        return self._saved[url]
