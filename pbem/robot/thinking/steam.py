"""The decisions of Steam Power: each action by how the game ends when it is played on in thought.

Contracts that are drawn later, and trains, are dealt anew for every such end; all actions meet the same ones. With
others only the own company plays on: for about as many actions as it will still have.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from pbem.engine import Place, Question, Say, Seat, Sheet, State, say
from pbem.rails.board import Label, groups_of
from pbem.rails.scene import Scene
from pbem.rails.tiles import ends
from pbem.robot.reasons import Until
from pbem.robot.thinking.decision import Decision, Option, decided, misjudged
from pbem.robot.thinking.steam_figures import COLOURS, PURPLE, Land, Table, Tile, ways_from, ways_of
from pbem.robot.thinking.steam_policy import BONUS_FACTORY, Action, carry_out, options_of, play_on
from pbem.robot.trying import after
from pbem.robot.walks import price_of

TRAINS = 2
"""Actions of each company in a turn."""
RATE, MISSING = 0.85, 8
"""Contracts that the leader fulfils in a turn; those until the end that are missing where no table says it."""
RICH, FULL_HAND = 20, 9
"""Dollars and contracts that are plenty: games in which all wait for more would never end."""
PART, GAMES = 30, 50
"""Outlooks of a character's budget for which it plays one game on, and how many it plays at the most."""
FEWEST, MOST, GAMES_EACH = 3, 14, 4
"""Actions that are played on at the least and at the most, and about how many games there have to be for each of
them."""
LEAST = 2
"""Games that are played on in any case, to say how the game will end."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A position as the seat sees it.

    ``left``: actions after the one in question; ``turn``: after how many a contract is lost, 0 with others;
    ``coming``: companies whose trains are in the bag; ``unseen``: contracts that may be in the bag; ``bonus``: its
    kind, where one is to be taken.
    """

    table: Table
    companies: tuple[Seat, ...]
    company: int
    left: int
    turn: int
    coming: tuple[int, ...]
    unseen: tuple[int, ...]
    bonus: str


@dataclass(slots=True)
class Candidate:
    """An action, its order, and how the games ended in which it was played on; ``rounds``: how often it was in them."""

    action: Action
    order: str
    scores: list[int] = field(default_factory=list)
    rounds: int = 0

    @property
    def mean(self) -> float:
        return sum(self.scores) / max(1, len(self.scores))


