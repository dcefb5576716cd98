"""The pages over a fresh SQLite database, with a game that has come as far as a test needs it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.databases import Sqlite
from tests.web import browsers
from tests.web.site import Site

Played = Callable[[str], Site]


class Games:
    """Games that were played once to a question of some form, and are copied for every test that begins there."""

    def __init__(self, folder: Path) -> None:
        self._databases, self._folder = Sqlite(folder), folder
        self._saved: dict[str, tuple[bytes, Site]] = {}

    def fresh(self) -> Site:
        """Nobody plays yet."""
        return self._site(self._databases.fresh())

    def at(self, form: str) -> Site:
        """``started``, ``over``, or the form of the question that is asked."""
        if form not in self._saved:
            self._saved[form] = self._play(form)
        content, played = self._saved[form]
        site = self._site(self._databases.copy(content))
        site.game, site.host, site.now = played.game, played.host, played.now
        return site

    def close(self, site: Site) -> None:
        """A test is over that used this."""
        site.close()
        self._databases.used(site.office.settings.database_url)

    def _site(self, url: str) -> Site:
        return Site(url, self._folder, self._databases.opened(url))

    def _play(self, form: str) -> tuple[bytes, Site]:
        site = self.fresh()
        site.start()
        if form == "over":
            site.play_on(1000)
        elif form != "started":
            site.until(form)
        with site.office.database.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        content = Path(str(site.office.database.engine.url.database)).read_bytes()
        self.close(site)
        return content, site


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Games:
    return Games(tmp_path_factory.mktemp("games"))


@pytest.fixture
def played(saved: Games) -> Iterator[Played]:
    """``played("build")``: pages of a game in which this form of question is asked."""
    sites: list[Site] = []

    def at(form: str) -> Site:
        sites.append(saved.at(form))
        return sites[-1]

    yield at
    for site in sites:
        saved.close(site)


@pytest.fixture
def empty(saved: Games) -> Iterator[Site]:
    """Pages of a server on which nobody plays yet."""
    site = saved.fresh()
    yield site
    saved.close(site)


@pytest.fixture
def site(played: Played) -> Site:
    """Pages of a game that has just started."""
    return played("started")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A real browser, one for all tests of a file."""
    with browsers.launched() as browser:
        yield browser
