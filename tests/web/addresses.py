"""Every address of the web with something that is there, for tests that look at all of them."""

from collections.abc import Iterator
from datetime import timedelta

from sqlalchemy import select

from pbem.engine import catalog
from pbem.service.base.tokens import (
    ConfirmClaim,
    InvitationClaim,
    JoinClaim,
    LoginClaim,
    MemberClaim,
    OfferClaim,
    SeatClaim,
    SitClaim,
    TurnClaim,
    UnsubscribeClaim,
    VoteClaim,
)
from pbem.service.games import departures, opening, votes, watching
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.terms import Terms
from pbem.service.leagues import members
from pbem.service.leagues.members import NewLeague
from pbem.service.people import delivery_log, feeds, webhooks
from pbem.store.statuses import LeagueKind
from pbem.store.tables import Offer, OpenTable, Vote
from tests.drawn import map_of
from tests.web.site import Site

BASE = "https://play.example.org"


class Known:
    """What stands for the variables of an address: a game in which much has happened, and links to all of it.

    The host of the game, Ana, is logged in on ``site.client``.
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        site.log_in()
        office, game, now = site.office, site.game, site.now
        site.play()
        self.orders = site.send(site.legal())
        departures.resign(office, game, 3, now)
        votes.ask(office, game, 1, EndingEarly(), now)
        hook = webhooks.add(office, site.host, "json", "https://hooks.example.org/x", "", now)
        delivery_log.send_test(office, site.host, now)
        feed = feeds.renew(office, site.host, now).atom.split("/")[-2]
        watch = watching.open_link(office, game, site.host, now).rpartition("/")[2]
        terms = Terms(3, now + timedelta(days=7))
        new = opening.NewGame("Four winters", "steam-power", "ireland", (), open_to=terms, seed=b"winters")
        table = opening.open_game(office, site.host, new, now)
        wish = NewLeague("Winter", LeagueKind.LEAGUE, "age-of-steam", ("rust_belt",), now + timedelta(days=7))
        league = members.open_league(office, site.host, wish, now)
        own = map_of(office, site.host, now, catalog.drawings()["rust_belt"]).key
        with office.read() as session:
            member = members.of(session, league)[0].id
            key = session.get_one(OpenTable, table).link_key
            vote, offer = session.scalars(select(Vote.id)).one(), session.scalars(select(Offer.id)).one()
        view, tokens = site.view(), office.tokens
        self.version = view.version
        self._tokens = {
            "t": tokens.make(TurnClaim(game, view.waiting_for, view.version)),
            "api": tokens.make(TurnClaim(game, view.waiting_for, view.version)),
            "s": tokens.make(SeatClaim(game, 1)),
            "i": tokens.make(InvitationClaim(game, 1)),
            "u": tokens.make(UnsubscribeClaim(site.host, game, "reminder")),
            "v": tokens.make(VoteClaim(vote, 0, 0)),
            "o": tokens.make(OfferClaim(offer, 0)),
            "w": watch,
            "feed": feed,
            "login": tokens.make(LoginClaim("x")),
            "j": tokens.make(JoinClaim(table, key)),
            "l": tokens.make(MemberClaim(member)),
            "sit": tokens.make(SitClaim(table, site.host, "")),
            "p": tokens.make(ConfirmClaim(game, 1, site.host)),
        }
        self._values = {
            "game_id": game, "number": self.orders, "webhook_id": hook, "slug": "rust_belt", "seat": "red",
            "name": "board", "filename": "site.css", "parts": "site-marks", "game": "age-of-steam", "robot": "clara",
            "account_id": site.host, "league_id": league, "key": own,
            "at": self.version, "version": self.version, "seed": "0123abcd", "tried": "-", "which": "played", "nth": 1,
            "day": site.now.date().isoformat(),
        }  # fmt: skip

    def paths(self, method: str) -> Iterator[tuple[str, str]]:
        """Rules that take a method, each with an address it stands for."""
        for rule in sorted(self.site.app.url_map.iter_rules(), key=str):
            if method in (rule.methods or ()):
                values = {name: self._value(rule.rule, name) for name in rule.arguments}
                found = self.site.app.url_map.bind("play.example.org", url_scheme="https").build(rule.endpoint, values)
                yield rule.rule, found

    def _value(self, rule: str, name: str) -> object:
        return self._tokens[rule.split("/")[1]] if name == "token" else self._values[name]
