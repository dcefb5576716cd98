"""The boards of letters: drawn once for all who are told of the same position in the same language, with labels of
hexes or without. For those who want other colours, these are exchanged in what was drawn."""

from collections import OrderedDict
from typing import Any

from pbem import render
from pbem.engine import replace
from pbem.language import reading
from pbem.service.games import views
from pbem.service.letter_views.correspondence import Draft
from pbem.service.letters import kinds
from pbem.views.games import GameView

KEPT = 10
"""Games whose last picture is kept in a language, a third of a megabyte each: what waits to be sent about one position
is sent within minutes."""

Facts = tuple[Any, ...]
_kept: OrderedDict[tuple[str, str, bool], tuple[Facts, bytes]] = OrderedDict()


def picture(draft: Draft) -> bytes | None:
    """The board of a letter about a game that has been dealt, or the chances that it tells of, for a reader who wants
    it inside the email."""
    game = draft.view.game
    if draft.view.envelope.pictures != "inside":
        return None
    if course := getattr(draft.view.own, "course", ()):
        chances = render.chances_png(course)
        return render.clear_png(chances) if draft.view.envelope.look.clear else chances
    if game is None or game.state is None or not kinds.named(draft.view.envelope.kind).pictured:
        return None
    language, look = draft.view.envelope.language, draft.view.envelope.look
    facts, drawn = _facts(game, draft), (game.id, language, look.labels)
    kept = _kept.get(drawn)
    if kept is None or kept[0] != facts:
        with reading(language):
            scene = replace(views.scene_after(game, draft.before), hex_labels=look.labels)
            kept = facts, render.letter_png(scene)
        _kept[drawn] = kept
    _kept.move_to_end(drawn)
    if len(_kept) > KEPT:
        _kept.popitem(last=False)
    return render.clear_png(kept[1]) if look.clear else kept[1]


def _facts(game: GameView, draft: Draft) -> Facts:
    """Everything that decides what the picture shows beside what its reader has chosen."""
    return game.title, game.names, draft.before, game.state, game.log[-1].events if game.log else ()
