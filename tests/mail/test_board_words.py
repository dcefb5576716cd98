"""The board in words is kept from one email to the next, and every reader has it with the own names."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from pbem.language import reading
from pbem.mail.board_words import board_said
from pbem.mail.content import table_of
from pbem.mail.voices import TextVoice
from pbem.mail.words import fill
from pbem.views import TableView
from tests.mail.game import SHEET, moments
from tests.mail.views import LETTERS


def _said(game: TableView, language: str) -> list[str]:
    assert game.position is not None
    with reading(language):
        voice = TextVoice(game.voice, game.names)
        return board_said(game.position, game.sheet, game.names, voice)


def _anew(game: TableView, language: str) -> list[str]:
    assert game.position is not None
    with reading(language):
        voice = TextVoice(game.voice, game.names)
        paragraphs = [voice.paragraph(words.head, words.items) for words in game.position.words]
        return [fill(paragraph, 2) for paragraph in paragraphs]


def test_every_reader_has_the_board_in_own_words() -> None:
    game = table_of(LETTERS["your-turn-move"])
    assert game is not None
    assert game.position is not None
    renamed = replace(game, seats=tuple(replace(seat, name=f"{seat.name} & Co") for seat in game.seats))
    moved = replace(game, position=replace(game.position, places={**game.position.places, "L7": "Porkopolis"}))
    for one, language in [(game, "en"), (game, "pl"), (renamed, "pl"), (moved, "pl"), (game, "pl"), (game, "en")]:
        assert _said(one, language) == _anew(one, language)
    assert len({str(_anew(one, "en")) for one in (game, renamed, moved)}) == 3


def test_words_that_an_order_leaves_as_they_are_stay_the_same_values() -> None:
    """By that they are known again when the next email is written."""
    stayed = 0
    for before, after in pairwise(moments()):
        old = {str((words.head, words.items)): words for words in SHEET.words(before.state)}
        for words in SHEET.words(after.state):
            same = old.get(str((words.head, words.items)))
            assert same is None or same is words
            stayed += same is words
    assert stayed > 2 * len(moments())
