"""What the operator has the server do: checks, test emails, backups, games replayed, and what is stuck dealt with."""

import logging

from flask import Blueprint, redirect, render_template, send_file, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from pbem.engine import Say, say
from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.letters import given_up
from pbem.service.operator import jobs, operating
from pbem.service.orders import deadlines
from pbem.service.turns import stuck_standing_orders
from pbem.store import kept_backups
from pbem.store.statuses import JobKind
from pbem.web.accounts.host import number, who_acts, who_looks
from pbem.web.base.context import now, office
from pbem.web.base.forms import BadForm, argument, field

log = logging.getLogger(__name__)
pages = Blueprint("host_work", __name__)

BACKUPS = 10
"""Backups that are listed, the newest first."""


@pages.get("/host/work")
def show() -> str:
    who_looks()
    return _page()


@pages.post("/host/work")
def start() -> Response | tuple[str, int]:
    own, wish = who_acts(), field("do")
    if wish not in list(JobKind):
        raise BadForm(say("There is no such job."))
    given = field("given", longest=60_000, default="")
    if wish == JobKind.RECHECK and field("which", default="") == "running":
        given = jobs.RUNNING
    try:
        jobs.ask(office(), own.id, JobKind(wish), given, now())
    except BadInput as bad:
        return _page(bad.problems[0].sentence), 400
    except NotNow as refused:
        return _page(refused.sentence), 409
    return redirect(url_for("host_work.show", started=1, _anchor=wish), code=303)


@pages.post("/host/backups")
def download() -> Response:
    """A backup, for keeping it in another place; that it was taken is written down."""
    own, name = who_acts(), field("name")
    found = next((one for one in _backups() if one.file.name == name), None)
    if found is None:
        raise NotFound
    operating.note(office(), own.id, "downloads", 0, now())
    answer = send_file(found.file.resolve(), "application/gzip", as_attachment=True, download_name=name)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.post("/host/standing-orders")
def standing_orders() -> Response:
    own, row = who_acts(), number(field("number"))
    waits = stuck_standing_orders.wait_again(office(), row, now())
    if waits is not None:
        operating.note(office(), own.id, "plays-order" if waits else "closes-order", row, now())
    return _back("order-gone" if waits is None else "order-waits" if waits else "order-closed")


@pages.post("/host/given-up")
def letters() -> Response:
    own, wish = who_acts(), field("do")
    if wish not in ("again", "clear"):
        raise BadForm(say("Choose “again” or “clear”."))
    done = given_up.send_again(office(), now()) if wish == "again" else given_up.clear(office())
    if done:
        operating.note(office(), own.id, "sends-again" if wish == "again" else "clears", 0, now())
    return _back("again" if wish == "again" else "cleared")


@pages.post("/host/games")
def games() -> Response:
    own, game = who_acts(), field("game", longest=100)
    try:
        done = deadlines.deadline(office(), game, now())
    except NoSuch:
        raise
    except Exception:
        log.exception("the operator could not unlock game %s", game[:16])
        return _back("still-locked")
    if done:
        operating.note(office(), own.id, "unlocks", 0, now())
    return _back("unlocked" if done else "not-locked")


def _page(problem: Say | None = None) -> str:
    return render_template(
        "host_work.html",
        section="account",
        last=jobs.latest(office()),
        folder=office().settings.backup_dir,
        backups=_backups()[:BACKUPS],
        mails=bool(office().settings.smtp_url),
        problem=problem,
        started=argument("started") == "1" and problem is None,
    )


def _backups() -> list[kept_backups.StoredBackup]:
    folder = office().settings.backup_dir
    return [] if folder is None or not folder.is_dir() else kept_backups.kept(folder)[::-1]


def _back(done: str) -> Response:
    return redirect(url_for("host.show", done=done), code=303)
