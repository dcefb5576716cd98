"""Who runs this server and on which terms, what the program is, and whose names it uses."""

from functools import cache, lru_cache
from importlib import metadata

from flask import Blueprint, render_template
from markdown_it import MarkdownIt
from markupsafe import Markup
from werkzeug.exceptions import NotFound

import pbem
from pbem.engine import Value
from pbem.settings.settings import Settings
from pbem.web.base.context import office

pages = Blueprint("about", __name__)


class Operator(Value):
    """What the settings say of who runs the server; ``lacking``: variables that should say more."""

    name: str
    contact: str
    postal_address: str
    lacking: tuple[str, ...]

    @property
    def link(self) -> str:
        return self.contact if self.contact.startswith("https:") else f"mailto:{self.contact}"


def operator() -> Operator:
    known: Settings = office().settings
    lacking = tuple(name for name, value in known.said_of_operator.items() if not value)
    return Operator(known.operator_name, known.contact, known.postal_address, lacking)


@pages.get("/about")
def about() -> str:
    return render_template("about.html", operator=operator(), version=pbem.__version__, source=_source())


@pages.get("/names")
def names() -> str:
    return render_template("names.html", operator=operator())


@pages.get("/terms")
def terms() -> str:
    """The operator's own; without any there is no such page."""
    if not (text := office().settings.terms):
        raise NotFound
    return render_template("terms.html", operator=operator(), terms=_read(text))


@lru_cache(maxsize=2)
def _read(text: str) -> Markup:
    """Markdown as HTML: what of it is HTML or a picture stays text, and its headings stand below that of the page."""
    reader = MarkdownIt("commonmark", {"html": False}).disable("image")
    tokens = reader.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, 6)}"
    return Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704 # nosec B704 - escaped by its reader


@cache
def _source() -> str:
    """Where the source of this copy is published; empty where nobody told its build."""
    addresses = metadata.metadata("pbem").get_all("Project-URL") or []
    named = dict(address.split(", ", 1) for address in addresses)
    return str(named.get("Source", ""))
