"""What is kept of people: every table of the database, with the times after which its rows go."""

from collections.abc import Mapping

from flask import Blueprint, render_template

from pbem.service.archive import copies
from pbem.service.operator import jobs
from pbem.service.people import accounts
from pbem.service.turns import explanations
from pbem.store import kept_backups, tables
from pbem.store.tables import Table
from pbem.web.accounts.about import operator
from pbem.web.base import context
from pbem.web.base.context import office

pages = Blueprint("privacy", __name__)

KEPT: Mapping[str, tuple[type[Table], ...]] = {
    "account": (
        tables.Account, tables.MergedAccount, tables.Stop, tables.GameNotification, tables.Absence, tables.Block,
        tables.Feed,
    ),
    "logins": (tables.Login, tables.LoggedIn, tables.ProgramToken),
    "emails": (tables.Letter, tables.Returned, tables.Unreachable),
    "games": (
        tables.Game, tables.Seat, tables.Submission, tables.StandingOrderRow, tables.Move, tables.Vote, tables.Ballot,
        tables.AuditEntry, tables.Offer, tables.OpenTable,
    ),
    "made": (tables.Explanation, tables.Copy),
    "written": (tables.Post, tables.Note, tables.Remark, tables.PuzzleAnswer),
    "maps": (
        tables.OwnMap, tables.OwnMapDraft, tables.OwnMapVersion, tables.OwnMapReport, tables.OwnMapComplaint,
        tables.OwnMapLike,
    ),
    "results": (tables.CountedGame, tables.Result, tables.Tally, tables.Rating, tables.ReviewRow),
    "leagues": (tables.League, tables.LeagueMember, tables.LeagueGame, tables.LeagueSeat),
    "webhooks": (tables.Webhook, tables.WebhookMessage),
    "devices": (tables.PushSubscription, tables.PushMessage),
    "server": (
        tables.Allowance, tables.Heartbeat, tables.ServerNotice, tables.OperatorAction, tables.ServerJob,
    ),
}  # fmt: skip
"""The tables, by the part of the page that tells of them."""


@pages.get("/privacy")
def privacy() -> str:
    settings = office().settings
    return render_template(
        "privacy.html",
        operator=operator(),
        tables={part: [table.__tablename__ for table in of_part] for part, of_part in KEPT.items()},
        link_works=accounts.LINK_WORKS,
        log_in_stays=accounts.STAYS,
        explanations_kept=explanations.KEPT,
        files_kept=copies.KEPT,
        jobs_kept=jobs.KEPT,
        cookies=context.cookies(settings),
        sends=bool(settings.smtp_url),
        mailbox=bool(settings.imap_url),
        backups=kept_backups if settings.backup_dir else None,
    )
