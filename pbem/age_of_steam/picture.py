"""The position as a scene to be drawn, what the last submission changed in it, and the figures of a map."""

from collections.abc import Mapping, Sequence

from pbem.age_of_steam import words
from pbem.age_of_steam.events_build import Built, CityPlaced, LinkBought
from pbem.age_of_steam.events_goods import CubesGrew, CubesPlaced, CubesProduced, Delivered
from pbem.age_of_steam.phases.base import AgeOfSteamSheet
from pbem.age_of_steam.phases.move_goods import Moving
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.age_of_steam.words import WORDS, rows
from pbem.engine import Say, Seat, Who, count_say, say
from pbem.engine.events import Event, Fact, Told, fact, facts_of
from pbem.engine.overview import MapFigures
from pbem.engine.text import PLAIN, Voice
from pbem.rails.board import City, Label
from pbem.rails.board_text import simple_prices
from pbem.rails.scene import (
    NO_MARKS,
    CityPlate,
    DisplayRow,
    Marks,
    PlayerRow,
    Scene,
    SpecialLink,
    changed_cells,
    pieces_of,
)
from pbem.rails.tiles import TILE_OF, tile_class
from pbem.rails.track import Net

HEADS = {
    # TRANSLATORS: Heads of the phases in the picture, in a row: as short as can be.
    "issue_shares": say("Shares"),
    "turn_order": say("Turn order"),
    "select_actions": say("Actions"),
    "build_track": say("Build track"),
    "move_goods": say("Move goods"),
    "collect_income": say("Income"),
    "goods_growth": say("Growth"),
}
"""The heads of the phases in the picture; phases without one are part of the one before."""
COLUMNS = tuple(column for column in words.COLUMNS if column.key != "bill")
KEYS = tuple(column.key for column in COLUMNS)


def scene(
    rules: AgeOfSteamSheet,
    state: State,
    *,
    subtitle: str = "",
    names: Mapping[Seat, str] | None = None,
    marks: Marks | None = None,
    voice: Voice = PLAIN,
) -> Scene:
    """The whole picture of a position; names of seats that are missing are their colours."""
    actor, names = rules.to_act(state), names or {}
    heads = _heads(rules, state)
    grows = "goods_growth" in heads
    net = rules.net(state)
    return Scene(
        board=rules.board,
        title=rules.board.name,
        subtitle=subtitle,
        unit=rules.unit.name.read(voice),
        turn=state.turn,
        turns=rules.game_turns[len(state.seats)],
        phases=tuple(HEADS[name].read(voice) for name in heads),
        phase=None if state.over or state.phase not in heads else heads.index(state.phase),
        actor=actor,
        headline=_headline(rules, state, actor, names).read(voice),
        track=state.track,
        chains=tuple(net.chains),
        cities=_plates(rules, state),
        towns={label: name for label, name in rules.board.towns.items() if label not in net.cities},
        cubes=_cubes_outside_cities(state, net),
        links=_links(rules, state),
        light=_display(rules, state, "L") if grows else (),
        dark=_display(rules, state, "D") if grows else (),
        columns=_columns(rules, voice),
        players=_players(rules, state, actor, names, voice),
        prices={
            terrain: price.read(voice) for terrain, (_, price) in simple_prices(rules.board, rules.price_words).items()
        },
        notes=tuple(note.read(voice) for note in (*rules.notes, *rules.facts(state))),
        marks=marks or NO_MARKS,
        orientation=rules.board.orientation,
    )


def _heads(rules: AgeOfSteamSheet, state: State) -> list[str]:
    """The phases that stand over the board; alone there is no turn order."""
    left_out = "turn_order" if len(state.seats) == 1 else ""
    return [phase.name for phase in rules.phases if phase.name in HEADS and phase.name != left_out]


def _columns(rules: AgeOfSteamSheet, voice: Voice) -> tuple[tuple[str, str], ...]:
    return tuple((c.key, c.head.read(voice)) for c in COLUMNS if rules.scored or c.key != "points")


def _cubes_outside_cities(state: State, net: Net) -> dict[Label, tuple[str, ...]]:
    return {label: cubes for label, cubes in state.cubes.items() if cubes and label not in net.cities}


def _links(rules: AgeOfSteamSheet, state: State) -> tuple[SpecialLink, ...]:
    return tuple(
        SpecialLink(c.id, c.joins, c.hex, c.exits, c.price, state.links.get(c.id), public=c.price is None)
        for c in rules.board.connections.values()
    )


def _name(names: Mapping[Seat, str], seat: Seat) -> Who | str:
    return names.get(seat) or Who(seat)


def _headline(rules: AgeOfSteamSheet, state: State, actor: Seat | None, names: Mapping[Seat, str]) -> Say:
    if state.over or actor is None:
        return say("The game is over")
    if isinstance(state.scratch, Moving):
        return say(
            "{player} moves goods, round {round} of {rounds}",
            player=_name(names, actor),
            round=state.scratch.round,
            rounds=rules.rounds,
        )
    return Say(rules.phase_of(state).act.one, {"player": _name(names, actor)})


def _plates(rules: Rules, state: State) -> tuple[CityPlate, ...]:
    plates = [_plate(rules, state, city) for city in rules.board.cities.values()]
    for letter, label in state.new_cities.items():
        tile = rules.board.new_cities[letter]
        cubes = state.cubes.get(label, ())
        plates.append(
            CityPlate(label, (label,), rules.board.towns[label], tile.colours, tile.columns, cubes, "new", letter)
        )
    return tuple(plates)


