"""A board on which nothing has changed is not laid out again, and looks as if it had been."""

from dataclasses import replace

import pytest

from pbem.rails.scene import Scene
from pbem.render import boards, page
from pbem.render.board import draw_board
from pbem.render.boards import KEPT, Boards
from pbem.render.page import page_sketch
from pbem.render.places import Places
from pbem.render.sketch import Sketch
from tests.render.scenes import delivered, late, opening


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> list[Scene]:
    """Nothing is kept of other tests; the scenes whose boards have been laid out."""
    drawn: list[Scene] = []

    def noted(sketch: Sketch, places: Places) -> None:
        drawn.append(places.scene)
        draw_board(sketch, places)

    monkeypatch.setattr(boards, "draw_board", noted)
    monkeypatch.setattr(page, "BOARDS", Boards())
    return drawn


def paid(scene: Scene) -> Scene:
    """The same board with other figures, another head and another phase."""
    figures = frozenset({(scene.players[0].seat, "money")})
    rows = (replace(scene.players[0], cells={**scene.players[0].cells, "money": "$99"}), *scene.players[1:])
    return replace(scene, players=rows, marks=replace(scene.marks, cells=figures), headline="Red pays", phase=0)


def test_orders_that_change_nothing_on_the_board_leave_it_as_it_is_laid_out(fresh: list[Scene]) -> None:
    first, then = page_sketch(late()), page_sketch(paid(late()))
    assert len(fresh) == 1
    assert first.touches != then.touches
    page.BOARDS.clear()
    assert page_sketch(paid(late())).touches == then.touches
    assert len(fresh) == 2


def test_a_board_on_which_something_has_changed_is_laid_out_anew(fresh: list[Scene]) -> None:
    scenes = [late(), delivered(late()), opening("rust_belt"), late()]
    after = [page_sketch(scene).touches for scene in scenes]
    assert len(fresh) == len(scenes)
    for scene, touches in zip(scenes, after, strict=True):
        page.BOARDS.clear()
        assert page_sketch(scene).touches == touches


def test_of_many_games_the_boards_drawn_last_are_kept(fresh: list[Scene]) -> None:
    games = [replace(late(), subtitle=f"game {number}") for number in range(KEPT + 1)]
    for game in [*games, games[-1], games[1]]:
        page_sketch(game)
    assert len(fresh) == len(games)
    page_sketch(games[0])
    assert len(fresh) == len(games) + 1
