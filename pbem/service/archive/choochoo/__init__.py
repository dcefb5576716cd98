"""Games that a server of choochoo.games has exported, as records of ours (``docs/importing.md``)."""

from typing import Any

from pbem.engine.record import Record
from pbem.service.archive.choochoo import export
from pbem.service.archive.choochoo.export import is_export
from pbem.service.archive.choochoo.translation import translate

__all__ = ["is_export", "read"]


def read(raw: dict[str, Any]) -> Record:
    """The record of an exported game. Raises :class:`BadRecord`, with a line for all that was not understood."""
    return translate(*export.read(raw))
