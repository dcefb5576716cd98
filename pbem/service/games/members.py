"""The people of a game as one of them sees it, free seats for everybody, and once more with the same people."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import say
from pbem.robot import opponents
from pbem.service.base import GameReader, NoSuch, NotNow, Office, queries, validation
from pbem.service.base.numbers import NUMBERS
from pbem.service.base.tokens import OfferClaim
from pbem.service.games import ballots, opening, seat_changes, takeback
from pbem.service.games.new_games import TURN_TIME, Invited, NewGame
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.people import blocks
from pbem.service.statistics import ratings
from pbem.store.statuses import GameStatus, VoteStatus
from pbem.store.tables import Account, Game, Offer, Seat, Vote
from pbem.views.people import Company, OfferView, RatingView

LISTED = 20
"""Free seats in the public list."""


def company(office: Office, game_id: str, number: int | None, account_id: int | None, now: datetime) -> Company:
    """What is open between the people of a game, for the reader in this seat or with this account."""
    with office.look(game_id, now) as look:
        game = look.game
        host = game.host_id is not None and game.host_id == account_id
        if game.started_at is None or game.imported is not None:
            return Company(host=host, watch=_watch(office, game) if host else "")
        seat = next((seat for seat in look.seats if seat.number == number), None)
        absent = _absent(look) if game.status == GameStatus.RUNNING else ()
        return Company(
            votes=tuple(ballots.shown(look, vote) for vote in _votes(look)),
            offers=tuple(offer_view(look.session, game, offer) for offer in _open_offers(look)),
            absent=absent,
            removable=tuple(number for number, since in absent if now >= since + seat_changes.VANISHED),
            back=takeback.may_take_back(look, seat) if seat else None,
            host=host,
            watch=_watch(office, game) if host else "",
            stops_at=game.stops_at,
            rematch=(opening.rematch(look.session, game_id) or "") if game.status == GameStatus.OVER else "",
        )


def rated(office: Office, game_id: str) -> dict[int, RatingView]:
    """The ratings of the people of a game, by the number of the seat."""
    with office.read() as session:
        seats = queries.seats(session, game_id)
        found = ratings.of_seats(session, queries.game(session, game_id).game, seats)
        return {seat.number: found[seat.id] for seat in seats if seat.id in found}


def free_seats(office: Office, account_id: int | None) -> tuple[OfferView, ...]:
    """Seats that are offered in listed games the reader does not play in, longest waiting first."""
    query = (
        select(Offer, Game)
        .join(Game, Game.id == Offer.game_id)
        .where(Offer.closed_at.is_(None), Game.unlisted.is_(False), Game.status == GameStatus.RUNNING)
    )
    if account_id is not None:
        mine = select(Seat.game_id).where(Seat.account_id == account_id)
        query = query.where(Game.id.not_in(mine))
    with office.read() as session:
        found = session.execute(query.order_by(Offer.since).limit(LISTED)).all()
        return tuple(offer_view(session, game, offer) for offer, game in found)


def offer_of(office: Office, claim: OfferClaim) -> tuple[OfferView, bool]:
    """The free seat a link is about, and whether it is still free; changes nothing. Raises :class:`NoSuch`."""
    with office.read() as session:
        offer = session.get(Offer, claim.offer) if claim.offer in NUMBERS else None
        if offer is None:
            raise NoSuch(f"There is no offer {claim.offer}.")
        game = queries.game(session, offer.game_id)
        return offer_view(session, game, offer), offer.closed_at is None and game.status == GameStatus.RUNNING


def rematch(office: Office, game_id: str, account_id: int, now: datetime) -> str:
    """Open the same game once more with the people who played it; returns its id, the same for whoever asks later.

    Raises :class:`NotNow` before the end, for strangers, and when two of them no longer play together.
    """
    with office.read() as session:
        game = queries.game(session, game_id)
        everybody = queries.seats(session, game_id)
        players = {seat.account_id: seat for seat in everybody if seat.account_id is not None}
        if game.status != GameStatus.OVER or game.imported is not None:
            raise NotNow(say("This game is not over."))
        if account_id not in players:
            raise NotNow(say("Only players of this game can start it again."))
        if again := opening.rematch(session, game_id):
            return again
        if any(blocks.between(session, player, players) for player in players):
            raise NotNow(say("Some of these people no longer play together. Open a new game instead."))
        others = {player: seat for player, seat in players.items() if player != account_id}
        people = tuple(Invited(session.get_one(Account, player).address, seat.name) for player, seat in others.items())
        robots = tuple(seat.robot for seat in everybody if seat.robot in opponents.every())
        time_control = game.time_control
        new = NewGame(
            title=_again(game.title),
            game=game.game,
            map=game.map,
            players=people,
            options=dict(game.options),
            grace=timedelta(seconds=game.grace_seconds),
            unlisted=game.unlisted,
            friendly=game.friendly,
            programs=game.programs,
            turn_time=time_control.turn if time_control.limits else TURN_TIME,
            bank=time_control.bank,
            cap=time_control.cap,
            weekends=time_control.weekends,
            at_zero=time_control.at_zero,
            country=time_control.country,
            planning=game.planning,
            robots=robots,
            robot_pause=timedelta(seconds=game.robot_seconds),
            rematch_of=game_id,
        )
    return opening.open_game(office, account_id, new, now)


def _again(title: str) -> str:
    """The title with a number behind it: "Coal by post 2"."""
    front, _, last = title.rpartition(" ")
    number = int(last) + 1 if front and last.isascii() and last.isdigit() and len(last) < 4 else 0
    name, tail = (front, f" {number}") if number else (title, " 2")
    return name[: validation.LONGEST_TITLE - len(tail)] + tail


def _watch(office: Office, game: Game) -> str:
    return office.addresses.watch(game.id, game.watch_key) if game.watch_key else ""


def _votes(look: GameReader) -> Sequence[Vote]:
    if look.game.status != GameStatus.STOPPING:
        return ballots.open_votes(look)
    passed = select(Vote).where(
        Vote.game_id == look.game.id, Vote.kind == EndingEarly.kind, Vote.status == VoteStatus.PASSED
    )
    return look.session.scalars(passed.order_by(Vote.id.desc()).limit(1)).all()


def _absent(look: GameReader) -> tuple[tuple[int, datetime], ...]:
    missing = seat_changes.missing(look)
    return tuple((s.number, missing[s.colour]) for s in look.seats if s.account_id is not None and s.colour in missing)


def _open_offers(look: GameReader) -> Sequence[Offer]:
    open_ones = select(Offer).where(Offer.game_id == look.game.id, Offer.closed_at.is_(None))
    return look.session.scalars(open_ones.order_by(Offer.id)).all()


def offer_view(session: Session, game: Game, offer: Offer) -> OfferView:
    seat = queries.numbered(session, game.id, offer.seat_number)
    return OfferView(
        id=offer.id,
        game=game.id,
        title=game.title,
        sheet=queries.sheet(game),
        number=seat.number,
        seat=seat.colour,
        name=seat.name,
        turn=game.turn,
        since=offer.since,
        until=offer.waits_until,
        turn_time=game.time_control.turn,
    )
