"""A finished game to take away: what can be made of it, how far that is, and the files."""

from pathlib import Path

from flask import Blueprint, Response, redirect, render_template, send_file, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine.text import say
from pbem.service.archive import copies
from pbem.store.statuses import CopyKind
from pbem.web.base import clients
from pbem.web.base.context import now, office, own_form, reader
from pbem.web.base.forms import NO_BUTTON, BadForm, NotThere, field
from pbem.web.games.members import finished

pages = Blueprint("copies", __name__)

TYPES = {
    CopyKind.PICTURES: "application/zip",
    CopyKind.ANIMATION: "image/webp",
    CopyKind.STRIP: "application/pdf",
}


@pages.get("/games/<game_id>/copies")
def index(game_id: str) -> str:
    """What can be made, with how far it is; changes nothing."""
    view = finished(game_id)
    game = view.seen_by()
    found = copies.of_game(office(), game_id, now())
    there = {kind for kind, made in found.items() if made.size and _path(game_id, kind).is_file()}
    return render_template(
        "copies.html",
        section="archive",
        game=game,
        voice=game.voice,
        kinds=list(CopyKind),
        found=found,
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
    copies.ask(office(), game_id, kind, clients.client(), now())
    return redirect(url_for("copies.index", game_id=game_id), code=303)


@pages.get("/games/<game_id>/copies/<name>")
def file(game_id: str, name: str) -> Response:
    finished(game_id)
    kind = _kind(name)
    made = copies.of_game(office(), game_id, now()).get(kind) if kind is not None else None
    if kind is None or made is None or not made.size or not _path(game_id, kind).is_file():
        raise NotThere(say("This file is not made, or no longer kept."))
    path = _path(game_id, kind).resolve()
    answer = send_file(path, mimetype=TYPES[kind], as_attachment=True, download_name=path.name)
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _kind(text: str) -> CopyKind | None:
    return next((kind for kind in CopyKind if kind == text), None)


def _path(game_id: str, kind: CopyKind) -> Path:
    return copies.path_of(office(), game_id, kind)
