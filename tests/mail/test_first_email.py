"""The first email of a game to each player has the printed board in its text, behind the position, and no other has."""

import pytest

from pbem.engine import replace
from pbem.mail.writing import write
from tests.every_map.position_texts import board_text_of
from tests.mail.views import LETTERS


@pytest.mark.parametrize("name", ["your-turn-build", "planning", "game-started", "reminder", "board"])
def test_the_first_email_of_a_game_has_the_printed_board_behind_the_position(name: str) -> None:
    view = LETTERS[name]
    assert view.game is not None
    for version in (0, 7):
        text = write(replace(view, game=replace(view.game, version=version)), "").text
        first = view.envelope.kind == "game-started" or (
            version == 0 and view.envelope.kind in ("your-turn", "planning")
        )
        board = board_text_of(view.game.sheet)
        assert text.count(board) == first, version
        assert not first or text.index("\nCheck: ") < text.index(board)
