"""The deal of a game of choochoo.games as the opening of a record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine import Sheet
from pbem.engine.chance import DEAL, NO_SEED, SeededChance
from pbem.service.archive.choochoo.export import GameData, OnRoll, cube, seat
from pbem.service.archive.choochoo.places import CITY, Places


def seats(data: GameData) -> tuple[str, ...]:
    """The players in the order of the first turn. Raises ``ValueError``."""
    found = tuple(map(seat, data.turn_order))
    if len(set(found)) != len(found):
        raise ValueError("A player is named twice.")
    return found


def opening(sheet: Sheet, players: Sequence[str], places: Places, data: GameData) -> dict[str, Any]:
    """What was dealt; the display has the columns and boxes that it has here. Raises ``ValueError``."""
    options = {option.key: option.default for option in sheet.options()}
    dealt = sheet.position(sheet.start(players, SeededChance(NO_SEED, DEAL), options).state)
    filled = _columns(places, data)
    boxes: Mapping[str, Sequence[str | None]] = dealt["display"]
    cubes: dict[str, list[str]] = {}
    accepts: dict[str, list[str]] = {}
    for at, space in data.grid:
        label = places.label(at)
        if space.goods:
            cubes.setdefault(label, []).extend(map(cube, space.goods))
        if label in dealt.get("accepts", ()):
            accepts[label] = [cube(good) for good in ((space.color,) if isinstance(space.color, int) else space.color)]
    return {
        "order": list(players),
        "players": {
            seat(one.color): {"cash": one.money, "income": one.income, "shares": one.shares, "engine": one.locomotive}
            for one in data.players
        },
        "cubes": cubes,
        "display": {column: _boxes(filled.get(column), len(known)) for column, known in boxes.items()},
        "accepts": accepts,
        "bag": dict(Counter(map(cube, data.bag))),
    }


def _columns(places: Places, data: GameData) -> dict[str, OnRoll]:
    found = {one.column: one for _, space in data.grid if space.type == CITY for one in space.on_roll}
    for city in data.available_cities:
        for one in city.on_roll:
            found[places.letter(one.column)] = one
    return found


def _boxes(column: OnRoll | None, count: int) -> list[str | None]:
    """The boxes from the top; there the last one is the top."""
    goods = () if column is None else column.goods[:count]
    padded = (*goods, *[None] * (count - len(goods)))
    return [None if good is None else cube(good) for good in reversed(padded)]
