"""Emails about Steam Power number rounds, and those about Age of Steam turns, in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.mail.writing import write
from pbem.store.statuses import GameStatus
from pbem.views.letters import LetterView
from tests.mail.views import LETTERS
from tests.turns_and_rounds import GAMES, WORDS, numbered, strange

STEAM = LETTERS["your-turn-steam"]
ABOUT_ANY_GAME = ("reminder", "told-status", "told-log", "board", "refused-answered", "submission-stuck", "resigned")
"""Emails that a game of Steam Power is put into."""


def letters(game: str) -> dict[str, LetterView]:
    """Emails about running games."""
    found = {
        name: view
        for name, view in LETTERS.items()
        if view.game is not None and view.game.sheet.game == game and view.game.status == GameStatus.RUNNING
    }
    if game == "steam-power":
        assert STEAM.game is not None
        for name in ABOUT_ANY_GAME:
            found[name] = replace(
                LETTERS[name], game=STEAM.game, seat=STEAM.seat, seat_number=STEAM.seat_number, moves=STEAM.moves,
                asked=LETTERS[name].asked and STEAM.asked,
            )  # fmt: skip
    return found


@pytest.mark.parametrize("code", WORDS)
@pytest.mark.parametrize("game", GAMES)
def test_emails_number_in_the_word_of_the_game(game: str, code: str) -> None:
    written = {
        name: write(replace(view, envelope=replace(view.envelope, language=code)), "board@pbem")
        for name, view in letters(game).items()
    }
    said = {name: f"{one.subject}\n{one.text}\n{one.html}" for name, one in written.items()}
    assert len(said) >= len(ABOUT_ANY_GAME) + 2
    assert {name: words for name, text in said.items() if (words := strange(text, game, code))} == {}
    assert [name for name in ABOUT_ANY_GAME if not numbered(said[name], game, code)] == []
