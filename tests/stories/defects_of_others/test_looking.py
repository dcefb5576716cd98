"""Rally the Troops: unsubscribing, banning and removing are done by a GET, which every scanner of links follows.

Whatever can be asked for by GET is asked for here, by guests, players and strangers, with every kind of link; the
database is the same afterwards.
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import select
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from pbem.service.base.tokens import (
    ConfirmClaim,
    InvitationClaim,
    JoinClaim,
    LoginClaim,
    MemberClaim,
    OfferClaim,
    PlanClaim,
    SeatClaim,
    SitClaim,
    TurnClaim,
    UnsubscribeClaim,
    VoteClaim,
    WatchClaim,
)
from pbem.service.games import departures, votes, watching
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.leagues import members
from pbem.service.leagues.members import NewLeague
from pbem.service.orders import submissions
from pbem.service.people import accounts, feeds
from pbem.store.statuses import LeagueKind
from pbem.store.tables import League, Offer
from tests.rows import everything
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
def crowded(site: Site) -> Site:
    """A game with talk, votes, a free seat, feeds, links for spectators, and letters in the outbox."""
    site.start(grace=timedelta(minutes=10))
    site.play()
    submissions.submit(
        site.office, site.game, submissions.NewSubmission(site.view().waiting_for, "nonsense", 1, "page"), site.now
    )
    departures.resign(site.office, site.game, 3, site.now)
    votes.ask(site.office, site.game, 0, EndingEarly(), site.now)
    watching.open_link(site.office, site.game, accounts.of_seat(site.office, site.game, 0), site.now)
    feeds.renew(site.office, accounts.of_seat(site.office, site.game, 0), site.now)
    link_to(site, "ben@example.org")
    for row in site.letters(status="waiting"):
        work.send(site.office, row.id)
    return site


def league_of(site: Site) -> str:
    """A league, opened by the host when it is first asked for."""
    with site.office.read() as session:
        known = session.scalar(select(League.id))
    begins = site.now + timedelta(days=7)
    wish = NewLeague("Winter", LeagueKind.LEAGUE, "age-of-steam", ("rust_belt",), begins)
    return known or members.open_league(site.office, site.host, wish, site.now)


def member_of(site: Site) -> int:
    """Its only member."""
    with site.office.read() as session:
        return members.of(session, league_of(site))[0].id


def tokens(site: Site) -> dict[str, list[str]]:
    """For the first part of an address, the tokens that may follow."""
    make, view = site.office.tokens.make, site.view()
    ana = accounts.of_seat(site.office, site.game, 0)
    login = site.letters("login")[0].data["login"]
    with site.office.read() as session:
        offer = session.scalars(select(Offer.id)).one()
    key = watching.key_of(site.office, site.game)[0]
    feed = feeds.addresses(site.office, ana)
    assert feed is not None
    asked = [make(TurnClaim(site.game, view.waiting_for, version)) for version in (view.version, 0)]
    plan = make(PlanClaim(site.game, view.waiting_for, 1, 0))
    return {
        "t": [*asked, plan], "api": [*asked, plan], "s": [make(SeatClaim(site.game, n)) for n in (0, 3)],
        "i": [make(InvitationClaim(site.game, 1))], "v": [make(VoteClaim(1, 1, 0))],
        "w": [make(WatchClaim(site.game, key))],
        "o": [make(OfferClaim(offer, 0)), make(OfferClaim(offer, ana))], "login": [make(LoginClaim(login))],
        "u": [make(UnsubscribeClaim(ana, site.game, "your-turn"))],
        "p": [make(ConfirmClaim(site.game, 1, ana))], "j": [make(JoinClaim(site.game, key))],
        "l": [make(MemberClaim(member_of(site)))],
        "sit": [make(SitClaim(site.game, ana, key))],
        "feed": [feed.atom.split("/feed/")[1].split("/")[0]],
    }  # fmt: skip


def addresses(site: Site) -> Iterator[str]:
    """Everything that can be asked for; a rule with an argument nobody knows here fails the test."""
    outbox, links = next(site.office.settings.outbox_dir.glob("*.eml")).stem, tokens(site)
    known: dict[str, list[str]] = {
        "game_id": [site.game], "number": ["1", "2"], "slug": ["rust_belt"], "seat": [site.view().waiting_for],
        "filename": ["site.css"], "name": [outbox, "board", "figures.csv"], "game": ["age-of-steam", "steam-power"],
        "at": [str(site.view().version)], "seed": ["0123abcd"], "tried": ["-"], "robot": ["penny"],
        "account_id": [str(site.host)],
        "league_id": [league_of(site)], "parts": ["site-marks"],
    }  # fmt: skip
    for rule in site.app.url_map.iter_rules():
        if rule.methods and "GET" in rule.methods:
            first = rule.rule.strip("/").partition("/")[0]
            values = {**known, "token": links.get(first, [])}
            assert set(rule.arguments) <= set(values), f"say here what {rule} is asked for with"
            for path in _filled(rule, values):
                yield from (path + query for query in (QUERIES if first in LINKED else (ALL,)))


def _filled(rule: Rule, values: dict[str, list[str]]) -> list[str]:
    """The addresses of a rule with every value of its arguments."""
    paths = [rule.rule]
    for argument in rule.arguments:
        mark = re.search(f"<[^<>]*{argument}>", rule.rule)
        assert mark is not None
        assert values[argument], f"{rule} is asked for with nothing"
        paths = [path.replace(mark[0], value) for path in paths for value in values[argument]]
    return paths


def test_nothing_that_is_asked_for_by_get_changes_anything(crowded: Site) -> None:
    site, outbox = crowded, crowded.office.settings.outbox_dir
    eva = link_to(site, "eva@example.org")
    everywhere = list(addresses(site))
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


def test_links_that_scanners_have_followed_a_hundred_times_still_work(site: Site) -> None:
    link = site.turn("issue 1")
    for _ in range(50):
        assert site.client.get(link).status_code == 200
        assert site.client.head(link).status_code == 200
    assert "issued 1" in site.press(link).text or site.view().version == 1
    assert site.view().log[1].orders == "issue 1"


def test_the_same_form_sent_twice_has_the_effect_of_once(site: Site) -> None:
    form = site.get(site.turn("issue 1")).form
    for _ in range(2):
        site.post(form.action, form.hidden)
    assert [move.orders for move in site.view().log[1:]] == ["issue 1"]
