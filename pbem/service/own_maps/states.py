"""Who may see an own map: published, withdrawn, hidden after complaints."""

from datetime import datetime

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session

from pbem.engine import Value, catalog, say
from pbem.service.base import BadInput, NewLetter, NoSuch, NotNow, Office, Problem, validation
from pbem.service.letters.kinds.maps import MapWithdrawn
from pbem.service.own_maps import drafts, versions
from pbem.store.statuses import GameStatus, MapStatus, TrialStatus
from pbem.store.tables import Account, Game, OwnMap, OwnMapComplaint, OwnMapVersion, Seat

HIDES = 3
"""People whose complaints hide a map until the operator has looked."""
LONGEST = 1_000
FINISH_FIRST = say("Finish a game on this map first; against robots will do.")


class Complained(Value):
    """A map against which something was said: by whom and what. ``hidden``: it is in no list for now."""

    key: str
    name: str
    hidden: bool
    complaints: tuple[tuple[str, str], ...]


class Withdrawn(Value):
    """A map that the operator has withdrawn: why, and what whoever drew it has said to that."""

    key: str
    name: str
    reason: str = ""
    answer: str | None = None


def is_on(office: Office) -> bool:
    """Whether maps can be published here."""
    return office.settings.own_maps == "on"


def publish(office: Office, key: str, account_id: int, number: int, now: datetime) -> None:
    """List a version of a map for everybody.

    Raises :class:`NoSuch`, and :class:`NotNow` where the server does not list any, for a version that robots could not
    play, before its owner has finished a game on the map, and when the operator has withdrawn it.
    """
    if not is_on(office):
        raise NotNow(say("On this server maps are played by link, and not published."))
    with office.work(now) as work:
        row = drafts.owned(work.session, key, account_id, lock=True)
        wanted = OwnMapVersion.map_key == key, OwnMapVersion.number == number
        version = work.session.scalar(select(OwnMapVersion).where(*wanted))
        if version is None:
            raise NoSuch(f"The map {key} has no version {number}.")
        if row.reason:
            raise NotNow(say("The operator of this server has withdrawn this map."))
        if version.status != TrialStatus.FINE:
            raise NotNow(versions.NOT_TRIED if version.status == TrialStatus.WAITING else versions.FAILED)
        if not has_finished(work.session, key, account_id):
            raise NotNow(FINISH_FIRST)
        row.status, row.published, row.published_at = MapStatus.PUBLISHED, version.hash, now


def has_finished(session: Session, key: str, account_id: int) -> bool:
    """Whether somebody has played a game on a map to its end."""
    slugs = [catalog.OWN + hash_ for hash_ in session.scalars(
        select(OwnMapVersion.hash).where(OwnMapVersion.map_key == key)
    )]  # fmt: skip
    over = Game.status == GameStatus.OVER, Game.ended_early.is_(False), Game.map.in_(slugs)
    mine = exists().where(Seat.game_id == Game.id, Seat.account_id == account_id)
    return bool(session.scalar(select(exists().where(*over, mine))))


def withdraw(office: Office, key: str, account_id: int, now: datetime) -> None:
    """Take a map off the list and end its link; games that run go on. Raises :class:`NoSuch`."""
    with office.work(now) as work:
        _withdraw(drafts.owned(work.session, key, account_id, lock=True))


def put_back(office: Office, key: str, account_id: int, now: datetime) -> None:
    """Let whoever has the link play on a map again that its owner has withdrawn, or that is published.

    Raises :class:`NoSuch`, and :class:`NotNow` for what the operator has withdrawn.
    """
    with office.work(now) as work:
        row = drafts.owned(work.session, key, account_id, lock=True)
        if row.reason:
            raise NotNow(say("The operator of this server has withdrawn this map."))
        row.status, row.published, row.published_at = MapStatus.PLAYTEST, None, None


def withdraw_for_operator(office: Office, key: str, reason: str, now: datetime) -> str:
    """The same by who runs the server; the owner gets the reason by email. Returns the name of the map.

    Raises :class:`NoSuch`, and :class:`BadInput` for field ``reason``.
    """
    reason = validation.one_line(reason)[:LONGEST]
    if not reason:
        raise BadInput(Problem("reason", say("Say why; whoever drew the map gets to read it.")))
    with office.work(now) as work:
        row = _map(work.session, key)
        _withdraw(row)
        row.reason, row.answer, row.answered_at = reason, None, None
        _forget(work.session, row)
        if row.account_id is not None:
            letter = MapWithdrawn(row.name, reason, key)
            work.write(NewLetter(letter, f"{letter.kind}:{key}:{now.timestamp():.0f}", row.account_id))
        return row.name


