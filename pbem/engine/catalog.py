"""Finds ``maps/``, wherever on the Python path, and opens the door to the rules: every rule sheet by game and map."""

import hashlib
import importlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final

from pbem.engine.faults import BadDrawing, Checked
from pbem.engine.reading import shown
from pbem.engine.record import Record
from pbem.engine.sheet import Sheet
from pbem.engine.text import Say

GAME_OF_DRAWINGS = "age-of-steam"
OWN: Final = "own-"
"""What the slug of every own map begins with, and no other."""
_keepers: list[Callable[[str], str | None]] = []
"""Who keeps the texts of own maps, if anybody does."""


class UnknownSheet(LookupError):
    """There is no such game or map; the sentence lists what there is."""


@cache
def sheets() -> tuple[Sheet, ...]:
    """Every sheet of every map folder, sorted by game and slug; ``maps`` is a namespace that others may add to.

    A folder with ``board.toml`` alone is a sheet that is data.
    """
    found: list[Sheet] = []
    for folder in sorted(resources.files("maps").iterdir(), key=lambda entry: entry.name):
        if folder.is_dir() and folder.joinpath("rules.py").is_file():
            module = importlib.import_module(f"maps.{folder.name}.rules")
            found.extend(sheet() for sheet in module.SHEETS)
        elif folder.is_dir() and (board := folder.joinpath("board.toml")).is_file():
            found.append(drawn(folder.name, board.read_text("utf-8")))
    return tuple(sorted(found, key=lambda sheet: (sheet.game, sheet.slug)))


@cache
def drawings() -> dict[str, str]:
    """The text of every printed map that is a drawing without faults, by slug. Rules that are code are not in it."""
    boards = ((folder.name, folder.joinpath("board.toml")) for folder in resources.files("maps").iterdir())
    texts = {slug: board.read_text("utf-8") for slug, board in sorted(boards) if board.is_file()}
    return {slug: text for slug, text in texts.items() if check(slug, text).sheet is not None}


def drawn(slug: str, text: str) -> Sheet:
    """The sheet of a map that is data, from the text of its ``board.toml``."""
    made: Sheet = _checks().sheet_of(slug, text)
    return made


def own(game: str, text: str) -> Sheet:
    """The sheet of somebody's map, from the text of its ``board.toml``. Raises :class:`BadDrawing`.

    Its slug follows from what is drawn, so that no two maps have the same.
    """
    if game != GAME_OF_DRAWINGS:
        raise BadDrawing("Only maps of Age of Steam can be drawn: those of Steam Power need contracts of their own.")
    checked = check("own", text)
    if checked.sheet is None:
        raise BadDrawing(str(checked.faults[0].sentence))
    drawing = _checks().canonical(text)
    made = drawn(f"{OWN}{hashlib.sha256(drawing.encode()).hexdigest()[:16]}", drawing)
    made.drawing = drawing
    return made


def is_own(slug: str) -> bool:
    return slug.startswith(OWN)


def find_own_maps(text_of: Callable[[str], str | None]) -> None:
    """Let :func:`sheet` find own maps from now on: ``text_of`` gives the text of one by its slug, if there is one."""
    _keepers[:] = [text_of]


@lru_cache(maxsize=64)
def _kept(slug: str) -> Sheet:
    text = _keepers[0](slug) if _keepers else None
    if text is None:
        raise UnknownSheet(f"There is no own map {shown(slug)} here.")
    try:
        made = own(GAME_OF_DRAWINGS, text)
    except BadDrawing as bad:
        raise UnknownSheet(f"The own map {shown(slug)} cannot be read: {bad}") from bad
    if made.slug != slug:
        raise UnknownSheet(f"The text of the own map {shown(slug)} is that of {made.slug}.")
    return made


def of_record(record: Record) -> Sheet:
    """The sheet that a record was played on. Raises :class:`UnknownSheet`, and :class:`BadDrawing` for a map in it."""
    if not record.board:
        return sheet(record.game, record.map)
    made = own(record.game, record.board)
    if made.slug != record.map:
        raise BadDrawing(f"The map in the record is not {shown(record.map)}: it was changed, and is {made.slug} now.")
    return made


def check(slug: str, text: str) -> Checked:
    """A drawing as a sheet, or all that stops it from being one."""
    checked: Checked = _checks().check(slug, text)
    return checked


def painting(text: str) -> Any:
    """What a drawing says, for the painter: a value that JSON has; ``None`` where the text cannot be read."""
    return importlib.import_module("pbem.age_of_steam.drawings.painting").painting(text)


def rule_fields(text: str) -> Any:
    """The rules of a drawing as fields of a form; none where its text cannot be written anew without a loss."""
    return importlib.import_module("pbem.age_of_steam.drawings.rule_fields").fields(text)


def rule_titles() -> Mapping[str, Say]:
    """What each key of the table of rules is about."""
    titles: Mapping[str, Say] = importlib.import_module("pbem.age_of_steam.drawings.rule_fields").IN_LISTS
    return titles


def with_rules(text: str, form: Mapping[str, str]) -> str | None:
    """The drawing with the rules that such fields say; ``None`` where there are none."""
    written: str | None = importlib.import_module("pbem.age_of_steam.drawings.rule_fields").with_rules(text, form)
    return written


def ways(text: str) -> Any:
    """Links, drawn rivers, closed sides and terminals of a drawing as fields; ``None`` as there are no rule fields."""
    return importlib.import_module("pbem.age_of_steam.drawings.way_fields").ways(text)


def edited(text: str, edit: str, form: Mapping[str, str]) -> Any:
    """The drawing as a button of the painter changes it, or a sentence why not; ``None`` for no such button."""
    return _edits().edited(text, edit, form)


def lost_by(text: str, edit: str) -> tuple[str, ...]:
    """What goes from the board with the hexes that a button of the painter takes off, by name."""
    gone: tuple[str, ...] = _edits().lost_by(text, edit)
    return gone


def _edits() -> Any:
    return importlib.import_module("pbem.age_of_steam.drawings.edits")


def _checks() -> Any:
    """Age of Steam alone has sheets that are data."""
    return importlib.import_module("pbem.age_of_steam.drawings.checks")


def sheet(game: str, slug: str) -> Sheet:
    """The sheet of a game on a map. Raises :class:`UnknownSheet`."""
    if game == GAME_OF_DRAWINGS and is_own(slug):
        return _kept(slug)
    for candidate in sheets():
        if (candidate.game, candidate.slug) == (game, slug):
            return candidate
    known = ", ".join(f"{s.game} {s.slug}" for s in sheets())
    raise UnknownSheet(f"There is no sheet {shown(game)} {shown(slug)}. There are: {known}.")


def maps(among: Iterable[Sheet]) -> int:
    """How many maps these sheets are for: the solo mode of a map is no other map."""
    return len({(sheet.game, sheet.name.partition(",")[0]) for sheet in among})
