"""The demo on every sheet: robots that know the game by its public record alone, and answer their emails.

In continuous integration the first turn of one game of each sheet, in one process: pages, turn API, emails and
records are the real ones, but nothing goes over a wire. In the slow run the demo itself, whole, with every number of
players.
"""

import random
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pbem.demo import game
from pbem.demo.browser import Answer, Astray, Browser
from pbem.demo.player import Onlooker, Player
from pbem.engine import Sheet, catalog
from pbem.mail.compose import compose
from pbem.service.letters import outbox
from tests.databases import Sqlite
from tests.every_map.games import every_sheet
from tests.mail.arriving import arrived
from tests.web.site import Site

TURNS = 1
"""Turns of a game that are played: with deliveries, and to what follows a turn; the slow run plays whole games."""

MINUTES = 10


class Room:
    """The robots of one game, with the server in the same process."""

    def __init__(self, site: Site, sheet: Sheet, players: int, patch: pytest.MonkeyPatch) -> None:
        self.site, self.sheet = site, sheet
        patch.setattr(Browser, "_answer", self._answer)
        names = game.NAMES[:players]
        root = site.office.settings.public_url
        self.players = {name: Player(name, name, root, random.Random(f"{sheet.slug} {name}")) for name in names}
        site.open(names, game=sheet.game, map=sheet.slug, title=sheet.name, seed=sheet.slug.encode())
        for number in range(1, players):
            site.answer(number)
        self.onlooker = Onlooker(Browser(root), site.office.addresses.game(site.game))

    def _answer(self, method: str, url: str, body: bytes | None = None, kind: str = "") -> Answer:
        parts = urlsplit(url)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        response = self.site.client.open(path, method=method, data=body, content_type=kind or None)
        return Answer(response.status_code, response.data, response.headers.get("Location", ""))

    def play(self, turns: int) -> None:
        """Answer letters until so many turns are over, or the game."""
        while not (asked := self.site.asked()).over and self.sheet.turn(asked.state) <= turns:
            name, letter = self._asked()
            self.players[name].answer(letter, self.onlooker)

    def _asked(self) -> tuple[str, EmailMessage]:
        """Who is asked something, and the letter that asks; it may wait for some minutes on purpose."""
        for _ in range(MINUTES):
            if (found := self._sent()) is not None:
                return found
            self.site.later(minutes=1)
        raise Astray(f"No letter has asked anybody anything for {MINUTES} minutes.")

    def _sent(self) -> tuple[str, EmailMessage] | None:
        """Send the letters that are due, up to one that asks something."""
        for row in self.site.letters(status="waiting"):
            if not outbox.claim(self.site.office, row.id, self.site.now):
                continue
            view = self.site.read(row)
            message = arrived(compose(view, None, "pbem <pbem@example.org>"))
            outbox.sent(self.site.office, row.id, self.site.now)
            if row.kind == "your-turn":
                return view.envelope.name, message
        return None


@pytest.fixture
def site(sqlite: Sqlite, tmp_path: Path) -> Iterator[Site]:
    url = sqlite.fresh()
    made = Site(url, tmp_path, sqlite.opened(url))
    yield made
    made.close()
    sqlite.used(url)


@pytest.mark.parametrize("sheet", every_sheet())
def test_robots_play_by_letters_and_records(sheet: Sheet, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """They raise ``Astray`` where the record tells of another position than a question does, or an order is refused."""
    room = Room(site, sheet, sheet.player_counts()[0], monkeypatch)
    room.play(TURNS)
    assert sheet.turn(site.asked().state) == TURNS + 1 or site.asked().over
    assert not site.letters("refused")


def tables() -> list[Any]:
    return [
        pytest.param(sheet, players, id=f"{sheet.slug}-{players}")
        for sheet in catalog.sheets()
        for players in sheet.player_counts()
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("sheet", "players"), tables())
def test_the_demo_plays_every_sheet_with_every_number_of_players(sheet: Sheet, players: int, tmp_path: Path) -> None:
    """``make demo MAP=… PLAYERS=…``, from the invitations to the archive."""
    lines: list[str] = []
    game.run(game.Setup(sheet, players, "1", tmp_path / "demo"), lines.append)
    assert any(line.startswith("The seed matches the commitment") for line in lines)
    assert (tmp_path / "demo" / "archive" / "index.html").is_file()
