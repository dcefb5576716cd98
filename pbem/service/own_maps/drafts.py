"""Maps that somebody draws: begun, listed, read, saved, deleted. Only their owner sees a draft."""

import tomllib
from base64 import b32encode
from datetime import datetime

from sqlalchemy import delete as delete_rows
from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from pbem.engine import Value, catalog, say
from pbem.engine.faults import Checked
from pbem.service.base import BadInput, NoSuch, NotNow, Office, Problem, queries, validation
from pbem.store.statuses import MapStatus
from pbem.store.tables import Game, OwnMap, OwnMapComplaint, OwnMapDraft, OwnMapLike, OwnMapReport, OwnMapVersion

MOST = 20
"""Maps of one person."""
LONGEST = 60_000
"""Characters of a text; with the form around it it still fits into what a request can hold."""
KEY = 12
"""Characters of a key: small letters and digits, so that it can be typed on a command line as well."""
NAME = 40
OFF = say("On this server nobody draws maps: its operator has switched that off.")


class Draft(Value):
    """A map as its owner sees it. ``revision``: how often it was saved."""

    key: str
    name: str
    status: MapStatus
    text: str
    revision: int
    saved_at: datetime
    published: str | None
    reason: str

    @property
    def checked(self) -> Checked:
        return check(self.text)


class Overtaken(Exception):
    """The map was saved meanwhile by another page; nothing was changed. ``draft``: what is saved now."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(f"revision {draft.revision} of {draft.key}")
        self.draft = draft


def check(text: str) -> Checked:
    """A text as a map, or all that stops it from being one."""
    return catalog.check("own", text)


def are_allowed(office: Office) -> None:
    """Raises :class:`NotNow` on a server on which nobody draws maps."""
    if office.settings.own_maps == "off":
        raise NotNow(OFF)


def of_account(office: Office, account_id: int) -> tuple[Draft, ...]:
    """All maps of somebody, what was saved last first."""
    query = (
        select(OwnMap, OwnMapDraft)
        .join(OwnMapDraft, OwnMapDraft.map_key == OwnMap.key)
        .where(OwnMap.account_id == account_id)
        .order_by(OwnMapDraft.saved_at.desc(), OwnMap.key)
    )
    with office.read() as session:
        return tuple(_draft(row, draft) for row, draft in session.execute(query))


def read(office: Office, key: str, account_id: int) -> Draft:
    """Raises :class:`NoSuch` for everybody but the owner."""
    with office.read() as session:
        row = owned(session, key, account_id)
        return _draft(row, session.get_one(OwnMapDraft, key))


def begin(office: Office, account_id: int, text: str, now: datetime, origin: str = "") -> str:
    """Begin a map with a text; its key. Raises :class:`BadInput` for field ``text`` and :class:`NotNow`."""
    are_allowed(office)
    text = _storable(text)
    with office.work(now) as work:
        queries.account(work.session, account_id)  # two pages that begin one at once count together
        owned = select(func.count()).select_from(OwnMap).where(OwnMap.account_id == account_id)
        if (work.session.scalar(owned) or 0) >= MOST:
            raise NotNow(say("You have {n} maps, and no more are possible. Delete one first.", n=MOST))
        key = b32encode(office.entropy(KEY)).decode("ascii").lower()[:KEY]
        work.session.add(
            OwnMap(key=key, account_id=account_id, name=_name(text) or "", origin=origin[:64], created_at=now)
        )
        work.session.flush()
        work.session.add(OwnMapDraft(map_key=key, text=text, revision=1, saved_at=now))
    return key


def save(office: Office, key: str, account_id: int, text: str, revision: int, now: datetime) -> int:
    """Save the text of a map that was read at a revision; the new one.

    Raises :class:`NoSuch`, :class:`BadInput` for field ``text``, and :class:`Overtaken` when another page has saved
    another text since.
    """
    text = _storable(text)
    with office.work(now) as work:
        row = owned(work.session, key, account_id, lock=True)
        draft = work.session.get_one(OwnMapDraft, key)
        if draft.text == text:
            return draft.revision
        if draft.revision != revision:
            raise Overtaken(_draft(row, draft))
        draft.text, draft.revision, draft.saved_at = text, revision + 1, now
        row.name = _name(text) or row.name
    return revision + 1


def delete(office: Office, key: str, account_id: int, now: datetime) -> None:
    """Delete a map that no game names, with its versions. Raises :class:`NoSuch`, and :class:`NotNow` for any other."""
    with office.work(now) as work:
        row = owned(work.session, key, account_id, lock=True)
        hashes = work.session.scalars(select(OwnMapVersion.hash).where(OwnMapVersion.map_key == key)).all()
        slugs = [catalog.OWN + hash_ for hash_ in hashes]
        if slugs and work.session.scalar(select(exists().where(Game.map.in_(slugs)))):
            raise NotNow(say("Games name this map. You can withdraw it, and then no new ones begin."))
        of_these = select(OwnMapVersion.id).where(OwnMapVersion.map_key == key)
        work.session.execute(delete_rows(OwnMapReport).where(OwnMapReport.version_id.in_(of_these)))
        for table in (OwnMapComplaint, OwnMapLike, OwnMapVersion, OwnMapDraft):
            work.session.execute(delete_rows(table).where(table.map_key == key))
        work.session.delete(row)


def owned(session: Session, key: str, account_id: int, *, lock: bool = False) -> OwnMap:
    """The row of a map. Raises :class:`NoSuch` for everybody but its owner."""
    row = session.get(OwnMap, key, with_for_update=lock)
    if row is None or row.account_id != account_id:
        raise NoSuch(f"There is no map {key} of account {account_id}.")
    return row


def _draft(row: OwnMap, draft: OwnMapDraft) -> Draft:
    return Draft(
        key=row.key,
        name=row.name,
        status=row.status,
        text=draft.text,
        revision=draft.revision,
        saved_at=draft.saved_at,
        published=row.published,
        reason=row.reason,
    )


def _storable(text: str) -> str:
    if len(text) > LONGEST:
        raise BadInput(Problem("text", say("This is longer than {n} characters.", n=LONGEST)))
    lines = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd").splitlines()
    return "\n".join(lines).rstrip("\n") + "\n"


def _name(text: str) -> str | None:
    """What a text calls its map; ``None`` where that cannot be read."""
    try:
        name = tomllib.loads(text).get("name")
    except (ValueError, RecursionError):
        return None
    return validation.one_line(name)[:NAME] if isinstance(name, str) else None
