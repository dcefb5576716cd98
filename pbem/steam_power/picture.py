"""The position as a scene with nothing secret in it, what the last submission changed, the figures of a map."""

from collections.abc import Mapping, Sequence

from pbem.engine import Say, Seat, Who, count_say, say
from pbem.engine.events import Event, Told, fact, facts_of
from pbem.engine.overview import MapFigures
from pbem.engine.text import PLAIN, Voice
from pbem.rails.board import Label
from pbem.rails.board_text import simple_prices
from pbem.rails.scene import NO_MARKS, Bar, CityPlate, Marks, PlayerRow, Scene, changed_cells, pieces_of
from pbem.steam_power.events import CityFlipped, ContractFulfilled, FactoryBuilt, TrackLaid
from pbem.steam_power.railways import Railways
from pbem.steam_power.rules import Rules, SteamPowerSheet
from pbem.steam_power.state import COLOURS, VICTORY, CityTile, State
from pbem.steam_power.words import COLUMNS, columns, rows

HEADS = {"done": say("Done")}
"""Heads that are shorter here than in the players' table."""
ACTS = (say("track"), say("factory"), say("contract"), say("draw"), say("cash"))
NUMBERED = (say("First action"), say("Second action"))

OWN_DESIGN = say("The map and the contracts are our own design.")


def scene(
    rules: SteamPowerSheet,
    state: State,
    *,
    subtitle: str = "",
    names: Mapping[Seat, str] | None = None,
    marks: Marks | None = None,
    voice: Voice = PLAIN,
) -> Scene:
    """The whole picture of a position; names of seats that are missing are their colours."""
    actor, names, railways = rules.to_act(state), names or {}, rules.railways(state)
    return Scene(
        board=rules.board,
        title=rules.board.name,
        subtitle=subtitle,
        unit=rules.unit.name.read(voice),
        turn=state.turn,
        turns=rules.rounds,
        phases=tuple(head.read(voice) for head in NUMBERED[: rules.actions]),
        phase=None if state.over else _action(rules, state),
        actor=actor,
        headline=_headline(rules, state, actor, names).read(voice),
        track=state.track,
        chains=tuple(railways.chains),
        cities=tuple(_plate(rules, state, label, tile, voice) for label, tile in state.cities.items()),
        towns={},
        cubes={},
        links=(),
        light=(),
        dark=(),
        columns=tuple((c.key, HEADS.get(c.key, c.head).read(voice)) for c in columns(rules, state)),
        players=_players(rules, state, actor, names, voice),
        prices={
            terrain: price.read(voice) for terrain, (_, price) in simple_prices(rules.board, rules.price_words).items()
        },
        notes=tuple(note.read(voice) for note in (*rules.notes, OWN_DESIGN)),
        marks=marks or NO_MARKS,
        orientation=rules.board.orientation,
        acts=() if state.over or state.phase != "actions" else tuple(act.read(voice) for act in ACTS),
        end=ends.read(voice) if (ends := _end(rules, state)) else "",
        progress=say("contracts").read(voice),
        bars=_bars(rules, railways),
        stock=tuple((colour, state.stock(colour)) for colour in COLOURS),
        bag=count_say("bag: {n} contract", "bag: {n} contracts", len(state.bag)).read(voice),
        left_over=state.left_over,
    )


def _action(rules: Rules, state: State) -> int:
    """The head of the action that is being taken: one with a bonus goes on until that is settled."""
    pending = 0 if state.phase == "actions" else 1
    return min(rules.actions - state.left - pending, rules.actions - 1)


def _headline(rules: Rules, state: State, actor: Seat | None, names: Mapping[Seat, str]) -> Say:
    if actor is None:
        return say("The game is over")
    name: Who | Say | str = names.get(actor) or Who(actor)
    if state.company != actor:
        name = say("{player} for {company}", player=name, company=Who(state.company))
    if state.phase == "bonus":
        return say("{player} takes a bonus", player=name)
    if state.phase == "draw":
        return say("{player} draws from a hand", player=name)
    if state.left == 1:
        return say("{player} has one action left", player=name)
    return say("{player} has two actions", player=name)


def _end(rules: Rules, state: State) -> Say | None:
    threshold = rules.end_threshold(len(state.seats))
    if state.over or threshold is None:
        return None
    if rules.last_round(state):
        return say("this round is the last")
    return say("ends after the round in which somebody fulfils contract {number}", number=threshold)


def _plate(rules: Rules, state: State, label: Label, tile: CityTile, voice: Voice) -> CityPlate:
    points = rules.victory_points if tile.colour == VICTORY else 0
    if tile.flipped:
        points = rules.flipped_points
    return CityPlate(
        label,
        (label,),
        rules.board.cities[label].name,
        (tile.colour,),
        cubes=(tile.colour,) * tile.cubes if tile.factory is not None and tile.cubes else None,
        factory=tile.factory,
        pill=say("{n} VP", n=points).read(voice) if points else "",
        used_up=tile.flipped,
    )


def _players(
    rules: Rules, state: State, actor: Seat | None, names: Mapping[Seat, str], voice: Voice
) -> tuple[PlayerRow, ...]:
    goal = rules.end_threshold(len(state.seats))
    return tuple(
        PlayerRow(
            row.seat,
            str(place),
            names.get(row.seat) or voice.who(row.seat),
            {c.key: f"{'$' if c.money else ''}{row.cells[c.key]}" for c in columns(rules, state)},
            row.seat == actor,
            progress=None if goal is None else (len(state.players[row.seat].done), goal),
        )
        for place, row in enumerate(rows(rules, state), 1)
    )


def _bars(rules: Rules, railways: Railways) -> tuple[Bar, ...]:
    """Every common side of adjacent Cities once."""
    board = rules.board
    return tuple(
        Bar(label, edge, rules.groups[label] in railways.open_groups)
        for label in board.cities
        for edge in (0, 1, 2)
        if board.neighbours[label][edge] in board.cities
    )


def marks(rules: Rules, before: State, after: State, events: Sequence[Event | Told]) -> Marks:
    """What one submission changed; its events as they happened or as they are stored."""
    facts = [fact(event) for event in events]
    built = facts_of(facts, FactoryBuilt)
    done = facts_of(facts, ContractFulfilled)
    return Marks(
        laid=tuple(map(pieces_of, facts_of(facts, TrackLaid))),
        cells=changed_cells(rows(rules, before), rows(rules, after), [c.key for c in COLUMNS]),
        grown={told["city"]: (told["colour"],) * told["cubes"] for told in built},
        cities=frozenset(
            {told["city"] for told in (*built, *facts_of(facts, CityFlipped))}
            | {item[1] for told in done for item in told["items"] if item[1] is not None}
        ),
    )


# figures of a map ----------------------------------------------------------------------------------------------------


def map_figures(rules: Rules, dealt: State) -> MapFigures:
    hand = count_say("{n} contract", "{n} contracts", rules.start_hand)
    trains = count_say("{n} train", "{n} trains", rules.trains)
    factories = count_say("{n} factory", "{n} factories", rules.factories)
    return MapFigures(
        (
            (say("Start"), say("${cash}, {contracts}", cash=rules.start_cash, contracts=hand)),
            (say("Pieces of each player"), say("{trains}, {factories}", trains=trains, factories=factories)),
            (say("Contracts in the game"), say("{n}", n=len(rules.contracts))),
        ),
        (say("Any tile"),),
        {kind: (price,) for kind, (_, price) in simple_prices(rules.board, rules.price_words).items()},
    )
