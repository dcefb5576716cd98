"""Tables of what finished games come to: their results, figures of each map added up, and ratings.

Ratings are kept in millionths, so that they come back from every database and backup as they were.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.tables.base import Table


class CountedGame(Table):
    """A finished game that has been counted. ``rated``: whether ratings follow from it.

    ``orders``: how many it took. ``best``: the most points anybody has, ``margin``: how many more than the second has;
    ``None`` where nobody has any.
    ``figures``: what it adds to the tallies of its map, as lists of figure, key and number.
    """

    __tablename__ = "counted_games"
    __table_args__ = (
        Index("ix_counted_games_game_rated_ended_at_game_id", "game", "rated", "ended_at", "game_id"),
        Index("ix_counted_games_game_map_game_id", "game", "map", "game_id"),
        Index("ix_counted_games_players_ended_at_game_id", "players", "ended_at", "game_id"),
        Index("ix_counted_games_orders_game_id", "orders", "game_id"),
        Index("ix_counted_games_best_game_id", "best", "game_id"),
        Index("ix_counted_games_margin_game_id", "margin", "game_id"),
    )
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(32))
    map: Mapped[str] = mapped_column(String(64))
    players: Mapped[int]
    ended_at: Mapped[datetime]
    listed: Mapped[bool]
    rated: Mapped[bool]
    orders: Mapped[int] = mapped_column(default=0)
    best: Mapped[int | None]
    margin: Mapped[int | None]
    figures: Mapped[list[Any]]


class Result(Table):
    """What a seat of a counted game came to. ``points`` is ``None`` for who went out of the game.

    ``who``: whose result it is, as ``pbem.service.statistics.ratings`` has it; empty when nobody had the seat from
    beginning to end. ``nth``, ``mu`` and ``sigma``: which rated game of theirs it is, and the rating after it.
    """

    __tablename__ = "results"
    __table_args__ = (Index("ix_results_who_game_ended_at_game_id", "who", "game", "ended_at", "game_id"),)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(32))
    ended_at: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(24))
    place: Mapped[int]
    points: Mapped[int | None]
    out: Mapped[bool]
    nth: Mapped[int | None]
    mu: Mapped[int | None]
    sigma: Mapped[int | None]


class Rating(Table):
    """How strong somebody is in a game: after the last rated result. ``shown``: what lists are sorted by."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ix_ratings_game_shown", "game", "shown"),)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    who: Mapped[str] = mapped_column(String(24), primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    mu: Mapped[int]
    sigma: Mapped[int]
    shown: Mapped[int]
    games: Mapped[int]
    last_at: Mapped[datetime]


class Tally(Table):
    """How often a figure of a map had a value, in listed games of so many players; ``key`` as the figure has it."""

    __tablename__ = "tallies"
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    map: Mapped[str] = mapped_column(String(64), primary_key=True)
    players: Mapped[int] = mapped_column(primary_key=True)
    figure: Mapped[str] = mapped_column(String(16), primary_key=True)
    key: Mapped[str] = mapped_column(String(40), primary_key=True)
    number: Mapped[int]
