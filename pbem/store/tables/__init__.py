"""The tables, all of them imported from here: ``from pbem.store.tables import Game``."""

from pbem.store.tables.accounts import (
    Absence,
    Account,
    Block,
    Feed,
    GameNotification,
    LoggedIn,
    Login,
    MergedAccount,
    ProgramToken,
    PushSubscription,
    Returned,
    Stop,
    Unreachable,
    Webhook,
)
from pbem.store.tables.base import Table, UtcTime
from pbem.store.tables.games import Explanation, Game, Move, PuzzleAnswer, ReviewRow, Seat, StandingOrderRow, Submission
from pbem.store.tables.leagues import League, LeagueGame, LeagueMember, LeagueSeat
from pbem.store.tables.maps import OwnMap, OwnMapComplaint, OwnMapDraft, OwnMapLike, OwnMapReport, OwnMapVersion
from pbem.store.tables.outbox import Letter, Outgoing, PushMessage, WebhookMessage
from pbem.store.tables.people import AuditEntry, Ballot, Note, Offer, OpenTable, Post, Remark, Vote
from pbem.store.tables.server import Allowance, Copy, Heartbeat, OperatorAction, ServerJob, ServerNotice
from pbem.store.tables.statistics import CountedGame, Rating, Result, Tally

__all__ = [
    "Absence", "Account", "Allowance", "AuditEntry", "Ballot", "Block", "Copy", "CountedGame", "Explanation", "Feed",
    "Game", "GameNotification", "Heartbeat", "League", "LeagueGame", "LeagueMember", "LeagueSeat", "Letter", "LoggedIn",
    "Login", "MergedAccount", "Move", "Note", "Offer", "OpenTable", "OperatorAction", "Outgoing", "OwnMap",
    "OwnMapComplaint", "OwnMapDraft", "OwnMapLike", "OwnMapReport", "OwnMapVersion", "Post", "ProgramToken",
    "PushMessage", "PushSubscription", "PuzzleAnswer", "Rating", "Remark", "Result", "Returned", "ReviewRow", "Seat",
    "ServerJob", "ServerNotice", "StandingOrderRow", "Stop", "Submission", "Table", "Tally", "Unreachable", "UtcTime",
    "Vote", "Webhook", "WebhookMessage",
]  # fmt: skip
