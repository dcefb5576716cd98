"""What lets browsers install the site: its manifest, its sign, and the worker that keeps a page for when there is no
network."""

import hashlib
from collections.abc import Callable
from typing import Any, cast

from flask import Blueprint, Response, current_app, jsonify, render_template, url_for

from pbem.engine import say
from pbem.language import current
from pbem.language.voice import spoken
from pbem.settings.paths import templates_folder

pages = Blueprint("installing", __name__)

BAND, PAPER = "#24433c", "#f6f3ea"
"""``--band`` and ``--paper`` of the style sheet. The band is the same in the dark; a manifest has no dark paper."""
ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable-512.png", 512, "maskable"))
"""File, width and height in pixels, and whether a phone may cut it to its own shape; ``python -m tests.web.icons``."""
KEPT = ("static/worker.js", "static/site.css", "pages/offline.html")
"""What a browser is to fetch anew when one of them has changed."""
MANIFEST = "application/manifest+json"


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    static = cast("Callable[[str], str]", current_app.jinja_env.globals["static"])
    described: dict[str, Any] = {
        "id": "/",
        "name": "pbem",
        "short_name": "pbem",
        "description": spoken(say("Age of Steam and Steam Power by email")),
        "lang": current().code,
        "start_url": url_for("lobby.lobby"),
        "scope": "/",
        "display": "standalone",
        "theme_color": BAND,
        "background_color": PAPER,
        "icons": [
            {"src": static(name), "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}
            for name, side, purpose in ICONS
        ],
    }
    response = jsonify(described)
    response.mimetype = MANIFEST
    return response


@pages.get("/offline")
def offline() -> str:
    return render_template("offline.html")


@pages.get("/worker.js")
def worker() -> Response:
    """The script that keeps it; at the root, since a worker serves only what lies below its own address."""
    return Response((templates_folder() / "static" / "worker.js").read_bytes(), mimetype="text/javascript")


@pages.get("/favicon.ico")
def favicon() -> Response:
    response = Response((templates_folder() / "static" / "favicon.ico").read_bytes(), mimetype="image/x-icon")
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response


def worker_address() -> Callable[[], str]:
    """The address of the worker, another one for each language and whenever what it keeps has changed."""
    content = b"".join((templates_folder() / name).read_bytes() for name in KEPT)
    version = hashlib.sha256(content).hexdigest()[:10]
    return lambda: url_for("installing.worker", lang=current().code, v=version)
