"""The rules of a map that is data in sentences: every one is made from a key of its table, so text and play agree."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from pbem.age_of_steam.drawings.table import ExtraCube, Table
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.words import WORDS
from pbem.engine import Say, Word, count_say, say
from pbem.engine.text import together
from pbem.rails.board import Board
from pbem.rails.hex_words import TERRAIN

TERMINAL: Final = "terminal"
NEW_CITY_ONLY: Final = "new city only"
"""Tags that mean something on a map that is data: of a City, of a special link."""


def notes(board: Board, table: Table) -> tuple[Say, ...]:
    """What is different on the map, for the space beside its picture."""
    return tuple(sentences[0] for sentences in _told(board, table))


def rules(board: Board, table: Table) -> tuple[Say, ...]:
    """The rule sheet."""
    told = (together(*sentences) for sentences in _told(board, table))
    changes = (*_dealt(table), *told, *_seen(table))
    return (*(changes or (say("All rules are those of the base game."),)), *_printed(board))


def engineer_effect(table: Table) -> Say | None:
    """What the Engineer may do; ``None``: as in the base game."""
    tiles = table.engineer_tiles
    match table.discount:
        case "cheapest free":
            return count_say(
                "You may lay {n} tile, and the cheapest one is free.",
                "You may lay {n} tiles, and the cheapest one is free.",
                tiles,
            )
        case "half the dearest":
            return count_say(
                "You may lay {n} tile, and the dearest one costs half.",
                "You may lay {n} tiles, and the dearest one costs half.",
                tiles,
            )
    if (table.tiles, tiles) == (Rules.tiles, Rules.engineer_tiles):
        return None
    return count_say("You may lay {n} tile.", "You may lay {n} tiles.", tiles)


def _told(board: Board, table: Table) -> Iterator[tuple[Say, ...]]:
    """A rule each, in order of play: the sentence for the space beside the picture, then what else is to be known."""
    yield from _on_towns(table)
    if table.order == "none":
        yield from _order(table)
    yield from _building(board, table)
    yield from _moving(board, table)
    yield from _money(table)
    yield from _growth(board, table)
    yield from _end(table)


def _dealt(table: Table) -> Iterator[Say]:
    """What needs no words beside the picture, because the table of players and the display show it: the beginning."""
    if (table.cash, table.shares, table.engine) != (Rules.start_cash, Rules.start_shares, Rules.start_engine):
        shares = count_say("{n} share", "{n} shares", table.shares)
        yield say(
            "At the start: ${cash}, {shares}, engine {engine}.", cash=table.cash, shares=shares, engine=table.engine
        )
    if table.display_rows == 0:
        yield say("The goods display is empty at the start.")
    elif table.display_rows < 3:
        yield count_say(
            "Only the top box of every column of the goods display is filled at the start.",
            "Only the top {n} boxes of every column of the goods display are filled at the start.",
            table.display_rows,
        )
    if table.share_cap != Rules.share_cap:
        yield count_say("{n} share is the most.", "{n} shares are the most.", table.share_cap)
    if table.shares_a_turn < table.share_cap:
        yield count_say("{n} share a turn at most.", "{n} shares a turn at most.", table.shares_a_turn)
    if missing := tuple(Word(WORDS[action]) for action in Rules.actions if action not in table.actions):
        yield say("Nobody can take: {actions}.", actions=missing)


def _on_towns(table: Table) -> Iterator[tuple[Say, ...]]:
    if table.town_cube == "none":
        return
    stays = (
        say("A New City on the town keeps it.")
        if table.urbanized == "keep"
        else say("A New City on the town sends it back into the bag.")
    )
    delivered = say("It is delivered from there like one on a City.")
    if table.town_cube == "drawn":
        yield say("Every town begins with one cube from the bag."), delivered, stays
    else:
        colour = Word(table.town_cube)
        yield say("Every town begins with one {colour} cube.", colour=colour), delivered, stays


def _order(table: Table) -> Iterator[tuple[Say, ...]]:
    auction = say("There is no auction.")
    if not table.first_player:
        yield auction, say("The order of players stays as it was drawn.")
        return
    white, black = (
        ", ".join(str(turn) for turn, who in enumerate(table.first_player, 1) if who == colour)
        for colour in ("white", "black")
    )
    yield (
        say("First player: white in turns {white}, black in {black}.", white=white, black=black),
        say("A die decides who plays white."),
        auction,
    )


def _building(board: Board, table: Table) -> Iterator[tuple[Say, ...]]:
    if table.tiles != Rules.tiles:
        yield (count_say("{n} tile a turn at most.", "{n} tiles a turn at most.", table.tiles),)
    if "engineer" in table.actions:
        yield from _engineer(board, table)
    if table.complete_links:
        yield (
            say("Only complete links may be built."),
            say("At the end of your build no track of yours, no exit of a town either, may be unfinished."),
            say("A build turn is sent as a whole."),
        )
    if table.town_income:
        yield (
            say("The first tile on a town: {n} income for its builder at once.", n=table.town_income),
            say("Each town pays once; one that became a New City before it had a tile never pays."),
        )


def _engineer(board: Board, table: Table) -> Iterator[tuple[Say, ...]]:
    if table.engineer_tiles != Rules.engineer_tiles:
        yield (
            count_say(
                "The Engineer lays {n} tile at most.", "The Engineer lays {n} tiles at most.", table.engineer_tiles
            ),
        )
    if table.discount == "cheapest free":
        yield (say("Engineer: the cheapest placement of the turn is free."),)
    elif table.discount != "none":
        half = say("Engineer: the dearest tile of the turn costs half, rounded up.")
        links = any(link.price is not None for link in board.connections.values())
        yield half, *([say("A special link is no tile and is never halved.")] if links else [])


def _moving(board: Board, table: Table) -> Iterator[tuple[Say, ...]]:
    if table.rounds != Rules.rounds:
        yield (count_say("{n} round of moving goods.", "{n} rounds of moving goods.", table.rounds),)
    if table.engine_cap != Rules.engine_cap:
        yield (count_say("An engine pulls {n} link at most.", "An engine pulls {n} links at most.", table.engine_cap),)
    if any(TERMINAL in city.tags for city in board.cities.values()):
        yield (
            say("Terminals take the colour dealt to them; nothing passes through."),
            say("Track may begin and end at them as at Cities."),
            say("The cubes that show their colours leave the game."),
        )
    if table.own_links == "half":
        yield (say("At least half of the links of a delivery must be your own."),)
    if table.links_of_others:
        yield (
            count_say(
                "Every delivery uses at least {n} link of another player.",
                "Every delivery uses at least {n} links of other players.",
                table.links_of_others,
            ),
            say("Links without an owner do not count."),
        )
    for colour, goods in table.goods.items():
        if goods.income > 0:
            yield (
                say("Who delivers a {colour} cube gains {n} more.", colour=Word(colour), n=goods.income),
                say("This holds without a link of one's own, too."),
            )
        elif goods.income < 0:
            yield (
                say("Who delivers a {colour} cube gains {n} less.", colour=Word(colour), n=-goods.income),
                say("No income falls below 0 by it."),
            )
        if goods.leaves:
            yield (say("A {colour} cube that is delivered leaves the game.", colour=Word(colour)),)


def _money(table: Table) -> Iterator[tuple[Say, ...]]:
    if table.expenses_add_turn:
        yield (say("Expenses: shares, engine and the number of the turn."),)
    if table.bankruptcy == "never":
        yield say("Nobody goes bankrupt."), say("Income never falls below 0; what is missing then is forgiven.")
    if table.income_reduction == "none":
        yield (say("There is no income reduction."),)
        return
    if table.income_reduction == "fives":
        yield (
            say("Income reduction begins at an income of 6."),
            say("It is 1 from 6, 2 from 11, and 1 more for every five steps, at most 10."),
        )
    if len(table.reduction_doubled) == 1:
        yield (say("Turn {turn}: income reduction is doubled.", turn=table.reduction_doubled[0]),)
    elif table.reduction_doubled:
        turns = tuple(map(str, sorted(table.reduction_doubled)))
        yield (say("Turns {turns}: income reduction is doubled.", turns=turns),)


def _growth(board: Board, table: Table) -> Iterator[tuple[Say, ...]]:
    for cube in table.cubes:
        none = [say("When the bag has none, none comes.")] if cube.colour else []
        yield _cube(board, cube), *none, _moment(cube)
    if table.growth_dice is not None:
        light, dark = table.growth_dice
        yield (
            say("Dice of goods growth: {light} for the light half, {dark} for the dark one.", light=light, dark=dark),
        )


def _cube(board: Board, cube: ExtraCube) -> Say:
    place = board.cities[cube.hex].name if cube.hex in board.cities else cube.hex
    if cube.turns is None:
        if cube.colour:
            return say("{city} receives one {colour} cube every turn.", city=place, colour=Word(cube.colour))
        return say("{city} receives one cube from the bag every turn.", city=place)
    first, last = cube.turns
    if cube.colour:
        colour = Word(cube.colour)
        return say("Turns {a} to {b}: {city} receives one {colour} cube.", a=first, b=last, city=place, colour=colour)
    return say("Turns {a} to {b}: {city} receives one cube from the bag.", a=first, b=last, city=place)


def _moment(cube: ExtraCube) -> Say:
    if cube.when == "before production":
        return say("This happens in goods growth, before Production and before the dice.")
    return say("This happens in goods growth, after Production and before the dice.")


def _end(table: Table) -> Iterator[tuple[Say, ...]]:
    if table.end == "last player":
        yield say("The last player who is not bankrupt wins."), say("There is no last turn and there are no points.")
        return
    if table.track_points != 1:
        yield (
            count_say(
                "Each piece of track counts {n} point.", "Each piece of track counts {n} points.", table.track_points
            ),
        )
    if table.dollars_a_point:
        yield (say("Every ${n} at the end is 1 point.", n=table.dollars_a_point),)


def _seen(table: Table) -> Iterator[Say]:
    """What needs no words beside the picture: its key has the prices, and its facts say where Production goes."""
    if table.prices:
        prices = tuple(say("{land} ${price}", land=TERRAIN[land], price=price) for land, price in table.prices.items())
        yield say("A simple tile costs: {prices}.", prices=prices)
    if table.production == "town":
        yield together(
            say("Production puts one cube from the bag on a town."),
            say("Every town that is no New City may take it, and by option every City instead."),
            say("It is delivered from there like one on a City."),
        )


def _printed(board: Board) -> Iterator[Say]:
    """What the board itself says."""
    cities = sorted(
        (city for city in board.cities.values() if TERMINAL not in city.tags), key=lambda city: (-city.cubes, city.name)
    )
    groups = [(n, tuple(city.name for city in found)) for n, found in groupby(cities, key=lambda city: city.cubes)]
    if not groups:
        return
    usual = max(groups, key=lambda group: len(group[1]))
    special = [
        count_say("{cities}: {n} cube at the start.", "{cities}: {n} cubes at the start.", n, cities=names)
        for n, names in groups
        if n != usual[0]
    ]
    every = (
        count_say("Every other City: {n} cube at the start.", "Every other City: {n} cubes at the start.", usual[0])
        if special
        else count_say("Every City: {n} cube at the start.", "Every City: {n} cubes at the start.", usual[0])
    )
    yield together(*special, every)
    yield from _land(board)


def _land(board: Board) -> Iterator[Say]:
    lands = {hex_.terrain for hex_ in board.hexes.values()}
    if "water" in lands:
        yield say("Water is not land: no track can be laid on it or lead into it.")
    if any(hex_.price is not None for hex_ in board.hexes.values()):
        yield say("The number in a box is what a simple tile costs on that hex, whatever the land.")
    bought = tuple(
        say("{link} ${price}", link=link.name, price=link.price)
        for link in board.connections.values()
        if link.price is not None
    )
    if bought:
        yield together(
            say("Special links can be built: {links}.", links=bought),
            say("Each has one owner, counts as one tile and needs no track beside it."),
        )
    if only := tuple(link.name for link in board.connections.values() if NEW_CITY_ONLY in link.tags):
        yield say("Only when its town is a New City: {links}.", links=only)
    if public := tuple(link.name for link in board.connections.values() if link.price is None):
        yield say("Links that belong to everybody from the start: {links}.", links=public)
