"""An own map on paper: sheets in the size of somebody's tiles, printed from the browser."""

from flask import Blueprint, Response, render_template
from werkzeug.exceptions import NotFound

from pbem.render import PAPERS, TILES, sheet_svg, sheets
from pbem.web.base.forms import argument, number
from pbem.web.boards.pictures import as_seen, sample, svg
from pbem.web.games.own_maps import version_of

pages = Blueprint("printing", __name__)

USUAL = 38
"""Millimetres from flat side to flat side of the tiles of the game."""


@pages.get("/maps/play/<key>/print")
def ask(key: str) -> str:
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
