"""Every reader has the board in words with the own names, in the own language."""

from __future__ import annotations

from dataclasses import replace

from pbem.language import reading
from pbem.mail.content import board_said, table_of
from pbem.mail.voices import TextVoice
from pbem.views.games import TableView
from tests.mail.views import LETTERS


def _said(game: TableView, language: str) -> str:
    assert game.position is not None
    with reading(language):
        return "\n".join(board_said(game.position, TextVoice(game.voice, game.names)))


def test_every_reader_has_the_board_in_own_words() -> None:
    game = table_of(LETTERS["your-turn-move"])
    assert game is not None
    assert game.position is not None
    renamed = replace(game, seats=tuple(replace(seat, name=f"{seat.name} & Co") for seat in game.seats))
    moved = replace(game, position=replace(game.position, places={**game.position.places, "L7": "Porkopolis"}))
    assert "\nLinks of Ana. Chicago–Rock Island; " in _said(game, "en")
    assert "\nLinks of Ana & Co. Chicago–Rock Island; " in _said(renamed, "en")
    assert "\nLinks of Ana. Porkopolis–Rock Island; " in _said(moved, "en")
    assert "\nYour links. Cincinnati–Toledo; " in _said(game, "en")
    assert "\nPołączenia gracza Ana. Chicago–Rock Island; " in _said(game, "pl")
