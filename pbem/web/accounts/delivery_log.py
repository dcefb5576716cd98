"""The delivery log: what was sent to the reader, when, and what the mail server said."""

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine import Say, count_say, replace, say
from pbem.language import current
from pbem.service import NotNow
from pbem.service.letters import kinds
from pbem.service.people import delivery_log
from pbem.views.people import Delivery
from pbem.web.base.context import form_sender, now, office, reader_or_login
from pbem.web.base.forms import argument, number

pages = Blueprint("deliveries", __name__)

LATEST = 5
"""So many stand on the page of the account."""


@pages.get("/letters")
def index() -> str:
    """Letters to the reader, latest first, page by page; ``game`` shows those of one game."""
    return _page(tested=argument("tested") == "1")


@pages.post("/letters/test")
def test() -> Response | tuple[str, int]:
    account = form_sender()
    try:
        delivery_log.send_test(office(), account.id, now())
    except NotNow as refused:
        return _page(problem=refused.sentence), 409
    return redirect(url_for("deliveries.index", tested=1), code=303)


def _page(*, tested: bool = False, problem: Say | None = None) -> str:
    account = reader_or_login()
    game = argument("game", longest=2000)[:16]
    page = delivery_log.page(office(), account.id, game=game, older_than=number("older", 0))
    return render_template(
        "deliveries.html",
        section="games",
        page=replace(page, letters=tuple(map(_read_out, page.letters))),
        game_id=game,
        address=account.address,
        kind=lambda letter: kinds.title(letter.kind),
        fate=fate,
        older=url_for("deliveries.index", game=game or None, older=page.older) if page.older else "",
        newest=url_for("deliveries.index", game=game or None) if argument("older") else "",
        tested=tested,
        problem=problem,
    )


def latest(account_id: int) -> list[tuple[Delivery, Say, Say]]:
    page = delivery_log.page(office(), account_id, size=LATEST)
    return [(_read_out(letter), kinds.title(letter.kind), fate(letter)) for letter in page.letters]


def _read_out(letter: Delivery) -> Delivery:
    """With our own reason why it was not sent in the reader's language; what mail servers say stays as it is."""
    return replace(letter, answer=current().translate(letter.answer))


def fate(letter: Delivery) -> Say:
    match letter.status:
        case "sent":
            if letter.attempts < 2:
                return say("accepted")
            return count_say("accepted after {n} attempt", "accepted after {n} attempts", letter.attempts)
        case "failed":
            return say("given up")
        case "withdrawn":
            return say("not sent")
    return say("not accepted yet, will be tried again") if letter.attempts else say("waiting")
