"""The position as text: what is said of a game of Steam Power, and in which words."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pbem.engine import Seat, Who, Word, say
from pbem.engine.position_text import NONE, Fixed, Line, Named, Section, TableColumn, counted, listed
from pbem.rails.board import Label
from pbem.rails.position_text import heading, last_line, usual_options
from pbem.rails.walks import Ends, track_sections
from pbem.steam_power.position import pieces_left, points
from pbem.steam_power.railways import Railways
from pbem.steam_power.rules import SteamPowerSheet
from pbem.steam_power.state import COLOURS, State

TO_ACT, LEFT, COMPANY, KNOWN = "To act", "Actions left", "For the company", "Train known from order"
PLAYERS, COMPANIES, HAND = "Players, in turn order", "Companies", "Your contracts"
CITIES, BOX = "Cities and cubes", "Bag and box"
CASH, CONTRACTS, TRAINS, FACTORIES, POINTS, DONE = "cash", "contracts", "trains", "factories", "points", "done"
NEEDS, PAYS, MONEY, BONUS = "needs", "pays", "money", "bonus"
BONUSES: Final = {"track": "track", "factory": "factory", "contracts": "draw"}
FACTORY, CUBES, USED_UP = "factory", "cubes", "used up"
STOCK, BAG, LEFT_OVER = "Stock", "Contracts in the bag", "City tiles left over"
COUNTERS, TRAIN_BAG = "Contracts laid aside", "Trains in the bag"
WORDS: Final = (
    TO_ACT, LEFT, COMPANY, KNOWN, PLAYERS, COMPANIES, HAND, CITIES, BOX, CASH, CONTRACTS, TRAINS, FACTORIES, POINTS,
    DONE, NEEDS, PAYS, MONEY, BONUS, *BONUSES.values(), FACTORY, CUBES, USED_UP, STOCK, BAG, LEFT_OVER, COUNTERS,
    TRAIN_BAG,
)  # fmt: skip

COLUMNS: Final = (TableColumn((say("Colour"),)), TableColumn((Fixed(FACTORY),), (FACTORY,)))


def sections(sheet: SteamPowerSheet, state: State, viewer: Seat = "") -> tuple[Section, ...]:
    """The position as ``viewer`` may see it: of the hands of others and of the bag only how many contracts they are."""
    railways = sheet.railways(state)
    places = Ends(sheet.board, sheet.place_names(state))
    alone = state.companies != state.seats
    parts = (
        heading(sheet, state, *_turn(state, alone=alone)),
        Section((Fixed(PLAYERS),), tuple(_players(sheet, state, railways))),
        Section((Fixed(COMPANIES),), tuple(_companies(sheet, state, railways)) if alone else ()),
        Section((Fixed(HAND), ", ", Who(viewer)), tuple(_hand(sheet, state, viewer))),
        Section((Fixed(CITIES),), tuple(_cities(sheet, state)), COLUMNS),
        *track_sections(railways.net, places, (*state.companies, None), {}),
        Section((Fixed(BOX),), tuple(_box(state, alone=alone))),
    )
    return (*(part for part in parts if part.lines), last_line(sheet, state, viewer))


def plain(sheet: SteamPowerSheet, state: State, viewer: Seat) -> dict[str, Any]:
    """The state as plain values as ``viewer`` may see it; hands of others, and an empty one, as a number."""
    values: dict[str, Any] = msgspec.to_builtins(state)
    usual = usual_options(sheet)
    values["options"] = {key: value for key, value in state.options.items() if usual.get(key) != value}
    values["track"] = {label: sorted(lying) for label, lying in state.track.items() if lying}
    values |= {"bag": len(state.bag), "counters": len(state.counters)}
    for seat, player in values["players"].items():
        if seat != viewer or not player["hand"]:
            player["hand"] = len(player["hand"])
    return values


def _turn(state: State, *, alone: bool) -> Iterator[Line]:
    yield (Fixed(TO_ACT), ": ", Who(state.seat))
    yield (Fixed(LEFT), f": {state.left}")
    if alone:
        yield (Fixed(COMPANY), ": ", Who(state.company))
        yield (Fixed(KNOWN), f": {state.known}")


def _pieces(sheet: SteamPowerSheet, state: State, company: Seat, railways: Railways) -> list[Line]:
    return [(Fixed(name), f" {n}") for name, n in pieces_left(sheet, state, company, railways).items()]


def _players(sheet: SteamPowerSheet, state: State, railways: Railways) -> Iterator[Line]:
    for seat, player in state.players.items():
        said: list[Line] = [(Fixed(CASH), f" {player.cash}"), (Fixed(CONTRACTS), f" {len(player.hand)}")]
        if seat in state.companies:
            said += _pieces(sheet, state, seat, railways)
        said.append((Fixed(POINTS), f" {points(sheet, state, seat, railways)}"))
        if player.done:
            said.append((Fixed(DONE), " ", " ".join(map(str, player.done))))
        yield (Named(seat), ", ", Word(seat), ": ", *listed(said))


def _companies(sheet: SteamPowerSheet, state: State, railways: Railways) -> Iterator[Line]:
    for company in state.companies:
        yield (Who(company), ": ", *listed(_pieces(sheet, state, company, railways)))


def _hand(sheet: SteamPowerSheet, state: State, viewer: Seat) -> Iterator[Line]:
    for number in state.players[viewer].hand if viewer in state.players else ():
        tile = sheet.contracts[number]
        pays: list[Line] = [(Fixed(MONEY), f" {tile.money}")] if tile.money else []
        pays += [(Fixed(POINTS), f" {tile.vp}")] if tile.vp else []
        pays += [(Fixed(BONUS), " ", Fixed(BONUSES[tile.bonus]))] if tile.bonus else []
        needs: Line = (f"{number}: ", Fixed(NEEDS), " ", *counted(tile.needs))
        yield (*needs, "; ", Fixed(PAYS), " ", *(listed(pays) or (Fixed(NONE),)))


def _cities(sheet: SteamPowerSheet, state: State) -> Iterator[Line]:
    for city in sorted(sheet.board.cities.values(), key=lambda city: city.name):
        yield (city.name, f" {city.label}", ": ", *contents(sheet, state, city.label))


def contents(sheet: SteamPowerSheet, state: State, label: Label) -> Line:
    """The colour of a City and its factory; nothing of other hexes."""
    tile = state.cities.get(label)
    if tile is None:
        return ()
    if tile.factory is None:
        return (Word(tile.colour),)
    left: Line = (Fixed(USED_UP),) if tile.flipped else (Fixed(CUBES), f" {tile.cubes}")
    return (Word(tile.colour), "; ", Fixed(FACTORY), " ", Who(tile.factory), ", ", *left)


def _box(state: State, *, alone: bool) -> Iterator[Line]:
    yield (Fixed(STOCK), ": ", *listed((Word(colour), f" {state.stock(colour)}") for colour in COLOURS))
    yield (Fixed(BAG), f": {len(state.bag)}")
    if state.left_over:
        yield (Fixed(LEFT_OVER), ": ", *counted(state.left_over))
    if alone:
        yield (Fixed(COUNTERS), f": {len(state.counters)}")
        yield (Fixed(TRAIN_BAG), ": ", *(counted(state.trains) or (Fixed(NONE),)))
