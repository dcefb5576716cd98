"""The board in words as the text part of an email has it."""

from __future__ import annotations

from pbem.mail.voices import TextVoice
from pbem.mail.words import fill
from pbem.views.position import Position

INDENT = 2


def board_said(position: Position, voice: TextVoice) -> list[str]:
    """The paragraphs of a position, in lines, read out by the ``voice`` of the text part."""
    return [fill(voice.paragraph(words.head, words.items), INDENT) for words in position.words]
