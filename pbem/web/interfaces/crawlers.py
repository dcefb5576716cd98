"""What search engines and other programs that follow links are told: robots.txt and sitemap.xml."""

from flask import Blueprint, Response, render_template, url_for

from pbem.engine import catalog
from pbem.service.people import findable
from pbem.web.base.context import office

pages = Blueprint("crawlers", __name__)

PREVIEWS = ("facebookexternalhit", "Twitterbot", "LinkedInBot", "Slackbot", "Discordbot", "TelegramBot", "WhatsApp")
"""Programs that fetch the page of a link that somebody passes on, and its picture."""
KEPT = "public, max-age=3600"


@pages.get("/robots.txt")
def robots() -> Response:
    """Search engines stay away from games, where every move is a page and a picture, but for the pages of those that
    may be found; links with a token say noindex."""
    allowed = [f"Allow: {url_for('games.game', game_id=found.game)}$" for found in findable.games(office())]
    lines = [
        *(f"User-agent: {name}" for name in PREVIEWS),
        "Disallow:",
        "",
        "User-agent: *",
        *allowed,
        "Disallow: /games/",
        "",
        f"Sitemap: {office().addresses.root}{url_for('crawlers.sitemap')}",
    ]
    return _kept("\n".join([*lines, ""]), "text/plain")


@pages.get("/sitemap.xml")
def sitemap() -> Response:
    """The pages that search engines may find: start, maps, how to play, finished games whose players allow it."""
    fixed = [
        url_for("lobby.lobby"),
        url_for("maps.index"),
        url_for("how_to_play.index"),
        *(url_for("maps.map", slug=sheet.slug) for sheet in catalog.sheets()),
    ]
    games = [(url_for("games.game", game_id=found.game), found.ended_at) for found in findable.games(office())]
    return _kept(
        render_template("sitemap.xml", root=office().addresses.root, fixed=fixed, games=games), "application/xml"
    )


def _kept(text: str, kind: str) -> Response:
    response = Response(text, mimetype=kind)
    response.headers["Cache-Control"] = KEPT
    return response
