"""The delivery log: what was sent to a reader, when, and what the mail server said; and a letter to try it."""

from datetime import datetime, timedelta

from sqlalchemy import func, select

from pbem.engine import say
from pbem.service.base import NewLetter, NotNow, Office, queries
from pbem.service.letters.kinds.accounts import DeliveryTest
from pbem.store.tables import Game, Letter
from pbem.views.people import Deliveries, Delivery

PER_PAGE = 50
TESTS, WITHIN = 5, timedelta(hours=1)
"""How many test letters somebody may ask for within a time."""


def page(office: Office, account_id: int, *, game: str = "", older_than: int = 0, size: int = PER_PAGE) -> Deliveries:
    """Letters to an account, latest first, of all games or one. ``older_than``: ``older`` of the page before."""
    query = select(Letter, Game.title).outerjoin(Game).where(Letter.account_id == account_id)
    if game:
        query = query.where(Letter.game_id == game)
    if older_than:
        query = query.where(Letter.id < older_than)
    with office.read() as session:
        found = session.execute(query.order_by(Letter.id.desc()).limit(size + 1)).all()
    shown = tuple(_shown(letter, title or "") for letter, title in found[:size])
    return Deliveries(shown, shown[-1].id if len(found) > size else 0)


def send_test(office: Office, account_id: int, now: datetime) -> None:
    """Write a letter that shows whether mails arrive. Raises :class:`NotNow` after five within an hour."""
    with office.work(now) as work:
        queries.account(work.session, account_id)
        lately = select(func.count()).where(
            Letter.account_id == account_id, Letter.kind == DeliveryTest.kind, Letter.created_at > now - WITHIN
        )
        if (work.session.scalar(lately) or 0) >= TESTS:
            raise NotNow(say("You have sent {n} test emails within an hour. See below what became of them.", n=TESTS))
        count = (
            work.session.scalar(
                select(func.count()).where(Letter.account_id == account_id, Letter.kind == DeliveryTest.kind)
            )
            or 0
        )
        work.write(NewLetter(DeliveryTest(), f"test:{account_id}:{count + 1}", account_id))


def _shown(letter: Letter, title: str) -> Delivery:
    return Delivery(
        id=letter.id,
        kind=letter.kind,
        game=letter.game_id or "",
        title=title,
        written=letter.created_at,
        sent=letter.sent_at,
        due=letter.next_try_at,
        status=letter.status,
        attempts=letter.attempts,
        answer=letter.last_error,
        version=letter.version,
    )
