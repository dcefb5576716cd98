"""What letters about people say: votes, free seats, who has left, and what was said since the last letter."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from pbem.service.base import queries
from pbem.service.base.office import Office
from pbem.service.outbox import talk
from pbem.service.table import people
from pbem.service.turns import ballots
from pbem.store.tables import Account, Game, Letter, Offer, Vote
from pbem.views import LetterView, Links


def with_people(
    office: Office, session: Session, row: Letter, game: Game, view: LetterView, now: datetime
) -> LetterView:
    """The letter with what it says about people."""
    values: dict[str, Any] = {
        "talk": talk.since_last_letter(session, row),
        "person": str(row.data.get("person", "")),
        "how": str(row.data.get("how", "")),
        "time": _moment(row, game),
    }
    if "orders" in row.data:
        values["text"] = str(row.data["orders"])
    if "vote" in row.data:
        values |= _vote(office, session, row, game, view, now)
    if "offer" in row.data:
        values |= _offer(office, session, row, game, view)
    return replace(view, **values)


def test_letter(office: Office, row: Letter, to: Account, now: datetime) -> LetterView:
    """A letter that shows whether mails arrive."""
    return LetterView(
        id=row.id,
        kind=row.kind,
        to=to.address,
        name=to.name,
        now=now,
        links=Links(deliveries=office.addresses.deliveries()),
        zone=to.zone,
    )


def last_letter(office: Office, row: Letter, now: datetime) -> LetterView:
    """A letter to somebody whose account is deleted."""
    return LetterView(
        id=row.id,
        kind=row.kind,
        to=row.data["to"],
        name=row.data["name"],
        now=now,
        links=Links(lobby=office.addresses.lobby()),
    )


def _moment(row: Letter, game: Game) -> datetime | None:
    asked = row.data.get("asked_at")
    if asked is not None:
        return datetime.fromisoformat(asked)
    return game.stops_at if row.kind == "game-ending" else None


def _vote(office: Office, session: Session, row: Letter, game: Game, view: LetterView, now: datetime) -> dict[str, Any]:
    vote = session.get_one(Vote, row.data["vote"])
    number = row.seat_number
    if number is None:
        return {"vote": ballots.shown(session, game, vote, now)}
    holder = queries.numbered(session, game.id, number).holder
    agree, refuse = (office.addresses.vote(vote.id, number, holder, answer) for answer in ("agree", "refuse"))
    return {
        "vote": ballots.shown(session, game, vote, now),
        "links": replace(view.links, agree=agree, refuse=refuse),
    }


def _offer(office: Office, session: Session, row: Letter, game: Game, view: LetterView) -> dict[str, Any]:
    offer = session.get_one(Offer, row.data["offer"])
    host = row.account_id == game.host_id
    take = office.addresses.offer(offer.id, 0 if host else row.account_id)
    how = "host" if host else ""
    return {"how": how, "offer": people.offer_view(session, game, offer), "links": replace(view.links, take=take)}
