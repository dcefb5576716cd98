"""A finished game as a book: what stands on its pages, turn by turn."""

from pbem.engine.overview import Column, Row
from pbem.engine.sheet import Standing
from pbem.engine.text import Say
from pbem.engine.values import Value
from pbem.rails.scene import Scene
from pbem.views.games import GameView
from pbem.views.log import LogLine


class Chapter(Value):
    """A turn: the board and the players' table at its end, and its log. The first is the deal, without a log."""

    title: Say
    scene: Scene
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    lines: tuple[LogLine, ...]


class Book(Value):
    """``address``: where the game can be opened; ``digest``: the SHA-256 of its record; ``draws``: rolls and draws."""

    game: GameView
    chapters: tuple[Chapter, ...]
    winners: tuple[Standing, ...]
    address: str
    digest: str
    draws: int
