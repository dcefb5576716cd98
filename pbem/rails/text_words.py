"""The fixed words of the text of positions, of printed boards and of places."""

from collections.abc import Iterable
from typing import Any

from pbem.engine import position_text as engine_text
from pbem.rails import board_text, place_text, position_text, walks
from pbem.rails.sheet import MapSheet


def words_of(sheet: MapSheet[Any, Any], own: Iterable[str] = ()) -> tuple[str, ...]:
    """Those of a sheet, each once; ``own``: those of its game."""
    modules = (engine_text, position_text, walks, board_text, place_text)
    shared = (word for module in modules for word in module.WORDS)
    kept = (sheet.extra, *(phase.scratch for phase in sheet.phases))
    heads = (line.head for one in kept if one for line in one.lines.values())
    return tuple(dict.fromkeys((*shared, *own, *heads)))
