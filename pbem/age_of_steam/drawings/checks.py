"""Whether a drawn map can be played: what is wrong with it beyond what :mod:`pbem.rails.drawing` finds."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Final

from pbem.age_of_steam.drawings.data_sheet import DataSheet
from pbem.age_of_steam.drawings.table import Table, in_order, read_table
from pbem.age_of_steam.drawings.table_words import TERMINAL
from pbem.age_of_steam.rules import TERRAIN_PRICES
from pbem.engine import Say, Word, count_say, say
from pbem.engine.faults import Checked, Fault
from pbem.rails.board import CLOSED, BadBoard, Board
from pbem.rails.drawing import read_drawing
from pbem.rails.drawing_text import written

LONGEST: Final = 64 * 1024
HEXES: Final = (20, 400)
ON_THE_MAP: Final = 44
"""Cubes: the bag holds 96, and 52 of them fill the goods display."""
IN_THE_BAG: Final[Mapping[str, int]] = {"red": 20, "blue": 20, "purple": 20, "yellow": 20, "black": 16}
LETTERS: Final[Mapping[str, int]] = {"name": 40, "remark": 60, "provenance": 400, "designer": 40}
OF_A_PLACE: Final = 24


def sheet_of(slug: str, text: str) -> DataSheet:
    """The sheet of a map in a folder. Raises :class:`BadBoard`, which names the slug and the first fault."""
    checked = check(slug, text)
    if isinstance(checked.sheet, DataSheet):
        return checked.sheet
    raise BadBoard(f"{slug}: {checked.faults[0].sentence}")


def check(slug: str, text: str) -> Checked:
    """A drawing as a sheet, or all that stops it from being one."""
    if len(text.encode("utf-8", "surrogatepass")) > LONGEST:
        return Checked(None, (Fault(say("The text is longer than {n} KB.", n=LONGEST // 1024)),))
    drawing = read_drawing(slug, text)
    board = drawing.board
    if board is None:
        return Checked(None, drawing.faults)
    table, faults = read_table(board.rules)
    faults = (*faults, *_of_board(board), *_of_rules(board, table))
    if faults:
        return Checked(None, faults)
    return Checked(DataSheet(board), (), tuple(_hints(board, table)))


def canonical(text: str) -> str:
    """A drawing without faults in the form in which equal maps are equal texts."""
    raw = tomllib.loads(text)
    return written({**raw, "rules": in_order(raw.get("rules", {}))})


# the board ----------------------------------------------------------------------------------------------


def _of_board(board: Board) -> Iterator[Fault]:
    served = any(city.colours or city.columns for city in board.cities.values())
    if board.cities and not board.new_cities and not served:
        yield Fault(
            say(
                "No City takes cubes and there are no New Cities: this is a board of Steam Power. Only maps of Age of "
                "Steam can be drawn, because the contracts of Steam Power need a drawing of their own."
            )
        )
        return
    fewest, most = HEXES
    if not fewest <= len(board.hexes) <= most:
        yield Fault(say("The map has {n} hexes; {a} to {b} are possible.", n=len(board.hexes), a=fewest, b=most))
    if len(board.cities) < 2:
        yield Fault(say("A map needs two Cities at least."))
    yield from _lengths(board)
    yield from _display(board)
    yield from _lands(board)
    yield from _ways(board)


def _lengths(board: Board) -> Iterator[Fault]:
    texts: dict[str, str] = {key: getattr(board, key) for key in LETTERS}
    for key, text in texts.items():
        if len(text) > LETTERS[key]:
            yield Fault(say("{key} has {n} letters; {most} are the most.", key=key, n=len(text), most=LETTERS[key]))
    places = [(city.name, city.label) for city in board.cities.values()]
    places += [(name, label) for label, name in board.towns.items()]
    for name, label in places:
        if len(name) > OF_A_PLACE:
            yield Fault(_too_long(name), label)
    for link in board.connections.values():
        if len(link.name) > 2 * OF_A_PLACE:
            yield Fault(_too_long(link.name))


def _too_long(name: str) -> Say:
    return say("The name {name}… is too long; {most} letters are the most.", name=name[:OF_A_PLACE], most=OF_A_PLACE)


def _display(board: Board) -> Iterator[Fault]:
    for column, fed in board.columns.items():
        if len(fed) > 1:
            first, second = (board.cities[label].name for label in fed[:2])
            if first == second:
                yield Fault(say("{city} has column {column} twice.", city=first, column=column), fed[1])
                continue
            yield Fault(
                say("Column {column} of the goods display feeds both {a} and {b}.", column=column, a=first, b=second),
                fed[1],
            )


def _lands(board: Board) -> Iterator[Fault]:
    for label, hex_ in board.hexes.items():
        free = label in board.city_at or label in board.towns
        if hex_.price is None and not free and hex_.terrain not in CLOSED and hex_.terrain not in TERRAIN_PRICES:
            why = say("What does a tile cost on {hex}? Give the hex a price: its land has none.", hex=label)
            yield Fault(why, label)
    for link in board.connections.values():
        if link.hex is not None and board.hexes[link.hex].terrain not in CLOSED:
            why = say("The special link {name} lies on {hex}, which is no water.", name=link.name, hex=link.hex)
            yield Fault(why, link.hex)


def _ways(board: Board) -> Iterator[Fault]:
    linked = {label for link in board.connections.values() for label in link.joins}
    places = [(city.name, city.hexes) for city in board.cities.values()]
    places += [(name, (label,)) for label, name in board.towns.items()]
    for name, hexes in places:
        ways = (board.neighbours[label][edge] for label in hexes for edge in board.open_sides.get(label, ()))
        if set(ways) <= set(hexes) and hexes[0] not in linked:
            why = say("{name} cannot be reached: water, impassable land or closed sides lie all around it.", name=name)
            yield Fault(why, hexes[0])


# the rules ----------------------------------------------------------------------------------------------


def _of_rules(board: Board, table: Table) -> Iterator[Fault]:
    for sentence in (*_length(table), *_order(table), *_start(table), *_cubes(board, table)):
        yield Fault(sentence)
    for cube in table.cubes:
        if cube.hex not in board.cities:
            where = cube.hex if cube.hex in board.hexes else None
            yield Fault(say("A cube of rules.cubes is for {hex}, where no City is.", hex=cube.hex[:40]), where)


def _length(table: Table) -> Iterator[Say]:
    if table.end == "last player":
        if any(table.turns[n] for n in table.turns) and table.turns != Table().turns:
            yield say("A game to the last player has no last turn: leave rules.turns out.")
        if table.bankruptcy == "never" or table.income_reduction == "none" or not table.expenses_add_turn:
            yield say(
                "A game to the last player might never end: it needs expenses_add_turn, an income reduction, and "
                "players who go bankrupt."
            )
        return
    for n in range(table.players[0], table.players[1] + 1):
        if n not in table.turns:
            yield say("How many turns does a game of {n} have? Say it in rules.turns.", n=n)
        elif table.turns[n] is None:
            yield say("A game of {n} has no last turn; that needs end = “last player”.", n=n)


def _order(table: Table) -> Iterator[Say]:
    most = table.players[1]
    if len(table.actions) < most:
        yield count_say(
            "There is {n} action for {players} players; everybody needs one.",
            "There are {n} actions for {players} players; everybody needs one.",
            len(table.actions),
            players=most,
        )
    if table.order == "none":
        if most > 2:
            yield say("Without an auction a map can have at most two players.")
        if "turn-order" in table.actions:
            yield say("Without an auction nobody needs the action turn-order: leave it out of rules.actions.")
    if table.first_player and (
        table.order != "none" or table.players != (2, 2) or len(table.first_player) != table.turns.get(2)
    ):
        yield say('rules.first_player needs two players, order = "none", and white or black for every turn.')


def _start(table: Table) -> Iterator[Say]:
    if table.shares > table.share_cap:
        yield say("Everybody begins with {n} shares, but {most} are the most.", n=table.shares, most=table.share_cap)
    if table.engine > table.engine_cap:
        yield say("Every engine begins at {n}, but {most} is the most.", n=table.engine, most=table.engine_cap)


def _cubes(board: Board, table: Table) -> Iterator[Say]:
    terminals = sum(1 for city in board.cities.values() if TERMINAL in city.tags)
    on_towns = 0 if table.town_cube in ("none", "white") else len(board.towns)
    n = sum(city.cubes for city in board.cities.values()) + terminals + on_towns
    if n > ON_THE_MAP:
        yield say("{n} cubes lie on the map at the start; {most} are the most.", n=n, most=ON_THE_MAP)
    if len(board.towns) > (there := IN_THE_BAG.get(table.town_cube, len(board.towns))):
        colour = Word(table.town_cube)
        yield say("There are {n} {colour} cubes for {towns} towns.", n=there, colour=colour, towns=len(board.towns))


# what stops nothing -------------------------------------------------------------------------------------


def _hints(board: Board, table: Table) -> Iterator[Fault]:
    terminals = any(TERMINAL in city.tags for city in board.cities.values())
    taken = {colour for city in board.cities.values() for colour in city.colours}
    taken |= {colour for city in board.new_cities.values() for colour in city.colours}
    possible = (*IN_THE_BAG, *(["white"] if table.town_cube == "white" else []))
    for colour in () if terminals else possible:
        if colour not in taken:
            word = Word(colour)
            why = say("No City and no New City takes {colour}: {colour} cubes can never be delivered.", colour=word)
            yield Fault(why)
    for city in board.cities.values():
        if not city.columns and TERMINAL not in city.tags and not any(cube.hex == city.label for cube in table.cubes):
            why = say("{city} has no column of the goods display: it receives no new cubes.", city=city.name)
            yield Fault(why, city.label)
