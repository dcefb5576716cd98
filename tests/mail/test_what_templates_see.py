"""Letters are written without the state of a game: no template is given anything that leads to it."""

from __future__ import annotations

import pytest

from pbem.age_of_steam.state import State
from pbem.mail.content import content
from pbem.views import GameView
from tests.mail.views import LETTERS
from tests.reachable import reachable


@pytest.mark.parametrize("name", LETTERS)
def test_no_letter_is_given_the_state(name: str) -> None:
    for html in (False, True):
        values = content(LETTERS[name], html)
        assert [way for way, thing in reachable(values) if isinstance(thing, State | GameView)] == []