def _withdraw(row: OwnMap) -> None:
    row.status, row.published, row.published_at = MapStatus.WITHDRAWN, None, None


def answer(office: Office, key: str, account_id: int, words: str, now: datetime) -> None:
    """What whoever drew a map says to its withdrawal by the operator, once.

    Raises :class:`NoSuch`, :class:`NotNow` where there is nothing to answer, and :class:`BadInput` for field ``words``.
    """
    words = validation.one_line(words[: 4 * LONGEST])[:LONGEST]
    if not words:
        raise BadInput(Problem("words", say("Say what the operator should know.")))
    with office.work(now) as work:
        row = drafts.owned(work.session, key, account_id, lock=True)
        if not row.reason or row.answer is not None:
            raise NotNow(say("There is nothing to answer, or you have answered already."))
        row.answer, row.answered_at = words, now


def answered(office: Office, most: int) -> tuple[Withdrawn, ...]:
    """Maps to whose withdrawal there is an answer, the latest first."""
    query = select(OwnMap).where(OwnMap.answer.is_not(None)).order_by(OwnMap.answered_at.desc(), OwnMap.key)
    with office.read() as session:
        return tuple(Withdrawn(row.key, row.name, row.reason, row.answer) for row in session.scalars(query.limit(most)))


def complain(office: Office, key: str, account_id: int, words: str, now: datetime) -> None:
    """Tell the operator what is wrong with a map; those of :data:`HIDES` people hide it until somebody has looked.

    Raises :class:`NoSuch`, and :class:`BadInput` for field ``words``.
    """
    words = validation.one_line(words[: 4 * LONGEST])[:LONGEST]
    if not words:
        raise BadInput(Problem("words", say("Say what is wrong with this map.")))
    with office.work(now) as work:
        row = _map(work.session, key)
        old = work.session.get(OwnMapComplaint, (key, account_id))
        if old is None:
            work.session.add(OwnMapComplaint(map_key=key, account_id=account_id, words=words, at=now))
        else:
            old.words, old.at = words, now
        work.session.flush()
        people = select(func.count()).where(OwnMapComplaint.map_key == key)
        row.hidden = row.hidden or (work.session.scalar(people) or 0) >= HIDES


def keep(office: Office, key: str, now: datetime) -> None:
    """The operator has looked, and the map stays: what was said against it is forgotten. Raises :class:`NoSuch`."""
    with office.work(now) as work:
        _forget(work.session, _map(work.session, key))


def _forget(session: Session, row: OwnMap) -> None:
    row.hidden = False
    session.execute(delete(OwnMapComplaint).where(OwnMapComplaint.map_key == row.key))


def complained(office: Office, most: int) -> tuple[Complained, ...]:
    """Maps against which something was said, those that are hidden first."""
    said = exists().where(OwnMapComplaint.map_key == OwnMap.key)
    query = select(OwnMap).where(said).order_by(OwnMap.hidden.desc(), OwnMap.key).limit(most)
    words = select(OwnMapComplaint.map_key, Account.name, OwnMapComplaint.words).join(
        Account, Account.id == OwnMapComplaint.account_id
    )
    with office.read() as session:
        rows = session.scalars(query).all()
        of_these = words.where(OwnMapComplaint.map_key.in_([row.key for row in rows])).order_by(OwnMapComplaint.at)
        told = session.execute(of_these).all()
    return tuple(
        Complained(row.key, row.name, row.hidden, tuple((name, text) for key, name, text in told if key == row.key))
        for row in rows
    )


def withdrawn(office: Office, key: str) -> Withdrawn:
    """Why the operator has withdrawn a map, with the answer; nothing of both for any other."""
    with office.read() as session:
        row = session.get(OwnMap, key)
        return Withdrawn(key, row.name, row.reason, row.answer) if row is not None else Withdrawn(key, "")


def _map(session: Session, key: str) -> OwnMap:
    row = session.get(OwnMap, key, with_for_update=True)
    if row is None:
        raise NoSuch(f"There is no map {key}.")
    return row
