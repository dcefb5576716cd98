"""The position as text: what is said of a game of Age of Steam, and in which words."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from pbem.age_of_steam.lexicon import COLOURS
from pbem.age_of_steam.phases.base import AgeOfSteamSheet
from pbem.age_of_steam.state import Boxes, State
from pbem.age_of_steam.words import place_name, place_names, points
from pbem.engine import Seat, Who, Word, say
from pbem.engine.position_text import NONE, Fixed, Line, Named, Section, TableColumn, counted, listed
from pbem.rails.board import Label
from pbem.rails.board_text import DARK, LIGHT, TAKES
from pbem.rails.position_text import heading, last_line, usual_options
from pbem.rails.walks import Ends, track_sections

SEATED = "Seats"
PLAYERS, CITIES, NEW_CITIES = "Players, in turn order", "Cities and cubes", "New Cities not built"
LAND, BOX = "Cubes on land", "Bag and box"
DEALT, CUBES, EMPTY = "dealt", "cubes", "empty"
FIGURES: Final = ("cash", "income", "shares", "engine")
"""What is said of a player and cannot be worked out, by the names of the fields."""
BILL, POINTS = "bill", "points"
OUT, BAG, GONE = "out in turn", "Bag", "Out of the game"
WORDS: Final = (
    SEATED, PLAYERS, CITIES, NEW_CITIES, LAND, BOX, DEALT, CUBES, EMPTY, *FIGURES, BILL, POINTS,
    OUT, BAG, GONE,
)  # fmt: skip

COLUMNS: Final = (
    TableColumn((Fixed(TAKES),), (TAKES, DEALT)),
    TableColumn((Fixed(CUBES),), (CUBES,), cubes=True),
    TableColumn((say("Goods display"),), (LIGHT, DARK), cubes=True),
)


def sections(sheet: AgeOfSteamSheet, state: State, viewer: Seat = "") -> tuple[Section, ...]:
    """The whole position; this game hides nothing from anybody."""
    places = Ends(sheet.board, place_names(sheet, state), tuple(state.new_cities.values()))
    parts = (
        heading(sheet, state, *_seats(sheet, state), facts=() if state.extra else sheet.facts(state)),
        Section((Fixed(PLAYERS),), tuple(_players(sheet, state))),
        Section((Fixed(CITIES),), tuple(_cities(sheet, state)), COLUMNS),
        Section((Fixed(NEW_CITIES),), tuple(_new_cities(sheet, state))),
        Section((Fixed(LAND),), tuple(_land(sheet, state))),
        *track_sections(sheet.net(state), places, (*state.order, *_eliminated(state), None), state.links),
        Section((Fixed(BOX),), tuple(_box(state))),
    )
    return (*(part for part in parts if part.lines), last_line(sheet, state))


def plain(sheet: AgeOfSteamSheet, state: State, viewer: Seat) -> dict[str, Any]:
    """The state as plain values: no empty piles, cubes of a place and segments of a hex sorted."""
    values: dict[str, Any] = msgspec.to_builtins(state)
    usual = usual_options(sheet)
    values["options"] = {key: value for key, value in state.options.items() if usual.get(key) != value}
    values["cubes"] = {label: sorted(cubes) for label, cubes in state.cubes.items() if cubes}
    values["track"] = {label: sorted(lying) for label, lying in state.track.items() if lying}
    for pile in ("bag", "gone"):
        values[pile] = {colour: count for colour, count in values[pile].items() if count}
    return values


def in_turn(sheet: AgeOfSteamSheet, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Seats in the order in which the sheet gives them out, which is not said."""
    return tuple(sorted(seats, key=lambda seat: sheet.colours.index(seat) if seat in sheet.colours else len(seat)))


def _seats(sheet: AgeOfSteamSheet, state: State) -> Iterator[Line]:
    if state.seats != in_turn(sheet, state.seats):
        yield (Fixed(SEATED), ": ", *listed((Who(seat),) for seat in state.seats))


