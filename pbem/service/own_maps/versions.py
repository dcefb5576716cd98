"""Versions of maps that people draw: texts that games are played on, which are never changed.

The loader of the catalog reads them here, in every process that has an office.
"""

import tomllib
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine import Sheet, Value, catalog, say
from pbem.service.base import BadInput, NoSuch, NotNow, Office, Problem, Work, rate_limits
from pbem.service.base.rate_limits import MAP_VERSIONS
from pbem.service.base.task_hints import try_hint
from pbem.service.own_maps import drafts
from pbem.store.database import Database
from pbem.store.statuses import MapStatus, TrialStatus
from pbem.store.tables import Account, OwnMap, OwnMapVersion

AT_ONCE = 5
WITHDRAWN = say("This map was withdrawn: running games go on, and no new ones begin.")
NOT_TRIED = say("Robots are still trying this map. Try again in a minute.")
FAILED = say("This map cannot be played yet: its trial games with robots stopped.")


class Version(Value):
    """A version with what is said of its map. ``key``: empty for a map that came with a record. ``by``: who owns it,
    empty for nobody any more. ``stopped``: players and turn of the trial game that stopped."""

    id: int
    key: str
    hash: str
    number: int
    name: str
    designer: str
    made_at: datetime
    trial: TrialStatus
    stopped: tuple[int, int] | None
    status: MapStatus
    published: bool
    owner: int | None
    by: str

    @property
    def slug(self) -> str:
        return catalog.OWN + self.hash

    @property
    def sheet(self) -> Sheet:
        return catalog.sheet(catalog.GAME_OF_DRAWINGS, self.slug)


def serve(database: Database) -> None:
    """Let the rules find the versions of this database."""

    def text_of(slug: str) -> str | None:
        with database.read() as session:
            wanted = select(OwnMapVersion.text).where(OwnMapVersion.hash == slug.removeprefix(catalog.OWN))
            return session.scalar(wanted.limit(1))

    catalog.find_own_maps(text_of)


def make(office: Office, key: str, account_id: int, now: datetime) -> Version:
    """The version of what is saved, new or not; from now on whoever has the link of the map can see it.

    Raises :class:`NoSuch`, :class:`NotNow` for a draft with faults or a withdrawn map, and ``TooMuch``.
    """
    drafts.are_allowed(office)
    draft = drafts.read(office, key, account_id)
    if draft.status == MapStatus.WITHDRAWN:
        raise NotNow(WITHDRAWN)
    if draft.checked.faults:
        raise NotNow(draft.checked.faults[0].sentence)
    sheet = catalog.own(catalog.GAME_OF_DRAWINGS, draft.text)
    with office.work(now) as work:
        row = work.session.get_one(OwnMap, key, with_for_update=True)
        wanted = OwnMapVersion.map_key == key, OwnMapVersion.hash == _hash(sheet)
        made = work.session.scalar(select(OwnMapVersion).where(*wanted))
        if made is None:
            rate_limits.use(office, work.session, MAP_VERSIONS, account_id, now)
            last = select(func.max(OwnMapVersion.number)).where(OwnMapVersion.map_key == key)
            made = _add(work, sheet, key, (work.session.scalar(last) or 0) + 1)
        if row.status == MapStatus.DRAFT:
            row.status = MapStatus.PLAYTEST
        return version(made, row, work.session.get_one(Account, account_id))


def keep(office: Office, sheet: Sheet, now: datetime) -> None:
    """Keep the map of a record, unless it is known."""
    with office.work(now) as work:
        if work.session.scalar(select(OwnMapVersion.id).where(OwnMapVersion.hash == _hash(sheet)).limit(1)) is None:
            _add(work, sheet, None, 1)


def _add(work: Work, sheet: Sheet, key: str | None, number: int) -> OwnMapVersion:
    """A new version; one whose text was tried before, for another map, is not tried again."""
    same = select(OwnMapVersion.status).where(
        OwnMapVersion.hash == _hash(sheet), OwnMapVersion.status == TrialStatus.FINE
    )
    counts = sheet.player_counts()
    row = OwnMapVersion(
        hash=_hash(sheet),
        map_key=key,
        number=number,
        text=sheet.drawing,
        name=sheet.name,
        designer=tomllib.loads(sheet.drawing).get("designer", ""),
        fewest=counts[0],
        most=counts[-1],
        turns=max(sheet.turns(n) or 0 for n in counts),
        made_at=work.now,
        status=work.session.scalar(same.limit(1)) or TrialStatus.WAITING,
    )
    work.session.add(row)
    work.session.flush()
    if row.status == TrialStatus.WAITING:
        work.hints.append(try_hint(row.id))
    return row


