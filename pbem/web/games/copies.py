"""A finished game to take away: what can be made of it, how far that is, and the files."""

from pathlib import Path

from flask import Blueprint, Response, redirect, render_template, send_file, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine import say
from pbem.language import current
from pbem.service.archive import copies
from pbem.store.statuses import CopyKind
from pbem.web.base import clients
from pbem.web.base.context import look, now, office, own_form, reader
from pbem.web.base.forms import NO_BUTTON, BadForm, NotThere, field
from pbem.web.games.members import finished

pages = Blueprint("copies", __name__)

TYPES = {
    CopyKind.PAGE: "text/html",
    CopyKind.A5: "application/pdf",
    CopyKind.LETTER: "application/pdf",
    CopyKind.PICTURES: "application/zip",
    CopyKind.ANIMATION: "image/webp",
}
CLEAR = "-c"


@pages.get("/games/<game_id>/copies")
def index(game_id: str) -> str:
    view = finished(game_id)
    game = view.seen_by()
    there = {kind for kind in CopyKind if _made(game_id, kind) is not None}
    return render_template(
        "copies.html",
        section="archive",
        game=game,
        voice=game.voice,
        kinds=list(CopyKind),
        found=(found := copies.of_game(office(), game_id, form(), now())),
        there=there,
        working=any(not made.size and not made.failed for made in found.values()),
    )


@pages.post("/games/<game_id>/copies")
def make(game_id: str) -> AnyResponse:
    """Have a file made by a process that nobody waits for.

    Whoever may read the game may ask, also without a log-in: the file tells what the record of the game tells. A
    browser that is logged in asks with the mark of its forms, as everywhere.
    """
    if reader() is not None:
        own_form()
    finished(game_id)
    kind = _kind(field("kind"))
    if kind is None:
        raise BadForm(NO_BUTTON)
    copies.ask(office(), game_id, kind, form(), clients.client(), now())
    return redirect(url_for("copies.index", game_id=game_id), code=303)


@pages.get("/games/<game_id>/copies/<name>")
def file(game_id: str, name: str) -> Response:
    finished(game_id)
    kind = _kind(name)
    path = _made(game_id, kind) if kind is not None else None
    if kind is None or path is None:
        raise NotThere(say("This file is not made, or no longer kept."))
    answer = send_file(path.resolve(), mimetype=TYPES[kind], as_attachment=True, download_name=path.name)
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


@pages.get("/games/<game_id>/game.html")
def page(game_id: str) -> AnyResponse:
    """The game as one page: where it is not made yet it is asked for, and the page of files tells how far it is."""
    finished(game_id)
    if _made(game_id, CopyKind.PAGE) is not None:
        return file(game_id, CopyKind.PAGE)
    copies.ask(office(), game_id, CopyKind.PAGE, form(), clients.client(), now())
    return redirect(url_for("copies.index", game_id=game_id), code=303)


def form() -> str:
    """In which form files are made for who reads: the language, and colours that are told apart."""
    return f"{current().code}{CLEAR * look().clear}"


def _kind(text: str) -> CopyKind | None:
    return next((kind for kind in CopyKind if kind == text), None)


def _made(game_id: str, kind: CopyKind) -> Path | None:
    made = copies.of_game(office(), game_id, form(), now()).get(kind)
    path = copies.path_of(office(), game_id, copies.name_of(kind, form()))
    return path if made is not None and made.size and path.is_file() else None
