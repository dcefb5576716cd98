"""The pages of rulings, one for each game, and links to them from wherever a refusal cites one."""

import re

from flask import Blueprint, render_template, url_for
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from werkzeug.exceptions import NotFound

from pbem.engine import Sheet, catalog
from pbem.language import current, rulings
from pbem.web.games import how_to_play

pages = Blueprint("rulings", __name__, url_prefix="/rulings")

_MARKED = re.compile(rf"`([^`]+)`|\*([^*]+)\*|(?<![-\w])({rulings.NUMBER})\b")
"""What stands out in the text of a ruling: something to be typed, a heading of the rulebook, another ruling."""


@pages.get("/<game>")
def page(game: str) -> str:
    if not rulings.sections(game):
        raise NotFound
    return render_template(
        "rulings.html",
        game_slug=game,
        title=_name(game),
        sections=rulings.sections(game),
        guide=url_for("how_to_play.guide", game=game) if game in how_to_play.games() else "",
        others=[(other, _name(other)) for other in rulings.PAGES if other != game],
    )


def _name(game: str) -> str:
    return next(sheet.game_name for sheet in catalog.sheets() if sheet.game == game)


@pass_context
def cited(context: Context, sentence: str) -> str:
    """The filter ``cited``: the sentence of a refusal, its ruling a link to where that is said."""
    game, safe = context.get("game"), escape(sentence)
    parts = rulings.cited(game.sheet.game, safe) if game else None
    if parts is None:
        return safe
    before, number, after = parts
    address = url_for("rulings.page", game=game.sheet.game, _anchor=number)
    return Markup('{}<a href="{}">{}</a>{}').format(before, address, number, after)


def home(game: str = "") -> str:
    """The address of the rulings of a game; of the first one that has any, where this has none."""
    return url_for("rulings.page", game=game if game in rulings.PAGES else next(iter(rulings.PAGES)))


def about(sheet: Sheet, topic: str = "") -> list[tuple[str, str]]:
    """Titles and addresses of the rulings about a phase of a game and about its map; all of them where none fit."""
    known = rulings.sections(sheet.game)
    fitting = [section for section in known if section.anchor == topic]
    fitting += [
        section for section in known if sheet.name == section.title or sheet.name.startswith(f"{section.title},")
    ]
    if topic and not fitting:
        fitting = [section for section in known if section.heads == ("decided",)]
    return [
        (current().translate(found.title), url_for("rulings.page", game=sheet.game, _anchor=found.anchor))
        for found in fitting
    ]


def marked(text: str, game: str) -> Markup:
    """The filter ``marked``: the text of a ruling in the reader's language, with links to others of the same page."""
    text = current().translate(text)

    def mark(found: re.Match[str]) -> str:
        typed, heading, number = (str(escape(part)) if part else "" for part in found.groups())
        if typed:
            return f"<code>{typed}</code>"
        if heading:
            return f"<em>{heading}</em>"
        return f'<a href="#{number}">{number}</a>' if number in rulings.numbers(game) else number

    pieces, at = list[str](), 0
    for found in _MARKED.finditer(text):
        pieces += (str(escape(text[at : found.start()])), mark(found))
        at = found.end()
    return Markup("".join((*pieces, str(escape(text[at:])))))  # nosec B704 # noqa: S704 - each piece is escaped
