"""Which letters hang together: those to a reader about a game, on the first of them that was sent."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import aliased

from pbem.store.statuses import Sending
from pbem.store.tables import Letter


def root(account: Any, game: Any, number: Any) -> Select[str]:
    """The Message-ID of the first letter that was sent to a reader about a game, before the one with this number;
    nothing for that one itself, and for letters about no game: they answer no other."""
    other = aliased(Letter)
    mine = (other.account_id == account, other.game_id == game, other.id < number)
    sent = (other.status == Sending.SENT, other.message_id != "")
    return select(other.message_id).where(*mine, *sent).order_by(other.id).limit(1)
