"""Scenes for tests of pictures: any board with as much track, cubes and marks as a late game has."""

import random
from collections import deque
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

from pbem.engine import replace
from pbem.rails.board import Board, Label
from pbem.rails.drawing import load_board
from pbem.rails.hexes import TOWN, opposite
from pbem.rails.scene import CityPlate, DisplayRow, Marks, PlayerRow, Scene, SpecialLink
from pbem.rails.tiles import TILE_OF, TOWN_TILE_OF, ends
from pbem.rails.track import Net, Segment

Way = list[tuple[Label, int, int]]
LONGEST = 6


def network(board: Board, seats: Sequence[str], pieces: int, seed: int = 1) -> dict[Label, tuple[Segment, ...]]:
    """Track of at least so many pieces, or as many as the board takes; some ends are left open."""
    luck = random.Random(seed)
    track: dict[Label, tuple[Segment, ...]] = {}
    nodes = [*board.city_at, *board.towns]
    pairs = [pair for pair in combinations(nodes, 2) if _steps(board, *pair) <= LONGEST]
    luck.shuffle(pairs)
    for number, (start, goal) in enumerate(pairs):
        if sum(map(len, track.values())) >= pieces:
            break
        way = _way(board, track, start, goal)
        if way is None:
            continue
        owner = None if number % 11 == 7 else seats[number % len(seats)]
        for label, a, b in way[:-1] if number % 9 == 4 and len(way) > 2 else way:
            track[label] = tuple(sorted((*track.get(label, ()), Segment(*ends(a, b), owner)), key=lambda s: s.ends))
    return track


def _steps(board: Board, first: Label, second: Label) -> int:
    a, b = board.hexes[first], board.hexes[second]
    return (abs(a.x - b.x) + abs(a.y - b.y)) // 2


def _way(board: Board, track: dict[Label, tuple[Segment, ...]], start: Label, goal: Label) -> Way | None:
    """The shortest way of pieces from one node to the other that fits what lies there."""
    queue: deque[tuple[Label, int, Way]] = deque()
    for edge in sorted(board.open_sides[start]):
        first: Way = [] if start in board.city_at else [(start, TOWN, edge)]
        if _fits(board, track, first):
            queue.append((start, edge, first))
    seen: set[tuple[Label, int]] = set()
    while queue:
        label, edge, way = queue.popleft()
        beyond = board.neighbours[label][edge]
        if beyond is None or (beyond, edge) in seen or len(way) > LONGEST:
            continue
        seen.add((beyond, edge))
        entered = opposite(edge)
        if beyond == goal:
            last = way if goal in board.city_at else [*way, (beyond, TOWN, entered)]
            if last and _fits(board, track, last):
                return last
        if beyond in board.city_at or beyond in board.towns:
            continue
        for out in sorted(board.open_sides[beyond]):
            piece = (beyond, entered, out)
            if out != entered and all(beyond != other for other, _, _ in way) and _fits(board, track, [piece]):
                queue.append((beyond, out, [*way, piece]))
    return None


def _fits(board: Board, track: dict[Label, tuple[Segment, ...]], way: Way) -> bool:
    for label, a, b in way:
        there = [segment.ends for segment in track.get(label, ())]
        if TOWN in (a, b):
            exits = frozenset(max(pair) for pair in (*there, (a, b)))
            if len(exits) != len(there) + 1 or exits not in TOWN_TILE_OF:
                return False
        elif len(there) > 1 or frozenset({*there, ends(a, b)}) not in TILE_OF:
            return False
    return True


MAPS = Path(__file__).parents[2] / "maps"
SLUGS = sorted(path.parent.name for path in MAPS.glob("*/board.toml"))
COLOURS = ("red", "blue", "purple", "yellow", "black")
SEATS = ("pink", "brown", "yellow", "purple", "blue")
PHASES = ("Shares", "Turn order", "Actions", "Build track", "Move goods", "Income", "Growth")
COLUMNS = (
    ("action", "Action"), ("cash", "Cash"), ("income", "Income"), ("shares", "Shares"), ("engine", "Engine"),
    ("points", "Points"),
)  # fmt: skip
ACTIONS = ("Locomotive", "First Move", "Urbanization", "First Build", "Engineer")
NAMES = ("Łucja", "Brunhilde Katzenellenbogen", "Győző", "Zsófia", "Ana")


@cache
def board(slug: str) -> Board:
    return load_board(MAPS / slug / "board.toml")


@cache
def opening(slug: str) -> Scene:
    """A scene without track."""
    return _scene(board(slug), pieces=0, new=0)