def of_map(office: Office, key: str) -> Sequence[Version]:
    """The versions of a map, the newest first."""
    with office.read() as session:
        query = QUERY.where(OwnMapVersion.map_key == key).order_by(OwnMapVersion.number.desc())
        return [version(*row) for row in session.execute(query)]


def of_slug(office: Office, slug: str) -> Version:
    """The version that a sheet was made of, of a map that can be played if there is one. Raises :class:`NoSuch`."""
    with office.read() as session:
        found = _of_slug(session, slug)
        if not found:
            raise NoSuch(f"There is no version {slug}.")
        return found[0]


def beginning(office: Office, start: str) -> list[tuple[Version, str, str]]:
    """Versions whose hash begins so, at most two texts: each with its text and what stopped its trial game."""
    start = start.lower().removeprefix(catalog.OWN)
    query = QUERY.where(OwnMapVersion.hash.startswith(start, autoescape=True)).order_by(OwnMapVersion.id.desc())
    with office.read() as session:
        found = session.execute(query.limit(50))
        rows = {row.hash: (version(row, own, who), row.text, row.trouble) for row, own, who in found}
        return list(rows.values())[:2]


def may_begin(office: Office, session: Session, slug: str) -> None:
    """Raises :class:`BadInput` for field ``map`` where no game can begin on a version."""
    if office.settings.own_maps == "off":
        raise BadInput(Problem("map", drafts.OFF))
    found = _of_slug(session, slug)
    if not found or found[0].status == MapStatus.WITHDRAWN or not found[0].key:
        raise BadInput(Problem("map", WITHDRAWN))
    if found[0].trial != TrialStatus.FINE:
        raise BadInput(Problem("map", NOT_TRIED if found[0].trial == TrialStatus.WAITING else FAILED))


def _of_slug(session: Session, slug: str) -> list[Version]:
    query = QUERY.where(OwnMapVersion.hash == slug.removeprefix(catalog.OWN)).order_by(OwnMapVersion.id)
    found = [version(*row) for row in session.execute(query)]
    return sorted(found, key=lambda one: (not one.key, one.status == MapStatus.WITHDRAWN))


def untried(office: Office, until: datetime) -> Sequence[int]:
    """Versions made before ``until`` that robots have not tried."""
    query = select(OwnMapVersion.id).where(OwnMapVersion.status == TrialStatus.WAITING, OwnMapVersion.made_at <= until)
    with office.read() as session:
        return session.scalars(query.order_by(OwnMapVersion.made_at).limit(AT_ONCE)).all()


def to_try(office: Office, number: int) -> Sheet | None:
    """The sheet of a version that is to be tried; ``None`` when it was."""
    with office.read() as session:
        row = session.get(OwnMapVersion, number)
        if row is None or row.status != TrialStatus.WAITING:
            return None
        slug = catalog.OWN + row.hash
    return catalog.sheet(catalog.GAME_OF_DRAWINGS, slug)


def tried(office: Office, number: int, now: datetime, stopped: tuple[int, int] | None = None, why: str = "") -> None:
    """Note what has become of the trial games: ``stopped`` are the players and the turn of one that stopped."""
    with office.work(now) as work:
        row = work.session.get_one(OwnMapVersion, number, with_for_update=True)
        row.status = TrialStatus.FINE if stopped is None else TrialStatus.FAILED
        row.trouble = "" if stopped is None else f"{stopped[0]} {stopped[1]}\n{why}"


QUERY = (
    select(OwnMapVersion, OwnMap, Account)
    .outerjoin(OwnMap, OwnMap.key == OwnMapVersion.map_key)
    .outerjoin(Account, Account.id == OwnMap.account_id)
)


def version(row: OwnMapVersion, own: OwnMap | None, account: Account | None) -> Version:
    players, _, turn = row.trouble.partition("\n")[0].partition(" ")
    return Version(
        id=row.id,
        key=row.map_key or "",
        hash=row.hash,
        number=row.number,
        name=row.name,
        designer=row.designer,
        made_at=row.made_at,
        trial=row.status,
        stopped=(int(players), int(turn)) if row.trouble else None,
        status=own.status if own else MapStatus.WITHDRAWN,
        published=own is not None and own.published == row.hash,
        owner=account.id if account else None,
        by=account.name if account else "",
    )


def _hash(sheet: Sheet) -> str:
    return sheet.slug.removeprefix(catalog.OWN)
