"""The list of finished games."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, url_for

from pbem import catalog
from pbem.service.reading import archive
from pbem.web.base import summaries
from pbem.web.base.context import office
from pbem.web.base.forms import argument

pages = Blueprint("archive", __name__)


@dataclass(frozen=True, slots=True)
class Wish:
    """The filter in the address."""

    q: str
    map: str


@pages.get("/archive")
def index() -> str:
    """Finished games, latest first, page by page."""
    wish = Wish(argument("q").strip(), argument("map"))
    older_than = argument("older")
    page = archive.page(office(), older_than=older_than, map=wish.map, text=wish.q)
    return render_template(
        "archive.html",
        section="archive",
        wish=wish,
        page=page,
        sheets=catalog.sheets(),
        summary=summaries.line_words,
        results=summaries.results,
        first_page=_address(wish, "") if older_than else "",
        older=_address(wish, page.older) if page.older else "",
    )


def _address(wish: Wish, older: str) -> str:
    return url_for("archive.index", q=wish.q or None, map=wish.map or None, older=older or None)
