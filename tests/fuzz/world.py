"""A server with something of everything on it: games in every state, people logged in and not, links of every kind.

It is made once and copied; every copy has the same games, so that a request can be made again.
"""

import shutil
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from sqlite3 import Connection

from jinja2 import FileSystemBytecodeCache
from sqlalchemy import event, select

from pbem.mail.compose import compose
from pbem.service.archive import records
from pbem.service.base.tokens import (
    ConfirmClaim,
    FeedClaim,
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
from pbem.service.games import departures, ending, opening, views, votes, watching
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.games.terms import Terms
from pbem.service.leagues import members
from pbem.service.leagues.members import NewLeague
from pbem.service.letter_views import correspondence
from pbem.service.letters import talk
from pbem.service.people import absences, accounts, bounces, feeds, webhooks
from pbem.store.statuses import LeagueKind
from pbem.store.tables import Feed, Game, LeagueMember, Login, Offer, OpenTable, Seat, Vote
from pbem.transport import smtp
from pbem.web import create_app
from tests.databases import Sqlite
from tests.table import NAMES, START
from tests.web.site import Site

RECORD = Path(__file__).with_name("short_game.json")
"""A short game for the archive."""


SECRETS = count(1)


@dataclass
class Known:
    """What somebody who has seen everything could name."""

    games: dict[str, str] = field(default_factory=dict)
    """Ids of games by what they are there for."""
    leagues: list[str] = field(default_factory=list)
    """Ids of a league that is open and a knock-out that was called off."""
    cookies: dict[str, str] = field(default_factory=dict)
    """Secrets of browsers by whose they are, ``""`` for a guest."""
    tokens: dict[str, list[str]] = field(default_factory=dict)
    """Tokens by the first part of the address they belong to."""
    numbers: list[str] = field(default_factory=list)
    """Numbers of rows."""
    orders: list[str] = field(default_factory=list)
    """Orders that are legal in some game now."""
    names: list[str] = field(default_factory=list)
    """Files of the outbox and of the static folder."""
    now: datetime = START


Made = tuple[Path, Known]
"""The file of the database, and what is in it."""


class World(Site):
    """The pages over a copy of the database, with limits or without; ``known`` is what it held when it was made."""

    known: Known

    def __init__(self, database_url: str, folder: Path, *, limits: bool = False) -> None:
        super().__init__(database_url, folder)
        settings = replace(self.office.settings, rate_limits=limits)  # secrets of its own, as nobody has the same twice
        self.office = replace(
            self.office, settings=settings, entropy=lambda size: Random(next(SECRETS)).randbytes(size)
        )
        self.app = create_app(office=self.office, clock=lambda: self.now, patience=0)
        self.app.jinja_env.bytecode_cache = FileSystemBytecodeCache(str(folder))
        event.listen(self.office.database.engine, "connect", _in_haste)


def _in_haste(connection: Connection, _: object) -> None:
    """No power cut is expected."""
    connection.execute("PRAGMA synchronous = OFF")


def build(folder: Path) -> Made:
    """Make the database; returns its file and what is in it."""
    world = World(Sqlite(folder).fresh(), folder)
    world.known = Known()
    _games(world)
    _people(world)
    _leagues(world)
    _tokens(world)
    _outbox(world)
    world.known.now = world.now
    with world.office.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    world.close()
    return Path(str(world.office.database.engine.url.database)), world.known


def copied(made: Path, known: Known, name: str, *, limits: bool = False) -> World:
    """A world of one's own."""
    path = made.with_name(f"{name}.sqlite")
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    shutil.copy(made, path)
    world = World(f"sqlite:///{path}", made.parent, limits=limits)
    world.known, world.now = known, known.now
    return world


def _games(world: World) -> None:
    named = world.known.games
    for form in ("started", "build", "deliver"):
        named[form] = world.start().id
        if form != "started":
            world.until(form)
        _remember_orders(world)
    named["steam-power"] = world.start(game="steam-power", map="ireland").id
    _remember_orders(world)
    named["planned"] = world.start(planning=True, grace=timedelta(minutes=10)).id
    world.play()
    date = world.now + timedelta(days=7)
    named["table"] = world.open(("Ana", "Ben"), title="Table", open_to=Terms(2, date, languages=("en", "fr")))
    named["unlisted"] = world.start(unlisted=True, title="<b>Coal & “steam”</b> \u202e").id
    named["stopping"] = world.start().id
    _end(world, "stopping")
    named["over"] = world.start().id
    world.play_on(5)
    _end(world, "over")
    ending.finish(world.office, world.game, world.later(days=2))
    named["leaving"] = world.start(planning=True).id
    named["open"] = world.open()
    named["cancelled"] = world.open()
    opening.cancel(world.office, world.game, world.host, world.now)
    named["imported"] = records.import_record(world.office, RECORD.read_bytes(), world.now)


def _end(world: World, name: str) -> None:
    """Everybody agrees to end a game."""
    game = world.known.games[name]
    vote = votes.ask(world.office, game, 0, EndingEarly(), world.now)
    for number in range(1, 4):
        votes.answer(world.office, game, vote, number, True, world.now)


def _remember_orders(world: World) -> None:
    view = world.view()
    found = view.sheet.legal(view.state) or view.sheet.placements(view.state)
    world.known.orders += found[:40]


def _people(world: World) -> None:
    office, now, known = world.office, world.now, world.known
    running = known.games["started"]
    known.cookies = {"guest": ""}
    for number, name in enumerate(NAMES):
        known.cookies[name] = accounts.log_in_seat(office, SeatClaim(running, number), now)
    _stranger(world)
    votes.ask(office, known.games["planned"], _last_to_play(world), TakingBack(), now)
    votes.ask(office, known.games["deliver"], 1, Pausing(date(2026, 12, 24)), now)
    departures.resign(office, known.games["leaving"], 2, now)
    watching.open_link(office, known.games["unlisted"], world.host, now)
    talk.post(office, running, 0, "Who wants <i>Detroit</i>?\nhttps://example.org", now)
    talk.write_note(office, running, world.host, "Block Ben at Toledo.", now)
    absences.add(office, world.host, date(2026, 12, 1), date(2026, 12, 3), now)
    feeds.renew(office, world.host, now)
    webhooks.add(office, world.host, "json", "https://hooks.example.org/x", "", now)
    webhooks.add(office, world.host, "discord", "https://discord.com/api/webhooks/1/x", running, now)
    accounts.ask_login(office, "ben@example.org", now)


def _leagues(world: World) -> None:
    """Both with somebody who has joined and somebody who is only invited."""
    office, now = world.office, world.now
    for kind, game, slug in (
        (LeagueKind.LEAGUE, "age-of-steam", "rust_belt"), (LeagueKind.KNOCKOUT, "steam-power", "ireland"),
    ):  # fmt: skip
        begins, invited = now + timedelta(days=7), ("ben@example.org", "gus@example.org")
        wish = NewLeague(f"Winter {kind}", kind, game, (slug,), begins, robots=2, invited=invited)
        league = members.open_league(office, world.host, wish, now)
        members.join(office, league, 2, now)
        world.known.leagues.append(league)
    members.call_off(office, world.known.leagues[-1], world.host, now)


def _stranger(world: World) -> None:
    """Somebody who plays nowhere, whose mails have come back."""
    accounts.ask_login(world.office, "eve@example.org", world.now)
    login = world.letters("login")[-1]
    world.known.cookies["Eve"] = accounts.log_in(world.office, LoginClaim(login.data["login"]), world.now)
    bounces.returned(world.office, login.id, "5.1.1", "550 5.1.1 <eve@example.org>: unknown", world.now)


def _last_to_play(world: World) -> int:
    """The seat of whoever has played last in the planned game."""
    view = views.game(world.office, world.known.games["planned"])
    return next(seat.number for seat in view.seats if seat.seat == view.log[-1].seat)


def _tokens(world: World) -> None:
    """Tokens of every purpose, those that hold and those that do so no longer."""
    made, tokens = world.known.tokens, world.office.tokens
    with world.office.read() as session:
        seats = session.scalars(select(Seat).order_by(Seat.game_id, Seat.number)).all()
        rows = {game.id: game for game in session.scalars(select(Game))}
        offers, asked = list(session.scalars(select(Offer.id))), list(session.scalars(select(Vote.id)))
        tables = session.scalars(select(OpenTable)).all()
        taking_part = list(session.scalars(select(LeagueMember.id)))
        logins = list(session.scalars(select(Login.id)))
        shown = [tokens.make(FeedClaim(feed.account_id, feed.key)) for feed in session.scalars(select(Feed))]
    made["t"] = [tokens.make(TurnClaim(seat.game_id, seat.colour, rows[seat.game_id].version)) for seat in seats]
    made["t"] += [tokens.make(TurnClaim(seat.game_id, seat.colour, 1)) for seat in seats[::4]]
    made["t"] += [
        tokens.make(PlanClaim(seat.game_id, seat.colour, rows[seat.game_id].turn, seat.holder)) for seat in seats
    ]
    made["s"] = [tokens.make(SeatClaim(seat.game_id, seat.number, seat.holder)) for seat in seats]
    made["i"] = [tokens.make(InvitationClaim(seat.game_id, seat.number)) for seat in seats]
    made["p"] = [
        tokens.make(ConfirmClaim(seat.game_id, seat.number, account)) for seat in seats[::4] for account in (1, 99)
    ]
    made["login"] = [tokens.make(LoginClaim(login)) for login in logins] + [tokens.make(LoginClaim("x"))]
    made["u"] = [
        tokens.make(UnsubscribeClaim(n, game, "your-turn")) for n in (1, 2, 99) for game in ("", *list(rows)[:3])
    ]
    made["v"] = [
        tokens.make(VoteClaim(vote, number, holder)) for vote in asked for number in range(4) for holder in (0, 1)
    ]
    made["o"] = [tokens.make(OfferClaim(offer, account)) for offer in (*offers, 99) for account in (0, 1, 3, 99)]
    made["w"] = [tokens.make(WatchClaim(game.id, game.watch_key or "x")) for game in rows.values()]
    made["j"] = [tokens.make(JoinClaim(one.game_id, key)) for one in tables for key in (one.link_key, "x", "")]
    made["l"] = [tokens.make(MemberClaim(member)) for member in (*taking_part, 99)]
    made["sit"] = [
        tokens.make(SitClaim(one.game_id, account, one.link_key)) for one in tables for account in (1, 3, 99)
    ]
    made["feed"] = [*shown, tokens.make(FeedClaim(2, "x"))]
    world.known.numbers = [str(number) for number in range(30)]


def _outbox(world: World) -> None:
    """A letter of every kind that waits, as a file."""
    kinds = {letter.kind: letter for letter in world.letters(status="waiting")}
    for letter in kinds.values():
        draft = correspondence.letter(world.office, letter.id, world.now)
        email = compose(draft.view, None, world.office.settings.mail_from)
        smtp.post(world.office.settings, email, draft.view.envelope.to)
    world.known.names = [path.stem for path in sorted(world.office.settings.outbox_dir.glob("*.eml"))]
    world.known.names += ["site.css", "turn.js", "favicon.svg"]
