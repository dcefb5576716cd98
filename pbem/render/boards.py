"""What the boards drawn last are drawn of: half of all orders of a game change nothing on its board."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import replace
from threading import Lock
from typing import NamedTuple

from pbem.rails.scene import Scene
from pbem.render.board import draw_board
from pbem.render.geometry import Frame
from pbem.render.places import Layout, Places
from pbem.render.sketch import Panel, Sketch

KEPT = 20
"""Boards of which it is kept, some 100 KB each."""


class Drawn(NamedTuple):
    """A board, what is laid for it, and where its labels stand."""

    scene: Scene
    panel: Panel
    layout: Layout


class Boards:
    """The board that was drawn last, one by each name; safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, Drawn] = OrderedDict()

    def draw(self, page: Sketch, scene: Scene, frame: Frame, name: Hashable) -> None:
        """Everything on the board, onto the page; ``name``: what it shares with boards that are often the same."""
        bare, place = bare_board(scene), (name, frame)
        with self._lock:
            kept = self._kept.get(place)
        if kept is None or kept.scene != bare:
            board, places = Sketch(page.width, page.height), Places(bare, frame, before=kept and kept.layout)
            draw_board(board, places)
            kept = Drawn(bare, board.panel(), places.layout)
        with self._lock:
            self._kept[place] = kept
            self._kept.move_to_end(place)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        page.take(kept.panel)

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._kept.clear()


def bare_board(scene: Scene) -> Scene:
    """The scene with what is drawn on the board alone: nothing that only stands around it."""
    return replace(
        scene,
        title="",
        subtitle="",
        turn=0,
        turns=None,
        phases=(),
        phase=None,
        actor=None,
        headline="",
        light=(),
        dark=(),
        columns=(),
        players=(),
        notes=(),
        acts=(),
        end="",
        progress="",
        stock=(),
        bag="",
        left_over=(),
        marks=replace(scene.marks, cells=frozenset()),
    )
