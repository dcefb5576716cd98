"""What the host of an open table is told of it: who sits down, asks for a seat, or leaves."""

from datetime import timedelta

from pbem.service.base import GameWork, NewLetter
from pbem.service.games import terms
from pbem.service.letters import schedule
from pbem.service.letters.kinds.seats import TableNews
from pbem.store.tables import Account

GATHERED = timedelta(minutes=10)
"""For so long news of a table wait for more, so that the host gets one email of them."""
LATE = timedelta(minutes=1)
"""How long after that the email leaves: what was begun before its end is committed by then."""


def tell_host(work: GameWork, account_id: int | None) -> None:
    """An entry of the audit log that was just written is news of an open table, for its host unless it is theirs."""
    host_id = work.game.host_id
    if host_id is None or account_id == host_id or terms.of(work.session, work.game.id) is None:
        return
    at = schedule.awake(work.session.get_one(Account, host_id), work.now)
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    until = day + ((at - day) // GATHERED + 1) * GATHERED
    key = f"table-news:{work.game.id}:{host_id}:{until:%Y%m%d%H%M}"
    news, wait = TableNews(work.now, until), until + LATE - work.now
    work.write(NewLetter(news, key, host_id, game=work.game, seat=work.seat_of(host_id), wait=wait))
