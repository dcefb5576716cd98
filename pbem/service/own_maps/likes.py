"""Whether players like an own map: whoever has finished a game on it is asked once, and can change what they said."""

from datetime import datetime

from sqlalchemy import exists, select

from pbem.engine import Value, catalog
from pbem.service.base import NoSuch, NotNow, Office
from pbem.service.own_maps import states, versions
from pbem.store.statuses import GameStatus
from pbem.store.tables import Game, OwnMap, OwnMapLike, Seat


class Opinion(Value):
    """What somebody has said of a map: ``None`` for nothing yet."""

    key: str
    name: str
    liked: bool | None


def asked(office: Office, game_id: str, account_id: int) -> Opinion | None:
    """The map of a finished game and what this player of it said; ``None`` for whoever is not asked."""
    plays = exists().where(Seat.game_id == Game.id, Seat.account_id == account_id)
    over = Game.status == GameStatus.OVER, Game.ended_early.is_(False), Game.map.startswith(catalog.OWN)
    with office.read() as session:
        slug = session.scalar(select(Game.map).where(Game.id == game_id, *over, plays))
        if slug is None:
            return None
        found = versions.of_slug(office, slug)
        if not found.key or found.owner == account_id:
            return None
        said = session.get(OwnMapLike, (found.key, account_id))
        return Opinion(found.key, found.name, said.liked if said is not None else None)


def say_so(office: Office, key: str, account_id: int, now: datetime, *, liked: bool) -> None:
    """Note whether somebody likes a map, in place of what they said before.

    Raises :class:`NoSuch`, also for whoever drew it, and :class:`NotNow` for whoever has finished no game on it.
    """
    with office.work(now) as work:
        row = work.session.get(OwnMap, key, with_for_update=True)
        if row is None or row.account_id == account_id:
            raise NoSuch(f"There is no map {key} that account {account_id} may like.")
        if not states.has_finished(work.session, key, account_id):
            raise NotNow(states.FINISH_FIRST)
        old = work.session.get(OwnMapLike, (key, account_id))
        if old is None:
            work.session.add(OwnMapLike(map_key=key, account_id=account_id, liked=liked, at=now))
        else:
            old.liked, old.at = liked, now
