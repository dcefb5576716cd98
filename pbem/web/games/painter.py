"""The page on which somebody draws a map: the board, the faults, the rules, the text. Only its owner comes here."""

import hashlib
from typing import Any, Final

import msgspec
from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.exceptions import Conflict, NotFound
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine import Say, Sheet, Value, catalog, say
from pbem.engine.faults import Checked, Fault
from pbem.language.voice import spoken
from pbem.rails.board import SIGNS
from pbem.rails.drawing_text import BARE_KEYS, HEAD, MEANINGS, REMARKS
from pbem.rails.hexes import directions, letters, steps
from pbem.rails.sketch import ACROSS
from pbem.render import thumb_png
from pbem.service import BadInput
from pbem.service.base.rate_limits import MAP_CHECKS
from pbem.service.own_maps import drafts
from pbem.service.own_maps.drafts import Draft, Overtaken
from pbem.web.base import clients
from pbem.web.base.context import form_sender, now, office, reader_or_login
from pbem.web.base.forms import NO_BUTTON, BadForm, field, named
from pbem.web.boards.painted import FLAT, GRIDS, POINTY, PaintedBoard, shape
from pbem.web.boards.pictures import drawn_once, png, sample
from pbem.web.games.my_maps import play

pages = Blueprint("painter", __name__)

NEW_CITIES: Final = (
    ("A", "red", "L3"), ("B", "blue", "L4"), ("C", "black", "L5"), ("D", "black", "L6"),
    ("E", "yellow", "D1"), ("F", "purple", "D2"), ("G", "black", "D3"), ("H", "black", "D4"),
)  # fmt: skip
"""The tiles of the base game: letter, colour, column."""
FORM: Final = {
    "heads": HEAD,
    "signs": list(MEANINGS.items()),
    "remarks": {table: [line] for table, line in REMARKS.items()},
    "bare": BARE_KEYS,
    "lands": SIGNS,
    "letters": [[letter, {"colours": [colour], "columns": [column]}] for letter, colour, column in NEW_CITIES],
    "numbers": [*"012345"],
    "shapes": {
        way: {"grid": GRIDS[way], "points": shape(corners), "steps": steps(way), "sides": directions(way)}
        for way, corners in (("flat-top", FLAT), ("pointy-top", POINTY))
    },
    "lines": [letters(number) for number in range(2 * ACROSS)],
    "ways": {
        "ArrowUp": [[0, -2], [1, -1], [-1, -1]],
        "ArrowDown": [[0, 2], [-1, 1], [1, 1]],
        "ArrowLeft": [[-2, 0], [-1, 1], [-1, -1]],
        "ArrowRight": [[2, 0], [1, -1], [1, 1]],
    },
}
"""What the script of the painter knows of maps: how they are written, and how hexes lie."""

LOST = say("The rules cannot be written into this text without losing something of it. Put right its faults first.")


class Shrinking(Value):
    """A button that takes away what lies on the board, and waits for a second press: what that press sends as ``sure``,
    and what would be lost."""

    edit: str
    sure: str
    gone: tuple[str, ...]


@pages.get("/maps/own/<key>")
def painter(key: str) -> str:
    draft = drafts.read(office(), key, reader_or_login().id)
    return _page(draft, draft.text, draft.checked)


@pages.post("/maps/own/<key>")
def send(key: str) -> AnyResponse | tuple[str, int] | str:
    """Only check what was typed, or save it, and go on to its rules or to its page for players: ``do`` says which.
    ``edit`` is a button that changes the text before it is saved."""
    account, text = form_sender(), _typed()
    if edit := field("edit", default=""):
        found, gone = _edited(text, edit), catalog.lost_by(text, edit)
        if isinstance(found, Say):
            return _page(drafts.read(office(), key, account.id), text, drafts.check(text), found), 400
        if gone and field("sure", default="") != _sure(edit, gone):
            draft = drafts.read(office(), key, account.id)
            return _page(draft, text, drafts.check(text), shrinking=Shrinking(edit, _sure(edit, gone), gone)), 400
        text = found
    match field("do", default="save"):
        case "save" | "rules" | "play" as then:
            pass
        case "check":
            draft = drafts.read(office(), key, account.id)
            return _page(draft, text, drafts.check(text))
        case _:
            raise BadForm(NO_BUTTON)
    try:
        _saved(key, account.id, text)
    except Overtaken as other:
        return _overtaken(other, text)
    if then == "play":
        return play(key)
    return redirect(url_for("painter.rules" if then == "rules" else "painter.painter", key=key), code=303)


@pages.post("/maps/own/<key>/save")
def save(key: str) -> Response:
    """The same for the script: the new revision, or 409 where another page has saved since."""
    account = form_sender()
    try:
        revision = _saved(key, account.id, _typed())
    except Overtaken as other:
        raise Conflict from other
    return jsonify(revision=revision, said=spoken(say("Saved.")))


