"""Drafts of a build in addresses, and the position they would lead to as a picture."""

from werkzeug.exceptions import NotFound

from pbem.engine import replace
from pbem.language.voice import READER
from pbem.rails.builder import builder_of
from pbem.rails.scene import Marks, Scene
from pbem.rails.track import Piece
from pbem.service.games import views
from pbem.views.games import GameView
from pbem.web.base.forms import ADDRESS, argument

Steps = tuple[str, ...]

MOMENT = 60
"""The longest name of a moment with a seat, in an address."""


def read_steps() -> Steps:
    return split(argument("steps", longest=ADDRESS))


def split(text: str) -> Steps:
    """The steps of a build as typed, with or without ``build`` before them."""
    words = text.strip()
    if words[:6].lower() == "build " or words.lower() == "build":
        words = words[6:]
    return tuple(step.strip() for step in words.replace("\n", ";").split(";") if step.strip())


def built(game: GameView, steps: Steps) -> Scene:
    """The position with the steps built and marked, each with its number. A 404 when nobody builds in it."""
    try:
        draft = builder_of(game.sheet).draft(game.state, steps)
    except ValueError as error:
        raise NotFound from error
    before: Scene = game.sheet.scene(game.state)
    after: Scene = game.sheet.scene(draft.state, subtitle=game.title, names=game.names, voice=READER)
    return views.marked(game, replace(after, marks=_changes(before, after, steps)))


def asked_ahead(game: GameView, seat: str, moment: str) -> GameView | None:
    """The game as if a seat were asked now for a moment to come (:meth:`pbem.engine.sheet.Sheet.asked_ahead`)."""
    if seat not in game.names:
        return None
    state = game.sheet.asked_ahead(game.state, seat, moment)
    return None if state is None else replace(game, state=state, waiting_for=seat, waiting_since=None, deadline=None)


def _changes(before: Scene, after: Scene, steps: Steps) -> Marks:
    """The new track of every hex in the order of the steps, and a New City."""
    cities = {city.label for city in before.cities}
    laid = {
        label: tuple(Piece(label, s.a, s.b) for s in segments if s not in before.track.get(label, ()))
        for label, segments in after.track.items()
    }
    order = {step.split()[0].upper(): at for at, step in reversed(list(enumerate(steps)))}
    numbered = sorted((label for label, pieces in laid.items() if pieces), key=lambda label: order.get(label, 0))
    return Marks(
        laid=tuple(laid[label] for label in numbered),
        new_city=next((city.label for city in after.cities if city.label not in cities), ""),
    )
