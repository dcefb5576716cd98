"""Drafts of a build in addresses, and the position they would lead to as a picture."""

from __future__ import annotations

from dataclasses import replace

from werkzeug.exceptions import NotFound

from pbem.rails.scene import Scene
from pbem.service import Office, views
from pbem.views import GameView
from pbem.web.forms import ADDRESS, argument

Steps = tuple[str, ...]


def read_steps() -> Steps:
    """The steps the address of this request names."""
    return split(argument("steps", longest=ADDRESS))


def split(text: str) -> Steps:
    """The steps of a build as typed, with or without ``build`` before them."""
    words = text.strip()
    if words[:6].lower() == "build " or words.lower() == "build":
        words = words[6:]
    return tuple(step.strip() for step in words.replace("\n", ";").split(";") if step.strip())


def drawn(office: Office, game: GameView, steps: Steps, *, last_only: bool = False) -> Scene:
    """The position with the steps built and marked; with ``last_only`` only the last of them is marked.

    Without steps it is the position as every reader sees it. A 404 when nobody builds in this position.
    """
    if not steps:
        return views.scene(office, game)
    try:
        after = game.sheet.draft(game.state, steps).state
        before = game.sheet.draft(game.state, steps[:-1]).state if last_only else game.state
    except ValueError as error:
        raise NotFound from error
    marks = game.sheet.marks(before, after, ())
    scene: Scene = game.sheet.scene(
        after, subtitle=game.title, names=game.names, marks=replace(marks, cells=frozenset())
    )
    return scene
