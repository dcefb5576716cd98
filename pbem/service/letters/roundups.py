"""Letters about several games at once: the digest of questions, what an outage did to the clocks, and a
server that was set back to a backup."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service.base.office import Office
from pbem.service.reading import views
from pbem.statuses import GameStatus
from pbem.store.tables import Account, Game, Letter, Seat
from pbem.views import GameLine, LetterView, Links

KINDS = ("digest", "clocks-moved", "set-back")


def letter(office: Office, session: Session, row: Letter, to: Account, now: datetime) -> LetterView:
    """The values of a letter of :data:`KINDS`, without its Message-ID."""
    lines = _running(office, session, to)
    since, until = (row.data.get(key) for key in ("since", "until"))
    return LetterView(
        id=row.id,
        kind=row.kind,
        to=to.address,
        name=to.name,
        now=now,
        links=Links(
            lobby=office.addresses.lobby(),
            account=office.addresses.account(),
            unsubscribe=office.addresses.unsubscribe(to.id, "", row.kind),
        ),
        games=tuple(line for line in lines if line.turn_page) if row.kind == "digest" else lines,
        gap=(datetime.fromisoformat(since), datetime.fromisoformat(until)) if since and until else None,
        zone=to.zone,
    )


def _running(office: Office, session: Session, to: Account) -> tuple[GameLine, ...]:
    """The running games of an account, those with the next deadline first."""
    mine = select(Game).join(Seat).where(Seat.account_id == to.id, Game.status == GameStatus.RUNNING)
    lines = views.lines(office, session, session.scalars(mine.options(*views.BRIEF)).all(), to.id)
    return tuple(sorted(lines, key=lambda line: (line.deadline is None, line.deadline or line.opened_at, line.id)))