def _eliminated(state: State) -> Iterator[Seat]:
    return (seat for seat in state.seats if seat not in state.order)


def _players(sheet: AgeOfSteamSheet, state: State) -> Iterator[Line]:
    scores = points(sheet, state)
    for seat in (*state.order, *_eliminated(state)):
        player = state.players[seat]
        said: list[Line] = []
        if player.out:
            said.append((Fixed(OUT), f" {player.out}"))
        if player.action:
            said.append((Word(player.action),))
        said += [(Fixed(name), f" {getattr(player, name)}") for name in FIGURES]
        if not player.out:
            said.append((Fixed(BILL), f" {sheet.expenses(state, seat)}"))
        if seat in scores:
            said.append((Fixed(POINTS), f" {scores[seat]}"))
        yield (Named(seat), ", ", Word(seat), ": ", *listed(said))


def _cities(sheet: AgeOfSteamSheet, state: State) -> Iterator[Line]:
    hexes = {city.label: city.hexes for city in sheet.board.cities.values()}
    hexes |= {label: (label,) for label in state.new_cities.values()}
    names = {label: place_name(sheet, state, label) for label in hexes}
    for label in sorted(hexes, key=lambda label: names[label]):
        yield (names[label], f" {' '.join(hexes[label])}", ": ", *contents(sheet, state, label))


def contents(sheet: AgeOfSteamSheet, state: State, label: Label) -> Line:
    """A City with what it takes, its cubes and boxes; the cubes on any other hex."""
    cubes = counted(sorted(state.cubes.get(label, ()), key=COLOURS.index))
    letters = tuple(letter for letter, hex_ in state.new_cities.items() if hex_ == label)
    if label not in sheet.board.cities and not letters:
        return cubes
    takes = listed((Word(colour),) for colour in sheet.accepts(state, label)) or (Fixed(NONE),)
    clauses: list[Line] = [(Fixed(DEALT if label in state.accepts else TAKES), " ", *takes)]
    if cubes:
        clauses.append((Fixed(CUBES), " ", *cubes))
    columns = letters or sheet.board.cities[label].columns
    clauses += [_column(sheet, name, state.display[name]) for name in columns if name in state.display]
    return listed(clauses, "; ")


def _column(sheet: AgeOfSteamSheet, name: str, boxes: Boxes) -> Line:
    """A column of the display by its die: "light 1 empty, red"; of a New City the die is printed on its tile."""
    die = name if len(name) > 1 else next(iter(sheet.board.new_cities[name].columns))
    said = (LIGHT if die[0] == "L" else DARK, f" {die[1:]} ")
    if not any(boxes):
        return (Fixed(said[0]), said[1], Fixed(EMPTY))
    return (Fixed(said[0]), said[1], *listed((Word(cube) if cube else Fixed(EMPTY),) for cube in boxes))


def _new_cities(sheet: AgeOfSteamSheet, state: State) -> Iterator[Line]:
    for letter, tile in sheet.board.new_cities.items():
        if letter in state.display and letter not in state.new_cities:
            takes: Line = (Fixed(TAKES), " ", *listed((Word(colour),) for colour in tile.colours))
            yield (f"{letter}: ", *listed((takes, _column(sheet, letter, state.display[letter])), "; "))


def _land(sheet: AgeOfSteamSheet, state: State) -> Iterator[Line]:
    """Cubes that lie in no City."""
    nodes = {*sheet.board.cities, *state.new_cities.values()}
    for label in sorted(state.cubes.keys() - nodes):
        if cubes := contents(sheet, state, label):
            town = sheet.board.towns.get(label)
            yield (f"{town} {label}: " if town else f"{label}: ", *cubes)


def _box(state: State) -> Iterator[Line]:
    for word, pile in ((BAG, state.bag), (GONE, state.gone)):
        if cubes := listed((Word(colour), f" {pile[colour]}") for colour in COLOURS if pile.get(colour)):
            yield (Fixed(word), ": ", *cubes)
