"""Where a question is answered: on a turn page of a game, or in a trial. Pages of questions know nothing else of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from flask import url_for

from pbem.web.boards.pictures import in_game


class Addresses(Protocol):
    """``page``: the page of the question, where answers are sent as well. ``picture``: of its position, see
    :class:`pbem.web.boards.pictures.PictureAddress`."""

    def page(self, **query: object) -> str: ...
    def picture(self, kind: str, **query: str | None) -> str: ...


@dataclass(frozen=True, slots=True)
class TurnAddresses:
    """The question of a game in some version, which the link of a turn page opens."""

    token: str
    game: str
    version: int

    def page(self, **query: object) -> str:
        return url_for("turns.turn", token=self.token, **query)  # type: ignore[arg-type] # values of a query

    def picture(self, kind: str, **query: str | None) -> str:
        return in_game(self.game, self.version)(kind, **query)