def _plate(rules: Rules, state: State, city: City) -> CityPlate:
    kind = next((tag for tag in ("terminal", "zone", "block") if tag in city.tags), "city")
    cubes = None if kind == "terminal" else state.cubes.get(city.label, ())
    return CityPlate(city.label, city.hexes, city.name, rules.accepts(state, city.label), city.columns, cubes, kind)


def _display(rules: Rules, state: State, half: str) -> tuple[DisplayRow, ...]:
    lines = []
    for number in range(1, 7):
        chip = f"{half}{number}"
        cities = [rules.board.cities[label] for label in rules.board.columns.get(chip, ())]
        tiles = (tile for tile in rules.board.new_cities.values() if tile.letter in state.display)
        new = next((tile for tile in tiles if chip in tile.columns), None)
        if chip not in state.display and new is None:
            continue
        lines.append(
            DisplayRow(
                chip,
                cities[0].name if cities else "",
                cities[0].colours if cities else (),
                state.display.get(chip, ()),
                new.letter if new else "",
                new.colours if new else (),
                new is not None and new.letter in state.new_cities,
                state.display.get(new.letter, ()) if new else (),
            )
        )
    return tuple(lines)


def _players(
    rules: Rules, state: State, actor: Seat | None, names: Mapping[Seat, str], voice: Voice
) -> tuple[PlayerRow, ...]:
    table = []
    for place, row in enumerate(rows(rules, state), 1):
        out = row.out.read(voice) if row.out is not None else ""
        name = names.get(row.seat) or voice.who(row.seat)
        cells = {} if out else {key: _cell(key, row.cells[key], voice) for key in KEYS}
        table.append(PlayerRow(row.seat, "–" if out else str(place), name, cells, row.seat == actor, out))
    return tuple(table)


def _cell(key: str, value: int | Say | None, voice: Voice) -> str:
    if key == "cash":
        return f"${value}"
    if isinstance(value, int):
        return str(value).replace("-", "−")
    return "" if value is None else voice.word(WORDS.get(str(value), str(value)))


def marks(rules: Rules, before: State, after: State, events: Sequence[Event | Told]) -> Marks:
    """What one submission changed; its events as they happened or as they are stored."""
    facts = [fact(event) for event in events]
    built, moved, placed, bought = (facts_of(facts, kind) for kind in (Built, Delivered, CityPlaced, LinkBought))
    delivered = moved[0] if moved else None
    return Marks(
        laid=tuple(map(pieces_of, built)),
        route=pieces_of(delivered) if delivered else (),
        cube=delivered["colour"] if delivered else "",
        taken_from=delivered["start"] if delivered else "",
        brought_to=delivered["nodes"][-1] if delivered else "",
        new_city=placed[0]["hex"] if placed else "",
        special=bought[0]["id"] if bought else "",
        cells=changed_cells(rows(rules, before), rows(rules, after), KEYS),
        grown=_grown(facts),
    )


def _grown(facts: Sequence[Fact]) -> dict[Label, tuple[str, ...]]:
    grown: dict[Label, tuple[str, ...]] = {}
    for kind, told in facts:
        if kind in (CubesGrew.__name__, CubesPlaced.__name__):
            grown[told["label"]] = (*grown.get(told["label"], ()), *told["cubes"])
        if kind == CubesProduced.__name__:
            for colour, column, _ in told["puts"]:
                grown[column] = (*grown.get(column, ()), colour)
    return grown


# figures of a map ----------------------------------------------------------------------------------------------------


TILES = (
    # TRANSLATORS: Head of a column: the price of a tile with one piece of track.
    ("simple", say("Simple")),
    # TRANSLATORS: Head of a column: the price of a tile with two pieces of track that do not cross.
    ("coexist", say("Two tracks")),
    # TRANSLATORS: Head of a column: the price of a tile on which two pieces of track cross.
    ("cross", say("Crossing")),
)


def map_figures(rules: Rules, dealt: State) -> MapFigures:
    player = dealt.players[dealt.order[0]]
    bag = sum(dealt.bag.values())
    lying = sum(map(len, (*dealt.cubes.values(), *dealt.accepts.values())))
    waiting = sum(cube is not None for boxes in dealt.display.values() for cube in boxes)
    shares = count_say("{n} share", "{n} shares", player.shares)
    cubes = say("{n}, {bag} of them in the bag", n=bag + lying + waiting, bag=bag)
    return MapFigures(
        (
            (
                say("Start"),
                say("${cash}, {shares}, engine {engine}", cash=player.cash, shares=shares, engine=player.engine),
            ),
            (say("Cubes"), cubes),
        ),
        tuple(head for _, head in TILES),
        {
            kind: (price, *(_price(rules, dealt, label, tile) for tile, _ in TILES[1:]))
            for kind, (label, price) in simple_prices(rules.board, rules.price_words).items()
        },
    )


def _price(rules: Rules, dealt: State, label: Label, kind: str) -> Say:
    """What tiles of a kind cost on an empty hex: the one price, or from the least to the most."""
    prices = {
        rules.placement_price(dealt, dealt.order[0], Placement(label, tile, "", tuple(sorted(segments))))
        for segments, tile in TILE_OF.items()
        if tile_class(tile) == kind and rules.tiles_in_box(dealt).get(tile)
    }
    if len(prices) > 1:
        return say("${least} to ${most}", least=min(prices), most=max(prices))
    return say("${price}", price=min(prices)) if prices else say("none")
