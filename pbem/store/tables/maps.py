"""Tables of maps that people draw: the map, the text that is worked on, and the texts that games were played on."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.statuses import MapStatus, ReviewStatus, TrialStatus
from pbem.store.tables.base import Table


class OwnMap(Table):
    """A map that somebody draws, who is ``None`` once the account is deleted.

    ``name``: what it is called in the last draft that could be read. ``published``: the hash of the version that is
    listed. ``origin``: the key or the slug of the map that it was copied from. ``reason``: why the operator has
    withdrawn it; empty when its owner has. ``answer``: what its owner has said to that, once. ``hidden``: it is in no
    list until the operator has looked at what was said against it.
    """

    __tablename__ = "own_maps"
    __table_args__ = (Index("ix_own_maps_status_published_at", "status", "published_at"),)
    key: Mapped[str] = mapped_column(String(12), primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    status: Mapped[MapStatus] = mapped_column(default=MapStatus.DRAFT)
    name: Mapped[str] = mapped_column(String(40), default="")
    origin: Mapped[str] = mapped_column(String(64), default="")
    created_at: Mapped[datetime]
    published: Mapped[str | None] = mapped_column(String(16))
    published_at: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(Text, default="")
    answer: Mapped[str | None] = mapped_column(Text)
    answered_at: Mapped[datetime | None]
    hidden: Mapped[bool] = mapped_column(default=False)


class OwnMapComplaint(Table):
    """What somebody has said against a map, until the operator has looked."""

    __tablename__ = "own_map_complaints"
    map_key: Mapped[str] = mapped_column(ForeignKey("own_maps.key"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    words: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]


class OwnMapLike(Table):
    """What somebody who has finished a game on a map thinks of it."""

    __tablename__ = "own_map_likes"
    map_key: Mapped[str] = mapped_column(ForeignKey("own_maps.key"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    liked: Mapped[bool]
    at: Mapped[datetime]


class OwnMapDraft(Table):
    """The text of a map as it was saved last, whatever it says. ``revision``: how often it was saved."""

    __tablename__ = "own_map_drafts"
    map_key: Mapped[str] = mapped_column(ForeignKey("own_maps.key"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    revision: Mapped[int]
    saved_at: Mapped[datetime]


class OwnMapVersion(Table):
    """A text without faults, in its one form, that games are played on: never changed.

    ``hash``: the first 16 digits of its SHA-256, as in the slug of its sheet. ``map_key`` is ``None`` for a map that
    came with the record of a game. ``number``: counted for each map. ``fewest``, ``most``: players; ``turns``: of its
    longest game. ``status``: of its trial games with robots; ``trouble``: what stopped them.
    """

    __tablename__ = "own_map_versions"
    __table_args__ = (
        Index("ix_own_map_versions_hash", "hash"),
        Index("ix_own_map_versions_map_key_number", "map_key", "number"),
        Index("ix_own_map_versions_status_made_at", "status", "made_at"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(String(16))
    map_key: Mapped[str | None] = mapped_column(ForeignKey("own_maps.key"))
    number: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(String(40))
    designer: Mapped[str] = mapped_column(String(40))
    fewest: Mapped[int]
    most: Mapped[int]
    turns: Mapped[int]
    made_at: Mapped[datetime]
    status: Mapped[TrialStatus] = mapped_column(default=TrialStatus.WAITING)
    trouble: Mapped[str] = mapped_column(Text, default="")


class OwnMapReport(Table):
    """The balance report of a version: games that robots play on it, as far as they have come.

    ``seed``: all their chance follows from it. ``games``: how many are finished, ``spent``: milliseconds of the
    processor they took. ``figures``: what is kept of these games. ``claimed_until``: whoever works on it is thought to
    be alive until then; ``tries``: how often that has begun in vain. ``email``: its end is told by email.
    """

    __tablename__ = "own_map_reports"
    __table_args__ = (Index("ix_own_map_reports_status_asked_at", "status", "asked_at"),)
    version_id: Mapped[int] = mapped_column(ForeignKey("own_map_versions.id"), primary_key=True)
    status: Mapped[ReviewStatus] = mapped_column(default=ReviewStatus.WAITING)
    seed: Mapped[str] = mapped_column(String(16))
    games: Mapped[int] = mapped_column(default=0)
    spent: Mapped[int] = mapped_column(default=0)
    figures: Mapped[dict[str, Any] | None]
    asked_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    claimed_until: Mapped[datetime | None]
    tries: Mapped[int] = mapped_column(default=0)
    email: Mapped[bool] = mapped_column(default=False)
