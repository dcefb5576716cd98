"""Pages of maps that people draw, for those who play on them: the page of a map, its file, its sheets to print."""

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine import Say, say
from pbem.render import PAPERS, TILES, sheet_svg, sheets
from pbem.robot.balance.figures import figures
from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.own_maps import likes, listing, reports, states, versions
from pbem.service.own_maps.versions import Version
from pbem.store.statuses import MapStatus, TrialStatus
from pbem.web.base.context import form_sender, now, office, reader, reader_or_login
from pbem.web.base.forms import NO_BUTTON, BadForm, argument, field, named, number
from pbem.web.boards import maps
from pbem.web.boards.pictures import as_seen, sample, svg

pages = Blueprint("own_maps", __name__)

RELOADED = 5
"""Seconds until the page of a map is loaded anew that robots try."""


@pages.get("/maps/play/<key>")
def own_map(key: str) -> Response:
    """The page of a map: its version that is published, else the newest; ``version`` in the address: another one."""
    shown, account = version_of(key), reader()
    report = reports.seen_by(office(), shown, account.id if account is not None else None)
    withdrawn = states.withdrawn(office(), key)
    values: dict[str, Any] = {
        "tried": figures(report.games) if report is not None and report.games and not report.open else None,
        "mine": account is not None and account.id == shown.owner,
        "reason": withdrawn.reason,
        "answer": withdrawn.answer,
        "likes": listing.likes(office(), key),
        "publishes": states.is_on(office()),
        "longest": states.LONGEST,
        "told": argument("told") == "1",
    }
    response = make_response(maps.page(shown.sheet, own=shown, play=True, hidden=True, **values))
    if shown.trial == TrialStatus.WAITING:
        response.headers["Refresh"] = str(RELOADED)
    return response


@pages.get("/maps/play/<key>/board.toml")
def file(key: str) -> Response:
    response = Response(version_of(key).sheet.drawing, mimetype="text/plain")
    response.headers["Content-Disposition"] = 'attachment; filename="board.toml"'
    return response


BOXES = ("mine", "free", "goes")
"""What whoever publishes a map agrees to."""


@pages.get("/maps/play/<key>/publish")
def ask(key: str) -> str:
    return _ask(_owned(key))


@pages.post("/maps/play/<key>/publish")
def publish(key: str) -> AnyResponse | tuple[str, int]:
    account = form_sender()
    ticked = [box for box in BOXES if field(box, default="") == "1"]
    if len(ticked) < len(BOXES):
        return _ask(_owned(key), ticked, say("Tick all three boxes, if that is how it is.")), 400
    try:
        states.publish(office(), key, account.id, named("number"), now())
    except NotNow as refused:
        return _ask(_owned(key), ticked, refused.sentence), 409
    return redirect(url_for("own_maps.own_map", key=key), code=303)


@pages.post("/maps/play/<key>")
def act(key: str) -> AnyResponse:
    """Withdraw a map, put it back or answer the operator, by its owner; by anybody else who is logged in: tell the
    operator of it, and say whether they like it once they have finished a game on it."""
    account, desk = form_sender(), office()
    match field("do"):
        case "withdraw":
            states.withdraw(desk, key, account.id, now())
        case "back":
            states.put_back(desk, key, account.id, now())
        case "like" | "dislike" as said:
            likes.say_so(desk, key, account.id, now(), liked=said == "like")
            if game := field("game", default=""):
                return redirect(url_for("games.game", game_id=game, _anchor="like"), code=303)
        case "answer":
            words = field("words", longest=20_000, default="")
            try:
                states.answer(desk, key, account.id, words, now())
            except BadInput as bad:
                raise BadForm(bad.sentence, words) from bad
        case "report":
            version_of(key)
            words = field("words", longest=20_000, default="")
            try:
                states.complain(desk, key, account.id, words, now())
            except BadInput as bad:
                raise BadForm(bad.sentence, words) from bad
            return redirect(url_for("own_maps.own_map", key=key, told=1), code=303)
        case _:
            raise BadForm(NO_BUTTON)
    return redirect(url_for("own_maps.own_map", key=key), code=303)


def _owned(key: str) -> Version:
    shown, account = version_of(key), reader_or_login()
    if shown.owner != account.id:
        raise NoSuch(f"There is no map {key} of account {account.id}.")
    return shown


def _ask(shown: Version, ticked: list[str] | None = None, problem: Say | None = None) -> str:
    return render_template("own_map_publish.html", section="maps", own=shown, ticked=ticked or (), problem=problem)


def version_of(key: str) -> Version:
    """Raises :class:`NoSuch` for a map that nobody has let others see, or that this reader cannot see any more."""
    every = versions.of_map(office(), key)
    wanted, account = number("version", 0), reader()
    own = bool(every) and account is not None and every[0].owner == account.id
    if not every or (every[0].status == MapStatus.WITHDRAWN and not own):
        raise NoSuch(f"There is no map {key} to play.")
    published = [version for version in every if version.published]
    return next((version for version in every if version.number == wanted), (published or every)[0])


USUAL = 38
"""Millimetres from flat side to flat side of the tiles of the game."""


@pages.get("/maps/play/<key>/print")
def paper(key: str) -> str:
    own = version_of(key)
    tile, paper = _wanted()
    return render_template(
        "own_map_print.html",
        section="maps",
        own=own,
        tile=tile,
        tiles=TILES,
        paper=paper,
        cut=sheets(sample(own.sheet), tile, paper),
    )


@pages.get("/maps/play/<key>/sheet-<int:nth>.svg")
def sheet(key: str, nth: int) -> Response:
    """One of the sheets, counted from 1."""
    own, (tile, paper) = version_of(key), _wanted()
    scene = sample(own.sheet)
    if not 1 <= nth <= sheets(scene, tile, paper).number:
        raise NotFound
    return svg(("sheet", own.slug, tile, paper, nth), lambda: sheet_svg(as_seen(scene), tile, paper, nth - 1))


def _wanted() -> tuple[int, str]:
    tile, paper = number("tile", USUAL), argument("paper")
    return min(max(tile, TILES[0]), TILES[-1]), paper if paper in PAPERS else "a4"
