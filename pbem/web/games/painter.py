"""The page on which somebody draws a map: the board, the faults, the text. Only its owner comes here."""

import hashlib

from flask import Blueprint, Response, redirect, render_template, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine.sheet import Sheet
from pbem.render import map_png, thumb_png
from pbem.service import BadInput
from pbem.service.own_maps import drafts
from pbem.service.own_maps.drafts import Draft, Overtaken
from pbem.web.base.context import form_sender, now, office, reader_or_login
from pbem.web.base.forms import BadForm, field, named
from pbem.web.boards.pictures import Picture, as_seen, drawn_once, geometry_of, live_map, png, sample

pages = Blueprint("painter", __name__)


@pages.get("/maps/own/<key>")
def painter(key: str) -> str:
    return _page(drafts.read(office(), key, reader_or_login().id))


@pages.post("/maps/own/<key>")
def save(key: str) -> AnyResponse | tuple[str, int]:
    """Save what was typed; where another page has saved since, both texts come back."""
    account = form_sender()
    text = field("text", longest=drafts.LONGEST).replace("\r\n", "\n")
    try:
        drafts.save(office(), key, account.id, text, named("revision"), now())
    except BadInput as bad:
        raise BadForm(bad.sentence, text) from bad
    except Overtaken as other:
        page = render_template("painter_overtaken.html", section="maps", draft=other.draft, text=text)
        return page, 409
    return redirect(url_for("painter.painter", key=key), code=303)


@pages.get("/maps/own/<key>/board.png")
def board(key: str) -> Response:
    """The board as it was saved; a 404 where it has faults."""
    sheet, mark = _drawn(key)
    return png(drawn_once(("draft", mark), lambda: map_png(as_seen(sample(sheet)))))


@pages.get("/maps/own/<key>/board.svg")
def live(key: str) -> Response:
    sheet, mark = _drawn(key)
    return live_map(("draft", mark), lambda: sample(sheet))


@pages.get("/maps/own/<key>/thumb.png")
def thumb(key: str) -> Response:
    sheet, mark = _drawn(key)
    return png(drawn_once(("draft thumb", mark), lambda: thumb_png(sample(sheet))))


def _drawn(key: str) -> tuple[Sheet, str]:
    """The sheet of a draft, and what its picture is kept by."""
    draft = drafts.read(office(), key, reader_or_login().id)
    sheet = draft.checked.sheet
    if sheet is None:
        raise NotFound
    return sheet, hashlib.sha256(draft.text.encode()).hexdigest()


def _page(draft: Draft) -> str:
    checked = draft.checked
    picture = None
    if checked.sheet is not None:
        geometry = geometry_of(checked.sheet)
        at = {"key": draft.key, "r": draft.revision}
        live = url_for("painter.live", **at)  # type: ignore[arg-type] # a query
        picture = Picture(url_for("painter.board", **at), geometry.width, geometry.height, live)  # type: ignore[arg-type]
    return render_template(
        "painter.html", section="maps", draft=draft, checked=checked, picture=picture, longest=drafts.LONGEST
    )
