"""Parts of many pages as markup: the log of what was played, which is kept, and a position in words."""

from collections.abc import Iterable

from flask import current_app, url_for
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from pbem.engine.position_text import spoken
from pbem.language import current
from pbem.views.games import MoveView, TableView
from pbem.web.base.context import context as of_request
from pbem.web.base.summaries import log_of, readable


@pass_context
def log(
    context: Context,
    game: TableView,
    moves: Iterable[MoveView],
    seat: str = "",
    new: bool = False,
    at: int = -1,
) -> Markup:
    """The lines of these orders as the player of a seat may read them; the line of ``at`` stands out, or with
    ``new`` all.

    Kept by everything that decides what it says: the language, the events (as they were read from the store), the
    names of people and places, who reads, and where the numbers lead.
    """
    orders = readable(game, moves, seat)
    step_to = context.get("step_to") or (lambda number: url_for("games.game", game_id=game.id, at=number))
    shown = at if any(order.number == at for order in orders) else -1
    said = tuple(
        (o.number, o.seat, o.turn, o.phase, o.cause, o.taken_back, repr(o.why), *map(id, o.events)) for o in orders
    )
    places = tuple(game.position.places.items()) if game.position else ()
    key = (
        current().code,
        game.sheet,
        places,
        tuple(game.names.items()),
        game.viewer,
        game.id,
        step_to(0),
        new,
        shown,
        said,
    )

    def written() -> tuple[Markup, tuple[MoveView, ...]]:
        lines = log_of(game, orders, seat)
        marked = next((line.number for line in lines if 0 <= shown <= line.number), -1)
        template = current_app.jinja_env.get_template("log.html")
        values = {"game": game, "voice": game.voice, "step_to": step_to, "new": new, "at": marked}
        return Markup(template.render(values, lines=lines)), orders  # nosec B704 # noqa: S704 - made by a template; orders keep the ids of their events

    return of_request().markup.get(key, written)[0]


def words(game: TableView, page: str = "") -> Markup:
    """The position in words, folded; ``page``: the address of the page in words."""
    parts = spoken(game.position.words, game.position_voice, game.names) if game.position else ()
    fold = current_app.jinja_env.get_template("words.html").render(parts=parts, page=page)
    return Markup(fold)  # nosec B704 # noqa: S704 - made by a template
