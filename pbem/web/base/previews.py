"""What other sites show beside a link that is passed on: a title, a sentence, the picture of a board (Open Graph).

Only what a page shows to everybody is in it, and no address with a token.
"""

from flask import url_for

from pbem.engine import Sheet, Value, say
from pbem.language.voice import spoken
from pbem.render import CARD
from pbem.web.base.context import office


class Preview(Value):
    """``picture``: its absolute address, ``alt``: what it shows. ``url``: that of the page, empty where it holds a
    token."""

    title: str
    text: str
    picture: str
    alt: str
    url: str = ""
    width: int = CARD[0]
    height: int = CARD[1]


def of_start(title: str, text: str, page: str) -> Preview:
    """The start page: a game of each family, late in play."""
    picture = url_for("static", filename="start-card.png")
    alt = say("Boards late in two games: Age of Steam on the Rust Belt, and Steam Power in Ireland.")
    return Preview(title, text, _whole(picture), spoken(alt), _whole(page))


def of_map(sheet: Sheet, title: str, text: str, page: str = "") -> Preview:
    """A page about a map, or a table at which it is to be played. ``page``: its address without the host."""
    picture = url_for("pictures.map_card", slug=sheet.slug)
    alt = say("Board of {sheet}, as it is dealt.", sheet=sheet.full_name)
    return Preview(title, text, _whole(picture), spoken(alt), _whole(page))


def of_game(sheet: Sheet, title: str, text: str, game_id: str, version: int) -> Preview:
    """The page of a game that is in public lists, at its latest position."""
    picture = url_for("pictures.card", game_id=game_id, at=version)
    alt = spoken(
        say("Board of {title}: {sheet}, after order {number}.", title=title, sheet=sheet.full_name, number=version)
    )
    return Preview(title, text, _whole(picture), alt, _whole(url_for("games.game", game_id=game_id)))


def _whole(address: str) -> str:
    """An address with the host under which the server is reached from outside."""
    return office().addresses.root + address if address else ""
