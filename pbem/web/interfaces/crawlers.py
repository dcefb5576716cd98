"""What programs are told that ask without having read a page: robots.txt, sitemap.xml, and security.txt, where people
find whom to tell of a weakness."""

from datetime import UTC, datetime, time, timedelta

from flask import Blueprint, Response, render_template, url_for
from werkzeug.exceptions import NotFound

from pbem.engine import catalog
from pbem.service.people import findable
from pbem.web.base.context import now, office

pages = Blueprint("crawlers", __name__)

PREVIEWS = ("facebookexternalhit", "Twitterbot", "LinkedInBot", "Slackbot", "Discordbot", "TelegramBot", "WhatsApp")
"""Programs that fetch the page of a link that somebody passes on, and its picture."""
KEPT = "public, max-age=3600"
SECURITY_TXT_HOLDS = timedelta(days=180)
"""RFC 9116 recommends less than a year."""


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
    fixed = [
        url_for("lobby.lobby"),
        url_for("maps.index"),
        url_for("how_to_play.index"),
        url_for("about.about"),
        url_for("about.names"),
        url_for("privacy.privacy"),
        *(url_for("maps.map", slug=sheet.slug) for sheet in catalog.sheets()),
    ]
    games = [(url_for("games.game", game_id=found.game), found.ended_at) for found in findable.games(office())]
    return _kept(
        render_template("sitemap.xml", root=office().addresses.root, fixed=fixed, games=games), "application/xml"
    )


@pages.get("/.well-known/security.txt")
def security() -> Response:
    """As RFC 9116 asks: only by https, and only with a contact."""
    settings = office().settings
    if not (settings.contact and settings.public_url.startswith("https:")):
        raise NotFound
    ends = datetime.combine(now().date(), time(), UTC) + SECURITY_TXT_HOLDS
    lines = [
        f"Contact: {settings.contact if settings.contact.startswith('https:') else f'mailto:{settings.contact}'}",
        f"Expires: {ends:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {office().addresses.root}{url_for('crawlers.security')}",
    ]
    return _kept("\n".join([*lines, ""]), "text/plain")


def _kept(text: str, kind: str) -> Response:
    response = Response(text, mimetype=kind)
    response.headers["Cache-Control"] = KEPT
    return response
