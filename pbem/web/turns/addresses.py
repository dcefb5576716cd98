"""Where a question is answered: on a turn page of a game, or in a trial. Pages of questions know nothing else of it."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from flask import url_for

from pbem.web.boards.pictures import PictureAddress


class Addresses(NamedTuple):
    """``page``: the page of the question, where answers are sent as well. ``picture``: of its position."""

    page: Callable[..., str]
    picture: PictureAddress


def turn_page(token: str, **query: object) -> Callable[..., str]:
    """The addresses of the page that the link of a turn page opens, all with this query."""
    return partial(url_for, "turns.turn", token=token, **query)  # type: ignore[arg-type] # values of a query
