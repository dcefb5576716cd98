"""Rally the Troops: unsubscribing, banning and removing are done by a GET, which every scanner of links follows.

Whatever can be asked for by GET is asked for here, by guests, players and strangers, with every kind of link; the
database is the same afterwards.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest
from werkzeug.test import TestResponse

from pbem.service.people import accounts
from tests.rows import everything
from tests.web.addresses import Known
from tests.web.site import Site
from workers import work

HOST = "https://play.example.org"
QUERIES = ("", "?order=issue+1", "?answer=refuse", "?plan", "?scope=all&do=stop")
"""For addresses with a link; others are asked for once, with all that some page understands."""
ALL = "?at=1&sure=resign&deleted=1&order=issue+1"
LINKED = ("t", "s", "i", "v", "o", "w", "login", "u")


def link_to(site: Site, address: str) -> str:
    """The path of a log-in link that somebody has asked for."""
    accounts.ask_login(site.office, address, site.now)
    return site.path(site.read(site.letters("login")[-1]).own.link)


@pytest.fixture
def crowded(site: Site) -> Known:
    """A game with talk, votes, a free seat, feeds, links for spectators, a league, and letters in the outbox."""
    site.start(grace=timedelta(minutes=10))
    known = Known(site)
    for row in site.letters(status="waiting"):
        work.send(site.office, row.id)
    return known


def addresses(known: Known) -> Iterator[str]:
    """Everything that can be asked for, letters of the outbox and a log-in link that works among it."""
    site = known.site
    letter = f"/outbox/{next(site.office.settings.outbox_dir.glob('*.eml')).stem}"
    yield from (letter, f"{letter}/html", link_to(site, "ben@example.org"))
    for rule, path in known.paths("GET"):
        linked = rule.strip("/").partition("/")[0] in LINKED
        yield from (path + query for query in (QUERIES if linked else (ALL,)))


def test_nothing_that_is_asked_for_by_get_changes_anything(crowded: Known) -> None:
    site, outbox = crowded.site, crowded.site.office.settings.outbox_dir
    eva = link_to(site, "eva@example.org")
    everywhere = list(addresses(crowded))
    for who in ("guest", "stranger", "player", "host"):
        client = site.client = site.app.test_client()
        if who == "stranger":
            assert client.post(eva, base_url=HOST).status_code == 303
        elif who != "guest":
            site.log_in(0 if who == "host" else 1)
        before, files = everything(site.office), sorted(outbox.iterdir())
        codes = Counter(_code(client.get(path, base_url=HOST)) for path in everywhere)
        if who == "guest":
            assert codes == Counter(_code(client.head(path, base_url=HOST)) for path in everywhere)
        assert everything(site.office) == before, who
        assert sorted(outbox.iterdir()) == files
        assert codes[200] + codes[302] > len(everywhere) / 2, "pages were shown or led to, not refused"
        assert not [code for code in codes if code >= 500 and code != 503]


def _code(answer: TestResponse) -> int:
    """The code of an answer whose body is not wanted."""
    answer.close()
    return answer.status_code
