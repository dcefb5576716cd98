"""Unsubscribing from letters, and reading them here while no mail server is set."""

from collections.abc import Sequence
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from msgspec import structs
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from pbem.engine import Say, Value, say
from pbem.language.voice import spoken
from pbem.service.base import merged
from pbem.service.base.tokens import UnsubscribeClaim
from pbem.service.letters import kinds
from pbem.service.people import accounts, notifications
from pbem.web.base import forms, headers
from pbem.web.base.context import now, office, read_as_account, reads_outbox, remember_outbox
from pbem.web.base.forms import BadForm, NotAllowed, field

pages = Blueprint("letters", __name__)

LISTED = 100
KEY = "key"
MAIL_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; sandbox allow-popups"
)
"""For the HTML part of a letter, which carries its own style sheet and nothing that runs."""
ELSEWHERE = say(
    "You can read unsent emails only in a browser on the server machine itself, at an address that begins "
    "with http://127.0.0.1, or at the address that pbem serve prints when it starts. To have them sent, set "
    "PBEM_SMTP_URL."
)
STOPPED = say("You no longer get these emails")
FEWER = {
    "digest": (
        say("Questions of this game once a day, with those of other games"),
        say("Questions of this game now come once a day"),
    ),
    "mute": (
        say("Questions of this game only when the last day of my time begins"),
        say("This game is muted: it sends a question only when the last day of your time begins"),
    ),
}
"""How questions of a game can come more rarely: what the page offers, and what it says when it is done."""


class Letter(Value):
    name: str
    subject: str
    to: str
    sender: str
    written: datetime
    html: bool


@pages.get("/u/<token>")
def unsubscribe(token: str) -> str:
    return _stopping(token, _read_claim(token))


@pages.post("/u/<token>")
def stop(token: str) -> str:
    """Stop letters or send them again. A mail program's one-click request (RFC 8058) stops this kind of letter."""
    claim = _read_claim(token)
    if "List-Unsubscribe" in request.form:
        accounts.stop_at_once(office(), claim, now())
        return _stopping(token, claim, STOPPED)
    match field("do", default="stop"):
        case "stop" if (wish := field("scope")) in FEWER:
            notifications.differ(office(), claim.account, claim.game, wish)
            return _stopping(token, claim, FEWER[wish][1])
        case "stop":
            accounts.stop_mail(office(), claim, field("scope"), now())
            return _stopping(token, claim, STOPPED)
        case "resume":
            accounts.resume_mail(office(), claim)
            if _plays(claim):
                notifications.differ(office(), claim.account, claim.game, "")
            return _stopping(token, claim, say("You get these emails again"))
    raise BadForm(say("Choose “stop” or “resume”."))


@pages.get("/outbox")
def outbox() -> str | BaseResponse:
    """The letters that are kept here while no mail server is set, newest first. A ``key`` is kept by the browser."""
    key = forms.argument(KEY)
    if not office().settings.smtp_url and office().tokens.sealed(key, "outbox"):
        response = redirect(url_for("letters.outbox"))
        remember_outbox(response, key)
        return response
    files = sorted(_folder().glob("*.eml"), key=lambda path: path.stat().st_mtime, reverse=True)
    letters = [_letter(path, _read(path)) for path in files[:LISTED]]
    return render_template("outbox.html", letters=letters, hidden=max(0, len(files) - LISTED))


@pages.get("/outbox/<name>")
def one(name: str) -> str:
    path = _file(name)
    message = _read(path)
    return render_template("outbox_letter.html", letter=_letter(path, message), lines=_text(message).splitlines())


@pages.get("/outbox/<name>/html")
def html(name: str) -> Response:
    message = _read(_file(name))
    part = message.get_body(("html",))
    if part is None:
        raise NotFound
    headers.policy(MAIL_POLICY)
    return make_response(_with_pictures(message, str(part.get_content())))


@pages.get("/outbox/<name>/source")
def source(name: str) -> Response:
    response = make_response(_file(name).read_bytes())
    response.mimetype = "message/rfc822"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.eml"'
    return response


def _stopping(token: str, claim: UnsubscribeClaim, done: Say | None = None) -> str:
    read_as_account(merged.meant(office(), claim.account))
    scopes = [(wish, words) for wish, (words, _) in FEWER.items()] if _plays(claim) else []
    scopes += [("game", say("No emails of this game"))] if claim.game else []
    scopes += [
        ("kind", say("No emails of this kind ({kind}), in whichever game", kind=kinds.title(claim.kind))),
        ("all", say("No emails at all, except those I ask for")),
    ]
    stopped = accounts.mail_stopped(office(), claim)
    return render_template("unsubscribe.html", private=True, token=token, scopes=scopes, stopped=stopped, done=done)


def _read_claim(token: str) -> UnsubscribeClaim:
    """What the link is about; its account is the one that it may have been merged into."""
    claim = office().tokens.read(UnsubscribeClaim, token)
    return structs.replace(claim, account=merged.meant(office(), claim.account))


def _plays(claim: UnsubscribeClaim) -> bool:
    """Whether the reader of the letter has a seat in its game, whose questions can come more rarely."""
    return any(line.game == claim.game for line in notifications.games(office(), claim.account))


def _folder() -> Path:
    """The outbox; a 404 when letters go to a mail server, a 403 for whoever may not read it.

    Whoever reads the letters can answer for everybody.
    """
    if office().settings.smtp_url:
        raise NotFound
    if not reads_outbox():
        raise NotAllowed(ELSEWHERE)
    return office().settings.outbox_dir


def _file(name: str) -> Path:
    """The file of a letter; only names that stand in the folder are looked at."""
    for path in _folder().glob("*.eml"):
        if path.stem == name:
            return path
    raise NotFound


def _read(path: Path) -> EmailMessage:
    with path.open("rb") as file:
        return BytesParser(policy=policy.default).parse(file)


def _letter(path: Path, message: EmailMessage) -> Letter:
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    words = {name: str(message[name] or "") for name in ("Subject", "To", "From")}
    has_html = message.get_body(("html",)) is not None
    return Letter(
        path.stem, words["Subject"] or spoken(say("(no subject)")), words["To"], words["From"], written, has_html
    )


def _text(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    return "" if part is None else str(part.get_content())


def _with_pictures(message: EmailMessage, page: str) -> str:
    for part in _pictures(message):
        name = str(part["Content-ID"] or "").strip("<>")
        data = "".join(str(part.get_payload()).split())
        page = page.replace(f"cid:{name}", f"data:{part.get_content_type()};base64,{data}")
    return page


def _pictures(message: EmailMessage) -> Sequence[EmailMessage]:
    parts = [part for part in message.walk() if part.get_content_maintype() == "image"]
    return [part for part in parts if isinstance(part, EmailMessage) and part["Content-Transfer-Encoding"] == "base64"]