def steam(sheet: Sheet, state: State, question: Question, budget: int, slip: float, luck: random.Random) -> Decision:
    """The action after which the games that are played on end best, on average. ``slip``: points by which it errs."""
    seen = look(sheet, state, question.seat)
    actions = _actions(seen)
    if slip:
        actions = [action._replace(score=action.score + luck.gauss(0, slip)) for action in actions]
    games = min(GAMES, max(LEAST, budget // PART))
    found: list[Candidate] = []
    for action in sorted(actions, key=attrgetter("score"), reverse=True):
        order = _order(sheet, state, question, seen, action)
        if order is not None:
            found.append(Candidate(action, order))
        if len(found) >= min(MOST, max(FEWEST, games // GAMES_EACH)):
            break
    work = _compare(seen, found, games, luck)
    found.sort(key=attrgetter("rounds", "mean"), reverse=True)
    options = [Option(one.order, one.mean, _why(seen, one), open=_is_open(seen, one.action)) for one in found]
    return decided(misjudged(options, slip, luck) if slip else options, work, Until.GAME)


def _actions(seen: Seen) -> list[Action]:
    """All that can be done, a factory by a bonus with each number of cubes."""
    table, found = seen.table, list[Action]()
    for action in options_of(table, seen.company, seen.left + 1, seen.bonus):
        if seen.bonus and action.kind == "factory":
            stock = table.stock[table.land.colour[action.city]]
            found += [action._replace(cubes=cubes) for cubes in BONUS_FACTORY if cubes <= stock] or [
                action._replace(cubes=stock)
            ]
        elif table.land.alone or not _hoards(table, action):
            found.append(action)
    return found


def _hoards(table: Table, action: Action) -> bool:
    return (action.kind == "cash" and table.cash >= RICH) or (action.kind == "draw" and len(table.hand) >= FULL_HAND)


def _compare(seen: Seen, found: Sequence[Candidate], games: int, luck: random.Random) -> int:
    """Play all of them on, then the better half of them, and so on; how many games that were."""
    dealt: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    played, left = 0, list(found)
    halvings = max(1, (len(left) - 1).bit_length())
    while True:
        count = max(1 if halvings > 1 else LEAST, games // (halvings * len(left)))
        for one in left:
            one.rounds += 1
            first = len(one.scores)
            while len(dealt) < first + count:
                dealt.append(_deal(seen, luck))
            one.scores += [_end(seen, one.action, deal) for deal in dealt[first : first + count]]
            played += count
        if len(left) <= 2:
            return played
        left = sorted(left, key=attrgetter("rounds", "mean"), reverse=True)[: (len(left) + 1) // 2]


def _deal(seen: Seen, luck: random.Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Contracts in the order in which they are drawn, and companies in that of their trains."""
    trains = luck.sample(seen.coming, len(seen.coming))
    turn = [company for company in range(len(seen.companies)) for _ in range(TRAINS)]
    while len(trains) < seen.left:
        trains += luck.sample(turn, len(turn)) if seen.table.land.alone else [seen.company]
    return tuple(luck.sample(seen.unseen, len(seen.unseen))), tuple(trains)


def _end(seen: Seen, action: Action, dealt: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
    """The points in the end of a game that goes on with an action."""
    table = seen.table.copy()
    contracts, trains = dealt
    table.waiting = list(contracts)
    carry_out(table, seen.company, action, seen.left + 1)
    if seen.turn and not seen.left % seen.turn:
        table.lay_aside()
    return play_on(table, trains, seen.left, seen.turn)


def worth(sheet: Sheet, state: State, seat: Seat) -> float:
    """The points that a seat is expected to have in the end, whoever is to act."""
    seen, luck, total = look(sheet, state, seat), random.Random(0), 0
    for _ in range(GAMES_EACH):
        contracts, trains = _deal(seen, luck)
        table = seen.table.copy()
        table.waiting = list(contracts)
        total += play_on(table, (seen.company, *trains), seen.left + 1, seen.turn)
    return total / GAMES_EACH


# orders and words -----------------------------------------------------------------------------------------


def _order(sheet: Sheet, state: State, question: Question, seen: Seen, action: Action) -> str | None:
    labels, prefix = seen.table.land.labels, "bonus " if seen.bonus else ""
    match action.kind:
        case "contract":
            return _contract(sheet, state, question, seen, action)
        case "factory":
            cubes = f" {action.cubes}" if seen.bonus else ""
            order = f"{prefix}factory {labels[action.city]}{cubes}"
        case "track":
            laid = [tile for link in action.links for tile in link.way.orders]
            order = f"{prefix}track {'; '.join(laid)}"
        case kind:
            order = f"{prefix}{kind}"
    return order if after(sheet, state, question.seat, order) is not None else None


def _contract(sheet: Sheet, state: State, question: Question, seen: Seen, action: Action) -> str | None:
    """That of the question's ways which takes the cubes from where the action takes them."""
    assert action.tile is not None
    words = ["contract", str(action.tile.number)]
    wanted = dict(action.sources)
    before = seen.table.cubes
    for choice in question.choices:
        if choice.order.split()[:2] == words:
            then = after(sheet, state, question.seat, choice.order)
            if then is not None:
                cities = sheet.position(then)["cities"].values()
                if all(
                    old - tile["cubes"] == wanted.get(n, 0)
                    for n, (old, tile) in enumerate(zip(before, cities, strict=True))
                ):
                    return choice.order
    return None


WHY = {
    "contract": say("Fulfils contract {number}: it expects to end with about {points} points."),
    "factory": say("A factory in {city}: it expects to end with about {points} points."),
    "track": say("Connects {places}: it expects to end with about {points} points."),
    "draw": say("Draws contracts: it expects to end with about {points} points."),
    "cash": say("Takes money: it expects to end with about {points} points."),
    "skip": say("Declines the bonus: it expects to end with about {points} points."),
}


def _is_open(seen: Seen, action: Action) -> bool:
    """Whether the reason says nothing but what the order and the table say."""
    return action.kind == "contract" and not seen.table.land.alone


def _why(seen: Seen, one: Candidate) -> Say:
    if _is_open(seen, one.action):
        assert one.action.tile is not None
        return say("Fulfils contract {number}: its cubes are as cheap as they get.", number=str(one.action.tile.number))
    labels, action, named = seen.table.land.labels, one.action, dict[str, object]()
    if action.tile is not None:
        named["number"] = action.tile.number
    elif action.kind == "factory":
        named["city"] = Place(labels[action.city])
    elif action.links:
        ends = dict.fromkeys(city for link in action.links for city in (link.way.start, link.way.goal))
        named["places"] = tuple(Place(labels[city]) for city in ends)
    return Say(WHY[action.kind].one, {**named, "points": round(one.mean)})


# reading ----------------------------------------------------------------------------------------------


def look(sheet: Sheet, state: State, seat: Seat) -> Seen:
    """What a seat sees."""
    rules: Any = sheet
    position, scene = sheet.position(state, seat), sheet.scene(state)
    alone = "companies" in position
    companies = tuple(position["companies"] if alone else position["players"])
    company = companies.index(position["company"] if alone else seat)
    player, bonus = position["players"][seat], (position["phase"], position["to_act"]) == ("bonus", seat)
    table = Table(_land(scene, position, rules.contracts, len(companies), None if alone else company))
    table.cash, table.hand, table.bag = player["cash"], list(player["hand"]), position["bag"]
    table.dollars = rules.cash_action(state)
    table.points = sum(table.land.tiles[number].points for number in player["done"])
    for city, tile in enumerate(position["cities"].values()):
        table.cubes[city] = tile["cubes"]
        if tile["factory"] is not None:
            table.owner[city] = companies.index(tile["factory"])
            table.flipped += tile["flipped"] and table.owns(city)
            table.stock[table.land.colour[city]] -= tile["cubes"]
    _tracks(table, scene, companies)
    coming = tuple(
        companies.index(company) for company, count in position.get("train_bag", {}).items() for _ in range(count)
    )
    if alone:
        left = len(coming) + ((scene.turns or position["turn"]) - position["turn"]) * TRAINS * len(companies)
    else:
        left = max(0, round(_left(position, scene, seat)) - (not bonus))
    known = {*table.hand, *(number for other in position["players"].values() for number in other["done"])}
    return Seen(
        table,
        companies,
        company,
        left,
        TRAINS * len(companies) if alone else 0,
        coming,
        tuple(number for number in table.land.tiles if number not in known),
        table.land.tiles[player["done"][-1]].bonus if bonus else "",
    )


def _left(position: Mapping[str, Any], scene: Scene, seat: Seat) -> float:
    """About how many actions a player will still take, the present one among them."""
    now = position["actions_left"] if position["to_act"] == seat else 0
    if position["last_round"]:
        return float(now)
    missing = min(
        (most - done for done, most in filter(None, (row.progress for row in scene.players))), default=MISSING
    )
    return float(now + TRAINS * missing / RATE)


def _land(
    scene: Scene, position: Mapping[str, Any], contracts: Mapping[int, Any], companies: int, own: int | None
) -> Land:
    """``own``: the company of the player, ``None`` for all."""
    labels = tuple(position["cities"])
    named = groups_of(scene.board, sorted(plate.label for plate in scene.cities))
    groups = {name: number for number, name in enumerate(sorted(set(named.values())))}
    group = tuple(groups[named[label]] for label in labels)
    colours = [tile["colour"] for tile in position["cities"].values()]
    colour = tuple(COLOURS.index(each) if each in COLOURS else PURPLE for each in colours)
    ways = ways_of(scene.board, _hexes(scene, labels), _prices(scene))
    return Land(
        labels,
        colour,
        group,
        tuple(tuple(way for way in ways if group[way.start] == number) for number in groups.values()),
        {
            number: Tile(
                number, tuple(map(tile.needs.count, COLOURS)), len(tile.needs), tile.money, tile.vp, tile.bonus
            )
            for number, tile in contracts.items()
        },
        companies,
        (1 << companies) - 1 if own is None else 1 << own,
        tuple(city for city, each in enumerate(colour) if each != PURPLE),
        tuple(city for city, each in enumerate(colour) if each == PURPLE),
    )


def _hexes(scene: Scene, labels: Sequence[Label]) -> dict[Label, int]:
    """The number of the City on every hex that has one."""
    return {hex_: labels.index(plate.label) for plate in scene.cities for hex_ in plate.hexes}


def _prices(scene: Scene) -> dict[Label, int]:
    return {hex_: price_of(scene, hex_) for hex_ in scene.board.hexes}


def _tracks(table: Table, scene: Scene, companies: Sequence[Seat]) -> None:
    cities = {label: number for number, label in enumerate(table.land.labels)}
    hexes, prices = _hexes(scene, table.land.labels), _prices(scene)
    for chain in scene.chains:
        company = companies.index(chain.owner or "")
        start, goal = chain.ends
        if start is not None and goal is not None:
            table.join(company, cities[start], cities[goal])
        elif chain.anchor is not None:
            ((hex_, edge),) = chain.open
            table.unfinished[company] = tuple(ways_from(scene.board, hexes, prices, cities[chain.anchor], (hex_, edge)))
        for piece in chain.pieces:
            table.track[piece.hex] = (*table.track.get(piece.hex, ()), ends(piece.a, piece.b))
