"""The tables, all of them behind one door: ``from pbem.store.tables import Game``."""

from pbem.store.tables.accounts import (
    Absence,
    Account,
    Block,
    Feed,
    Habit,
    Hook,
    LoggedIn,
    Login,
    Returned,
    Stop,
    Unreachable,
)
from pbem.store.tables.base import Table, UtcTime
from pbem.store.tables.games import NOTES, Game, Move, OrderAhead, Seat, Submission
from pbem.store.tables.outbox import HookMessage, Letter
from pbem.store.tables.people import Ballot, Deed, Note, Offer, Post, Vote
from pbem.store.tables.server import Allowance, Heartbeat

__all__ = [
    "NOTES",
    "Absence",
    "Account",
    "Allowance",
    "Ballot",
    "Block",
    "Deed",
    "Feed",
    "Game",
    "Habit",
    "Heartbeat",
    "Hook",
    "HookMessage",
    "Letter",
    "LoggedIn",
    "Login",
    "Move",
    "Note",
    "Offer",
    "OrderAhead",
    "Post",
    "Returned",
    "Seat",
    "Stop",
    "Submission",
    "Table",
    "Unreachable",
    "UtcTime",
    "Vote",
]
