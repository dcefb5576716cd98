"""My maps: what somebody draws, how it stands, and how a new one begins."""

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from pbem.engine import catalog, say
from pbem.language.voice import spoken
from pbem.rails.sketch import SIZES
from pbem.service import BadInput, NotNow, Problem
from pbem.service.base import validation
from pbem.service.own_maps import beginnings, drafts, versions
from pbem.store.statuses import MapStatus
from pbem.web.base.context import form_sender, now, office, reader_or_login
from pbem.web.base.forms import NO_BUTTON, BadForm, field, printable

pages = Blueprint("my_maps", __name__)

SIZE = {"name": "", "columns": "9", "rows": "10", "orientation": "flat-top"}
"""What the form of an empty map says at first."""
STATES = {
    MapStatus.DRAFT: say("Draft"),
    MapStatus.PLAYTEST: say("Played by link"),
    MapStatus.PUBLISHED: say("Published"),
    MapStatus.WITHDRAWN: say("Withdrawn"),
}


@pages.get("/maps/own")
def index() -> str:
    return _index(reader_or_login().id, SIZE)


@pages.post("/maps/own")
def begin() -> Response | tuple[str, int]:
    account = form_sender()
    typed = {name: field(name, default=first) for name, first in SIZE.items()}
    how, origin = field("how"), ""
    try:
        match how:
            case "empty":
                text = _empty(typed, account.name)
            case "copy":
                origin = field("map")
                text = _printed(origin)
            case "own":
                text, origin = _other(field("map"))
            case "file":
                text = _file()
            case _:
                raise BadForm(NO_BUTTON)
        key = drafts.begin(office(), account.id, text, now(), origin)
    except BadInput as bad:
        return _index(account.id, typed, bad.problems), 400
    except NotNow as full:
        return _index(account.id, typed, (Problem("", full.sentence),)), 409
    return redirect(url_for("painter.painter", key=key), code=303)


def _empty(typed: dict[str, str], designer: str) -> str:
    name = validation.one_line(typed["name"])
    if (wrong := validation.name_problem(name)) is not None:
        raise BadInput(Problem("name", wrong))
    columns, rows = (int(typed[side]) if typed[side].isdecimal() else 0 for side in ("columns", "rows"))
    provenance = spoken(say("Own design of {name}.", name=designer))
    return beginnings.empty(name, designer, provenance, columns, rows, typed["orientation"])


def _printed(slug: str) -> str:
    if slug not in catalog.drawings():
        raise BadInput(Problem("map", say("Choose the map that you want to copy.")))
    return catalog.drawings()[slug]


def _other(slug: str) -> tuple[str, str]:
    """The text of a version that this reader may see, and the key of its map. Raises :class:`NoSuch`."""
    version = versions.of_slug(office(), slug)
    if version.status == MapStatus.WITHDRAWN:
        raise NotNow(versions.WITHDRAWN)
    return version.sheet.drawing, version.key


def _file() -> str:
    sent = request.files.get("file")
    try:
        text = sent.read().decode("utf-8-sig").replace("\r\n", "\n") if sent is not None else ""
    except UnicodeDecodeError:
        text = ""
    if not text.strip() or not printable(text):
        raise BadInput(Problem("file", say("Choose a board.toml. What you sent is no text.")))
    return text


@pages.get("/maps/own/<key>/delete")
def ask(key: str) -> str:
    return render_template("my_map_delete.html", section="maps", draft=drafts.read(office(), key, reader_or_login().id))


@pages.post("/maps/own/<key>/delete")
def delete(key: str) -> Response:
    drafts.delete(office(), key, form_sender().id, now())
    return redirect(url_for("my_maps.index"), code=303)


@pages.post("/maps/own/<key>/play")
def play(key: str) -> Response:
    made = versions.make(office(), key, form_sender().id, now())
    return redirect(url_for("own_maps.own_map", key=key, version=made.number), code=303)


def _index(account_id: int, typed: dict[str, str], problems: tuple[Problem, ...] = ()) -> str:
    own = drafts.of_account(office(), account_id)
    return render_template(
        "my_maps.html",
        section="maps",
        maps=[(draft, draft.checked, STATES[draft.status]) for draft in own],
        most=drafts.MOST,
        draws=office().settings.own_maps != "off",
        copied=[(slug, catalog.sheet(catalog.GAME_OF_DRAWINGS, slug).name) for slug in catalog.drawings()],
        typed=typed,
        sizes=SIZES,
        problems={problem.field: problem.sentence for problem in problems},
    )