@cache
def late(slug: str = "rust_belt", pieces: int = 88) -> Scene:
    """A scene with about as many pieces of track as a late game of five has, and four New Cities."""
    return _scene(board(slug), pieces, new=4)


def delivered(scene: Scene) -> Scene:
    """The scene just after a delivery over its longest link."""
    chain = max((c for c in scene.chains if c.complete), key=lambda c: (len(c.pieces), c.pieces))
    start, goal = chain.ends
    cells = frozenset({(scene.players[1].seat, "income"), (scene.players[1].seat, "points")})
    return replace(
        scene, marks=Marks(route=chain.pieces, cube="red", taken_from=start or "", brought_to=goal or "", cells=cells)
    )


def built(scene: Scene) -> Scene:
    """The scene just after a build of three steps."""
    chain = next(c for c in scene.chains if len(c.pieces) >= 3)
    return replace(scene, marks=Marks(laid=tuple((piece,) for piece in chain.pieces[:3])))


def _scene(board_: Board, pieces: int, new: int) -> Scene:
    luck = random.Random(board_.slug)
    track = network(board_, SEATS, pieces) if pieces else {}
    towns = sorted(board_.towns, key=lambda label: (label in track, label))
    tiles = dict(zip(towns[:new], sorted(board_.new_cities), strict=False))
    chains = Net(board_, track, tiles).chains
    return Scene(
        board=board_,
        title=board_.name,
        subtitle="Age of Steam · a test",
        unit="Turn",
        turn=5,
        turns=7,
        phases=PHASES,
        phase=4,
        actor=SEATS[0],
        headline=f"{NAMES[0]} moves goods, round 1 of 2",
        track=track,
        chains=tuple(chains),
        cities=_cities(board_, tiles, luck),
        towns={label: name for label, name in board_.towns.items() if label not in tiles},
        cubes={},
        links=tuple(
            SpecialLink(c.id, c.joins, c.hex, c.exits, c.price, SEATS[0] if i % 2 else None, public=c.price is None)
            for i, c in enumerate(board_.connections.values())
        ),
        light=_display(board_, tiles, "L", luck),
        dark=_display(board_, tiles, "D", luck),
        columns=COLUMNS,
        players=_players(),
        prices={"plain": "$2", "river": "$3", "mountain": "$4"},
        notes=("Only complete links may be built.",) if board_.slug != "rust_belt" else (),
        orientation=board_.orientation,
    )


def _cities(board_: Board, tiles: dict[str, str], luck: random.Random) -> tuple[CityPlate, ...]:
    def cubes() -> tuple[str, ...]:
        return tuple(luck.choices(COLOURS, k=luck.randint(0, 5)))

    plates = []
    for city in board_.cities.values():
        kind = next((tag for tag in ("terminal", "zone", "block") if tag in city.tags), "city")
        colours = city.colours or ((luck.choice(COLOURS),) if kind == "terminal" else ())
        held = None if kind == "terminal" else cubes()
        plates.append(CityPlate(city.label, city.hexes, city.name, colours, city.columns, held, kind))
    for label, letter in tiles.items():
        tile = board_.new_cities[letter]
        plates.append(
            CityPlate(label, (label,), board_.towns[label], tile.colours, tile.columns, cubes(), "new", letter)
        )
    return tuple(plates)


def _display(board_: Board, tiles: dict[str, str], half: str, luck: random.Random) -> tuple[DisplayRow, ...]:
    rows = []
    for chip, cities in sorted(board_.columns.items()):
        if chip[0] != half:
            continue
        city = board_.cities[cities[0]]
        new = next((tile for tile in board_.new_cities.values() if chip in tile.columns), None)
        boxes = tuple(luck.choice((*COLOURS, None)) for _ in range(5))
        row = DisplayRow(chip, city.name, city.colours, boxes[:3])
        if new is not None:
            row = replace(
                row, new_letter=new.letter, new_colours=new.colours, new_boxes=boxes[3:],
                new_on_board=new.letter in tiles.values(),
            )  # fmt: skip
        rows.append(row)
    return tuple(rows)


def _players() -> tuple[PlayerRow, ...]:
    rows = []
    for place, (seat, name, action) in enumerate(zip(SEATS, NAMES, ACTIONS, strict=True), 1):
        figures = {"cash": f"${3 * place}", "income": str(12 + place), "shares": "14", "engine": "5", "points": "−6"}
        rows.append(PlayerRow(seat, str(place), name, {"action": action} | figures, to_act=place == 1))
    return (*rows[:-1], PlayerRow(SEATS[-1], "–", NAMES[-1], {}, out="out in turn 2"))
