"""Letters about leagues and knock-outs."""

from datetime import datetime, timedelta
from typing import Any

from typing_extensions import override

from pbem.engine import Question, Value, catalog, say
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import Case, LetterKind, Timing
from pbem.store.statuses import LeagueKind, LeagueStatus, MemberStatus
from pbem.store.tables import Account, League, LeagueMember


class LeagueInvitation(LetterKind):
    """The reader is asked to take part, or has asked for the link. ``unread``: a reply said neither yes nor no."""

    kind, title = "league-invitation", say("invitation to a league")
    timing, to_strangers, survives_restore = Timing.ANY_HOUR, True, True
    member: int
    unread: bool = False

    @override
    def unwanted(self, case: Case) -> str:
        member = case.session.get(LeagueMember, self.member)
        league = case.session.get(League, member.league_id) if member is not None else None
        if member is None or league is None or league.status in (LeagueStatus.OVER, LeagueStatus.CANCELLED):
            return str(say("the league is over or was called off"))
        return "" if member.status == MemberStatus.INVITED else str(say("the reader has answered"))

    @override
    def values(self, context: Context) -> dict[str, Any]:
        member = context.session.get_one(LeagueMember, self.member)
        league = context.session.get_one(League, member.league_id)
        host = context.session.get(Account, league.host_id) if league.host_id is not None else None
        return {
            "title": league.title,
            "host": host.name if host else "",
            "knockout": league.kind == LeagueKind.KNOCKOUT,
            "maps": tuple(catalog.sheet(league.game, slug).name for slug in league.maps),
            "tables_of": league.tables_of,
            "games": league.games,
            "seasons": league.seasons,
            "turn_time": timedelta(seconds=league.turn_seconds),
            "begins": league.step_at if league.status == LeagueStatus.OPEN else None,
            "full_at": league.full_at,
            "robots_only": league.if_left == "robot",
            "link": context.addresses.member(member.id),
            "page": context.addresses.league(league.id),
        }

    @override
    def page(self, context: Context, question: Question | None) -> str:
        return context.addresses.member(self.member)


class LeagueLine(Value):
    """A line of the table in a letter; ``you``: it is the reader's."""

    place: int
    name: str
    points: int
    won: int
    you: bool


class LeagueNews(LetterKind):
    """How a league goes on. ``what``: joined, waits, begins, ends, off; ``names``, ``points``, ``won``: the table.

    ``further``: whether the reader plays on. ``own``: the reader's line of the table, from 0.
    """

    kind, title = "league-news", say("news of a league")
    member: int
    what: str
    season: int = 0
    division: int = 0
    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    won: tuple[int, ...] = ()
    own: int = -1
    goes_on: datetime | None = None
    further: bool = True

    @override
    def values(self, context: Context) -> dict[str, Any]:
        member = context.session.get_one(LeagueMember, self.member)
        league = context.session.get_one(League, member.league_id)
        table = zip(self.names, self.points, self.won, strict=True)
        return {
            "league": league.title,
            "page": context.addresses.league(league.id),
            "link": context.addresses.member(member.id),
            "knockout": league.kind == LeagueKind.KNOCKOUT,
            "seasons": league.seasons,
            "full_at": league.full_at,
            "lines": tuple(
                LeagueLine(at + 1, name, points, won, at == self.own) for at, (name, points, won) in enumerate(table)
            ),
        }
