"""The page of who runs the server: how it is, what is stuck, whose emails came back, people, games, a notice to all."""

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

import pbem
from pbem.engine import Say, say
from pbem.service import BadInput, NotNow
from pbem.service.base.numbers import NUMBERS
from pbem.service.games import cancelling
from pbem.service.operator import health, hosting, operating
from pbem.service.own_maps import states
from pbem.service.people import accounts, bounces
from pbem.service.turns import stuck, stuck_standing_orders
from pbem.store.statuses import GameStatus
from pbem.views.accounts import AccountView
from pbem.web.base.context import form_sender, now, office, reader
from pbem.web.base.forms import BadForm, argument, field


def who_looks() -> AccountView:
    """The operator, who looks at a page; raises a 404 for all others."""
    own = reader()
    if own is None or not _runs(own):
        raise NotFound
    return own


def who_acts() -> AccountView:
    """The operator, by a form of one of the pages; raises a 404 for all others."""
    own = form_sender()
    if not _runs(own):
        raise NotFound
    return own


def _runs(account: AccountView) -> bool:
    return hosting.runs(office().settings, account.address)


def number(text: str) -> int:
    """The number of a row; 0, which no row has, for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 and int(text) in NUMBERS else 0


pages = Blueprint("host", __name__)

LISTED = 6
"""Orders, addresses and people that the page lists, so that it stays light; the next come when these are dealt with."""
LATEST = 12
"""What was done, as far as it is listed."""
DONE = {
    "played": say("A worker plays the orders now."),
    "closed": say("The orders are closed: the game has moved on."),
    "gone": say("These orders are not set aside any more."),
    "mail": say("Emails go to this address again, a test email first."),
    "mail-gone": say("Emails go to this address already."),
    "told": say("The notice stands at the head of every page."),
    "untold": say("The notice is taken away."),
    "renamed": say("The account has a new name. It applies to games opened from now on."),
    "blocked": say("The account is blocked, and logged out everywhere."),
    "unblocked": say("The account can log in again."),
    "merged": say("The two accounts are one."),
    "deleted": say("The account is deleted."),
    "cancelled": say("The game is cancelled. Everybody in it gets an email."),
    "not-cancelled": say("This game is over."),
    "order-waits": say("The order waits for its moment again, or has just been played."),
    "order-closed": say("The order is closed: its moment cannot come any more."),
    "order-gone": say("This order is not set aside any more."),
    "again": say("The emails are sent again."),
    "cleared": say("The list of emails that were given up is empty."),
    "unlocked": say("The game goes on."),
    "map-kept": say("The map stays, and what was said against it is forgotten."),
    "map-withdrawn": say("The map is withdrawn. Whoever drew it gets the reason by email."),
    "not-locked": say("This game goes on already, or waits for orders that are set aside."),
    "still-locked": say("It failed again. The log of the process “web” says why."),
}
WISHES = {"rename": "renamed", "block": "blocked", "unblock": "unblocked"}
LONGEST_TYPED = 2000
"""What is given back of a notice that is too long."""
GAMES = {
    GameStatus.OPEN: say("not started"),
    GameStatus.RUNNING: say("running"),
    GameStatus.STOPPING: say("about to end"),
    GameStatus.OVER: say("finished"),
    GameStatus.CANCELLED: say("cancelled"),
}


ACTIONS = {
    "plays": say("orders played again"),
    "closes": say("orders closed"),
    "sends": say("emails sent again to an account"),
    "tells": say("notice put up"),
    "ends-notice": say("notice taken away"),
    "renames": say("account renamed"),
    "blocks": say("account blocked"),
    "unblocks": say("account unblocked"),
    "merges": say("account merged into another"),
    "deletes": say("account deleted"),
    "cancels": say("game cancelled"),
    "plays-order": say("order given ahead waits again"),
    "closes-order": say("order given ahead closed"),
    "sends-again": say("emails that were given up sent again"),
    "clears": say("emails that were given up cleared"),
    "unlocks": say("game unlocked"),
    "keeps-map": say("map kept after complaints"),
    "withdraws-map": say("map withdrawn"),
    "downloads": say("backup downloaded"),
    "starts-doctor": say("check of the server started"),
    "starts-mail": say("test of emails started"),
    "starts-backup": say("backup started"),
    "starts-check": say("trial of the last backup started"),
    "starts-recheck": say("replay of games started"),
    "starts-ratings": say("count of all results started"),
}


@pages.get("/host")
def show() -> str:
    return _page(who_looks())


@pages.post("/host/orders")
def orders() -> Response:
    own = who_acts()
    row = number(field("number"))
    played = stuck.play_again(office(), [row], now()).get(row)
    outcome = "gone" if played is None else "played" if played else "closed"
    if played is not None:
        operating.note(office(), own.id, "plays" if played else "closes", row, now())
    return _back(outcome)


@pages.post("/host/emails")
def emails() -> Response:
    own = who_acts()
    account = number(field("number"))
    silent = bounces.unreachable(office(), account) is not None
    outcome = "mail" if silent and bounces.switch_on(office(), account, now()) else "mail-gone"
    if outcome == "mail":
        operating.note(office(), own.id, "sends", account, now())
    return _back(outcome)


@pages.post("/host/notice")
def tell() -> Response | tuple[str, int]:
    own = who_acts()
    text = field("text", longest=20_000, default="")
    try:
        operating.tell_all(office(), own.id, text, now())
    except BadInput as bad:
        return _page(own, problem=bad.problems[0].sentence, typed=text), 400
    return _back("told" if operating.notice(office()) else "untold")


@pages.post("/host/people")
def people() -> Response | tuple[str, int]:
    own = who_acts()
    account, wish = number(field("number")), field("do")
    if wish not in WISHES:
        raise BadForm(say("Choose “rename”, “block” or “unblock”."))
    try:
        _change(own, account, wish)
    except BadInput as bad:
        return _page(own, problem=bad.problems[0].sentence), 400
    except NotNow as refused:
        return _page(own, problem=refused.sentence), 409
    return _back(WISHES[wish], field("who", default=""))


def _change(own: AccountView, account: int, wish: str) -> None:
    """Raises :class:`BadInput`, :class:`NotNow` and, where there is no such account, ``NoSuch``."""
    match wish:
        case "rename":
            operating.exists(office(), account)
            accounts.rename(office(), account, field("name", longest=20_000))
            operating.note(office(), own.id, "renames", account, now())
        case "block":
            operating.bar(office(), own.id, account, now())
        case "unblock":
            operating.unbar(office(), own.id, account, now())


def _page(own: AccountView, *, problem: Say | None = None, typed: str | None = None) -> str:
    aside = stuck.of_all(office())
    silent = bounces.all_unreachable(office(), LISTED + 1)
    who = argument("who", longest=2000)[:100]
    found = operating.find(office(), who, LISTED + 1)
    which = argument("game", longest=2000)[:100]
    found_games = cancelling.find(office(), which, LISTED + 1)
    return render_template(
        "host.html",
        section="account",
        seen=hosting.overview(office(), now()),
        within=health,
        games=GAMES,
        aside=aside[:LISTED],
        ahead=stuck_standing_orders.of_all(office(), LISTED),
        late=hosting.late_games(office(), now(), LISTED),
        more_aside=len(aside) > LISTED,
        silent=silent[:LISTED],
        more_silent=len(silent) > LISTED,
        own=own,
        who=who,
        found=found[:LISTED],
        more_found=len(found) > LISTED,
        which=which,
        found_games=found_games[:LISTED],
        more_games=len(found_games) > LISTED,
        maps=states.complained(office(), LISTED),
        answered=states.answered(office(), LISTED),
        told=operating.notice(office()) if typed is None else typed[:LONGEST_TYPED],
        most=operating.LONGEST_NOTICE,
        actions=operating.actions(office(), LATEST),
        did=ACTIONS,
        version=pbem.__version__,
        done=DONE.get(argument("done")) if problem is None else None,
        problem=problem,
    )


def _back(done: str, who: str = "") -> Response:
    return redirect(url_for("host.show", done=done, who=who or None), code=303)
