"""The maps: boards, numbered rules, where they come from."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, url_for

from pbem import catalog
from pbem.rails.names import folded
from pbem.web.boards.pictures import Picture, geometry_of, sample, sheet_of

pages = Blueprint("maps", __name__)


@pages.get("/maps")
def index() -> str:
    """All maps."""
    return render_template("maps.html", section="maps", sheets=catalog.sheets())


@pages.get("/maps/<slug>")
def map(slug: str) -> str:
    """One map."""
    sheet = sheet_of(slug)
    board = sample(sheet).board
    geometry = geometry_of(sheet)
    return render_template(
        "map.html",
        section="maps",
        sheet=sheet,
        picture=Picture(
            url_for("pictures.printed", slug=slug),
            geometry.width,
            geometry.height,
            url_for("pictures.live_printed", slug=slug),
        ),
        rules=sheet.rule_texts(),
        cities=sorted(board.cities.values(), key=lambda city: folded(city.name)),
        printed=any(city.colours or city.columns or city.cubes for city in board.cities.values()),
        ends=sheet.ends(),
        towns=sorted(board.towns.items(), key=lambda town: folded(town[1])),
        designer=board.designer,
    )


@pages.get("/robots.txt")
def robots() -> Response:
    """Search engines stay away from games, where every move is a page and a picture; links with a token say noindex."""
    return Response("User-agent: *\nDisallow: /games/\n", mimetype="text/plain")
