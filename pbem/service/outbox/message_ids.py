"""The Message-ID of a letter: given when the letter is written, kept with its row, the same however often it is sent.

A part of it is random: a server that was restored from a backup, or another one on the same domain, counts its letters
from the same numbers, and email programs show one of two emails that have the same Message-ID.
"""

from __future__ import annotations

from pbem.service.base.work import NewLetter, Work
from pbem.store.tables import Letter


def new(work: Work, letter: NewLetter) -> str:
    """One for a letter that is about to be written."""
    game, seat = letter.game, letter.seat
    return work.message_id(
        _about(game.id if game else None, letter.version, seat.number if seat else None, letter.payload.kind)
    )


def of(letter: Letter, host: str) -> str:
    """That of a letter. Older versions gave it only to letters that had left; what they have left waiting has the one
    that they would have given it (``host``: its right side)."""
    about = _about(letter.game_id, letter.version, letter.seat_number, letter.kind)
    return letter.message_id or f"<{about}.{letter.id}@{host}>"


def _about(game: str | None, version: int | None, seat: int | None, kind: str) -> str:
    return kind if game is None else f"{game}.v{version or 0}.p{seat or 0}.{kind}"
