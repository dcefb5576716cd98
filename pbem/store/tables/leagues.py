"""Tables of leagues and knock-outs: what their hosts chose, who takes part, their games, and who sits in them."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.statuses import IfLeft, LeagueKind, LeagueStatus, MemberStatus
from pbem.store.tables.base import Table


class League(Table):
    """A league or a knock-out. ``maps``: slugs in the order in which they are played; ``tables_of``: players of a game.

    ``season``: the number of the season (in a knock-out: of the round) that runs or ran last; there are ``seasons`` of
    them, ``games`` games for everybody in each, ``pause_days`` between two. ``moves``: how many of a division go up and
    down. ``step_at``: when the clock goes on with it; ``None`` while games are played. ``full_at``: how many who take
    part let it begin before that; 0: it begins on its date.
    """

    __tablename__ = "leagues"
    __table_args__ = (Index("ix_leagues_step_at", "step_at"),)
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    kind: Mapped[LeagueKind]
    title: Mapped[str] = mapped_column(String(120))
    host_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    status: Mapped[LeagueStatus]
    game: Mapped[str] = mapped_column(String(32))
    maps: Mapped[list[Any]]
    tables_of: Mapped[int]
    games: Mapped[int]
    seasons: Mapped[int]
    season: Mapped[int] = mapped_column(default=0)
    moves: Mapped[int]
    turn_seconds: Mapped[int]
    pause_days: Mapped[int]
    if_left: Mapped[IfLeft]
    opened_at: Mapped[datetime]
    step_at: Mapped[datetime | None]
    full_at: Mapped[int] = mapped_column(default=0)
    ended_at: Mapped[datetime | None]


class LeagueMember(Table):
    """Somebody who takes part, or is invited to or waits for it. ``robot``: instead of an account, its character.

    ``division``: 0 before the first season. ``seed``: the place in the division by which equals are told apart.
    ``stand_in``: a robot that has a place nobody wants, until the end of the season.
    """

    __tablename__ = "league_members"
    __table_args__ = (UniqueConstraint("league_id", "account_id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[str] = mapped_column(ForeignKey("leagues.id"), index=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    robot: Mapped[str] = mapped_column(String(16), default="")
    name: Mapped[str] = mapped_column(String(80))
    status: Mapped[MemberStatus]
    stand_in: Mapped[bool] = mapped_column(default=False)
    division: Mapped[int] = mapped_column(default=0)
    seed: Mapped[int] = mapped_column(default=0)
    since: Mapped[datetime]


class LeagueGame(Table):
    """A game of a season. ``open_at``: when the clock opens it, ``None`` when it has; ``done_at``: when it was over."""

    __tablename__ = "league_games"
    __table_args__ = (
        Index("ix_league_games_open_at", "open_at"),
        Index("ix_league_games_done_at", "done_at"),
        Index("ix_league_games_league_id_season", "league_id", "season"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[str] = mapped_column(ForeignKey("leagues.id"))
    season: Mapped[int]
    division: Mapped[int]
    map: Mapped[str] = mapped_column(String(64))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), unique=True)
    open_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]


class LeagueSeat(Table):
    """Who sits where in a game of a league; ``place``, ``score`` and ``out`` when it is over."""

    __tablename__ = "league_seats"
    league_game_id: Mapped[int] = mapped_column(ForeignKey("league_games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    member_id: Mapped[int] = mapped_column(ForeignKey("league_members.id"), index=True)
    place: Mapped[int | None]
    score: Mapped[int | None]
    out: Mapped[bool] = mapped_column(default=False)
