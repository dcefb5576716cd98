"""Style sheets: each page names the parts it needs, and gets them as one file that browsers may keep for ever."""

import hashlib
import re
from functools import lru_cache

from flask import Blueprint, Response, abort, url_for
from markupsafe import Markup

from pbem.settings.paths import templates_folder
from pbem.views.clear_colours import clear
from pbem.web.base.context import look

pages = Blueprint("styles", __name__)

EVERYWHERE = ("site", "marks")
PARTS = (
    *EVERYWHERE,
    "turn", "rows", "board", "pictures", "build", "boxes", "deliver", "cards", "plan", "lists", "maps", "tables",
    "painter", "balance", "guide", "words", "statistics", "replay", "review", "alone", "sheets", "start", "trial",
    "clear",
)  # fmt: skip
"""Names of files in ``templates/static``, in the order in which they are joined: of two alike the last wins."""
NEEDLESS = re.compile(r"""("[^"]*")|/\*.*?\*/|\s*([{};,>])\s*|(:)\s+|(\s)\s*""", re.DOTALL)
"""Comments, and white space that a browser does without; what stands in quotes is left alone."""


@lru_cache(maxsize=32)
def joined(parts: tuple[str, ...]) -> str:
    """The style sheet of these parts, without comments and needless white space; pages ask for about twenty."""
    folder = templates_folder() / "static"
    whole = "\n".join((folder / f"{part}.css").read_text("utf-8") for part in parts)
    return NEEDLESS.sub(lambda found: "".join(filter(None, found.groups())), whole).replace(";}", "}")


def link(needed: list[str]) -> Markup:
    """The link to the style sheet of a page that needs these parts beside those of every page.

    Raises ``ValueError`` for a part there is not.
    """
    if unknown := set(needed) - set(PARTS):
        raise ValueError(f"no such part of the style: {', '.join(sorted(unknown))}")
    parts = tuple(part for part in PARTS if part in EVERYWHERE or part in needed)
    version = hashlib.sha256(joined(parts).encode()).hexdigest()[:10]
    return Markup('<link rel="stylesheet" href="{}">').format(url_for("styles.sheet", parts="-".join(parts), v=version))


def as_seen(colour: str) -> str:
    return clear(colour) if look().clear else colour


@pages.get("/style/<parts>.css")
def sheet(parts: str) -> Response:
    """The parts with these names, joined by hyphens in the order in which they follow each other."""
    named = tuple(parts.split("-"))
    if named != tuple(part for part in PARTS if part in named):
        abort(404)
    return Response(joined(named), mimetype="text/css")