@pages.post("/maps/own/<key>/check")
def check(key: str) -> Response:
    """A text as the painter holds it, changed by a button if one was pressed, and what is wrong with it; nothing is
    saved."""
    account = form_sender()
    clients.use(office(), MAP_CHECKS, f"account:{account.id}", now())
    draft = drafts.read(office(), key, account.id)
    text, changed = _typed(), dict[str, str]()
    if edit := field("edit", default=""):
        found = _edited(text, edit)
        if isinstance(found, Say):
            return jsonify(said=spoken(found))
        gone = catalog.lost_by(text, edit)
        said = say("Changed. These went with the hexes: {things}. Undo brings them back.", things=", ".join(gone))
        text, changed = found, {"text": found, "said": spoken(said if gone else say("Changed."))}
    checked, model = drafts.check(text), catalog.painting(text)
    board = PaintedBoard(model, checked.faults) if model is not None else None
    return jsonify(
        faults=[_told(fault) for fault in checked.faults],
        hints=[_told(hint) for hint in checked.hints],
        model=msgspec.to_builtins(model) if model is not None and model.whole else None,
        form=FORM,
        parts={
            "#over": render_template("painter_over.html", board=board) if board is not None else "",
            "#faults": render_template("painter_faults.html", draft=draft, checked=checked, model=model),
            "#ways": render_template("painter_ways.html", ways=catalog.ways(text)),
        },
        **changed,
    )


@pages.get("/maps/own/<key>/board.toml")
def file(key: str) -> Response:
    draft = drafts.read(office(), key, reader_or_login().id)
    answer = Response(draft.text, mimetype="text/plain")
    answer.headers["Content-Disposition"] = 'attachment; filename="board.toml"'
    return answer


@pages.get("/maps/own/<key>/rules")
def rules(key: str) -> str:
    return _rules(drafts.read(office(), key, reader_or_login().id))


@pages.post("/maps/own/<key>/rules")
def change_rules(key: str) -> AnyResponse | tuple[str, int]:
    """Write the rules that the fields say into the text."""
    account = form_sender()
    draft = drafts.read(office(), key, account.id)
    form = {name: field(name) for name in request.form if name not in ("mark", "revision")}
    text = catalog.with_rules(draft.text, form)
    if text is None:
        raise BadForm(LOST)
    try:
        _saved(key, account.id, text)
    except Overtaken as other:
        return _overtaken(other, text)
    return redirect(url_for("painter.rules", key=key), code=303)


@pages.get("/maps/own/<key>/ways")
def ways(key: str) -> str:
    """Links, rivers, closed sides and terminals as fields, for browsers without a script."""
    return _ways(drafts.read(office(), key, reader_or_login().id))


@pages.post("/maps/own/<key>/ways")
def change_ways(key: str) -> AnyResponse | tuple[str, int]:
    """Write what these fields say into the text."""
    account = form_sender()
    draft = drafts.read(office(), key, account.id)
    text = _edited(draft.text, field("edit"))
    if isinstance(text, Say):
        return _ways(draft, text), 400
    try:
        _saved(key, account.id, text)
    except Overtaken as other:
        return _overtaken(other, text)
    return redirect(url_for("painter.ways", key=key), code=303)


def _ways(draft: Draft, problem: Say | None = None) -> str:
    values = {"checked": draft.checked, "ways": catalog.ways(draft.text), "problem": problem}
    return render_template("painter_ways_alone.html", section="maps", draft=draft, **values)


def _typed() -> str:
    return field("text", longest=drafts.LONGEST).replace("\r\n", "\n")


def _edited(text: str, edit: str) -> str | Say:
    """The text as a button changes it, or why it cannot."""
    found: str | Say | None = catalog.edited(text, edit, request.form)
    if found is None:
        raise BadForm(NO_BUTTON)
    return found


def _sure(edit: str, gone: tuple[str, ...]) -> str:
    """The mark of what was told to be lost."""
    return hashlib.sha256(repr((edit, gone)).encode("utf-8", "replace")).hexdigest()[:12]


def _saved(key: str, account: int, text: str) -> int:
    try:
        return drafts.save(office(), key, account, text, named("revision"), now())
    except BadInput as bad:
        raise BadForm(bad.sentence, text) from bad


def _overtaken(other: Overtaken, text: str) -> tuple[str, int]:
    return render_template("painter_overtaken.html", section="maps", draft=other.draft, text=text), 409


def _told(fault: Fault) -> dict[str, str | None]:
    return {"hex": fault.hex, "sentence": spoken(fault.sentence)}


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


def _page(
    draft: Draft, text: str, checked: Checked, problem: Say | None = None, shrinking: Shrinking | None = None
) -> str:
    """The page with a text, which may be another than the one that is saved; ``problem``: why a button did nothing;
    ``shrinking``: what one asks before it does."""
    model: Any = catalog.painting(text)
    board = PaintedBoard(model, checked.faults) if model is not None and model.hexes else None
    told = checked.sheet.rule_texts() if checked.sheet is not None else ()
    return render_template(
        "painter.html",
        section="maps",
        draft=draft,
        text=text,
        checked=checked,
        problem=problem,
        shrinking=shrinking,
        model=model,
        board=board,
        told=told,
        sides=directions(model.head["orientation"]) if model is not None else directions("flat-top"),
        new_cities=NEW_CITIES,
        longest=drafts.LONGEST,
    )


def _rules(draft: Draft) -> str:
    return render_template(
        "painter_rules.html", section="maps", draft=draft, checked=draft.checked, rules=catalog.rule_fields(draft.text)
    )
