"""The list of own maps that are published: found, ordered, with what became of their games."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, func, literal, or_, select

from pbem.engine import Value, catalog
from pbem.service.base import Office
from pbem.service.own_maps import versions
from pbem.service.own_maps.versions import Version
from pbem.store.statuses import LIVING, GameStatus, MapStatus
from pbem.store.tables import Account, Game, OwnMap, OwnMapLike, OwnMapVersion

SIZE = 20
"""Maps on a page of the list."""
SHORT, LONG = 6, 10
"""Turns of the longest game of a short map at the most, and of a long one at least."""
ORDERS = ("newest", "played", "liked", "name")


class Wanted(Value):
    """Which maps of the list; ``text``: part of a name, a place or of who drew it. ``length``: short, medium, long.
    ``rule``: a key of the table of rules that the map has; ``order``: one of :data:`ORDERS`."""

    text: str = ""
    players: int = 0
    length: str = ""
    rule: str = ""
    order: str = ORDERS[0]


class Listed(Value):
    """A map of the list, with games that were finished on its version and that go on; ``liked`` by so many of
    ``asked``."""

    version: Version
    finished: int
    running: int
    liked: int = 0
    asked: int = 0


def listed(office: Office, wanted: Wanted, page: int = 0) -> tuple[Sequence[Listed], bool]:
    """A page of published maps, and whether there are more."""
    query = versions.QUERY.where(
        OwnMap.status == MapStatus.PUBLISHED, OwnMap.published == OwnMapVersion.hash, OwnMap.hidden.is_(False)
    ).where(*_fitting(wanted))
    query = query.order_by(*_order(wanted.order), OwnMap.published_at.desc(), OwnMap.key)
    with office.read() as session:
        rows = session.execute(query.offset(page * SIZE).limit(SIZE + 1)).all()
        found = [versions.version(*row) for row in rows]
        slugs, keys = [version.slug for version in found], [version.key for version in found]
        counts = select(Game.map, Game.status, func.count()).where(Game.map.in_(slugs)).group_by(Game.map, Game.status)
        played = {(slug, status): n for slug, status, n in session.execute(counts)}
        likes = {
            key: (liked, asked) for key, liked, asked in session.execute(_likes().where(OwnMapLike.map_key.in_(keys)))
        }
    maps = [
        Listed(
            version,
            played.get((version.slug, GameStatus.OVER), 0),
            sum(played.get((version.slug, status), 0) for status in LIVING),
            *likes.get(version.key, (0, 0)),
        )
        for version in found[:SIZE]
    ]
    return maps, len(found) > SIZE


def likes(office: Office, key: str) -> tuple[int, int]:
    """By how many a map is liked, of how many that have said so or not."""
    with office.read() as session:
        row = session.execute(_likes().where(OwnMapLike.map_key == key)).first()
        return (row[1], row[2]) if row is not None else (0, 0)


def _likes() -> Select[str, int, int]:
    liked = func.count().filter(OwnMapLike.liked.is_(True))
    return select(OwnMapLike.map_key, liked, func.count()).group_by(OwnMapLike.map_key)


def _fitting(wanted: Wanted) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.text:
        text = wanted.text.lower()
        found.append(
            or_(*(func.lower(column).contains(text, autoescape=True) for column in (OwnMapVersion.text, Account.name)))
        )
    if wanted.players:
        found += [OwnMapVersion.fewest <= wanted.players, OwnMapVersion.most >= wanted.players]
    if wanted.rule:
        found.append(_has_rule(wanted.rule))
    match wanted.length:
        case "short":
            found.append(OwnMapVersion.turns.between(1, SHORT))
        case "medium":
            found.append(OwnMapVersion.turns.between(SHORT + 1, LONG - 1))
        case "long":
            found.append(or_(OwnMapVersion.turns >= LONG, OwnMapVersion.turns == 0))
    return found


def _has_rule(key: str) -> ColumnElement[bool]:
    """A version has one form: its rules are the last table, with a line for each key; cubes stand behind it."""
    if key == "cubes":
        return OwnMapVersion.text.contains("\n[[rules.cubes]]\n")
    begins = "turns = {" if key == "turns" else f"{key} = "  # a cube has turns as well, in brackets
    return OwnMapVersion.text.like(f"%\n[rules]%\n{begins.replace('_', '/_')}%", escape="/")


def _order(name: str) -> list[ColumnElement[Any]]:
    match name:
        case "played":
            slug = literal(catalog.OWN).concat(OwnMapVersion.hash)
            games = select(func.count()).where(Game.status == GameStatus.OVER, Game.map == slug)
            return [games.scalar_subquery().desc()]
        case "liked":
            liked = select(func.count()).where(OwnMapLike.map_key == OwnMap.key, OwnMapLike.liked.is_(True))
            return [liked.scalar_subquery().desc()]
        case "name":
            return [func.lower(OwnMapVersion.name)]
    return []
