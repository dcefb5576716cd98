"""What buttons of the painter change in the text of a drawing."""

from collections.abc import Mapping

from pbem.age_of_steam.drawings.resizing import SIDES, lost, resized
from pbem.age_of_steam.drawings.way_fields import with_walls, with_ways
from pbem.engine import Say


def edited(text: str, edit: str, form: Mapping[str, str]) -> str | Say | None:
    """The text that a button makes, or why there is none; ``None`` for no such button."""
    match edit.split():
        case ["grow" | "shrink" as way, side] if side in SIDES:
            return resized(text, side, more=way == "grow")
        case ["ways"]:
            return with_ways(text, form)
        case ["drop", row]:
            return with_ways(text, form, without=row)
        case ["close" | "open" as way]:
            return with_walls(text, form, closed=way == "close")
    return None


def lost_by(text: str, edit: str) -> tuple[str, ...]:
    """What goes from the board with the hexes that a button takes off, by name."""
    match edit.split():
        case ["shrink", side] if side in SIDES:
            return lost(text, side)
    return ()
