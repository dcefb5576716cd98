"""The Message-ID of a letter: given when the letter is written, kept with its row, the same however often it is sent.

A part of it is random: a server that was restored from a backup, or another one on the same domain, counts its letters
from the same numbers, and email programs show one of two emails that have the same Message-ID.
"""

from __future__ import annotations

from pbem.service.base.work import NewLetter, Work


def new(work: Work, letter: NewLetter) -> str:
    """One for a letter that is about to be written."""
    game, seat, kind = letter.game, letter.seat, letter.payload.kind
    about = kind if game is None else f"{game.id}.v{letter.version or 0}.p{seat.number if seat else 0}.{kind}"
    return work.message_id(about)
