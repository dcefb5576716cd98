"""What lies on the table for all to see, read once for a decision."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from pbem.engine import Seat, Sheet, State
from pbem.rails.board import Label
from pbem.rails.scene import DisplayRow, Scene
from pbem.rails.tiles import Ends

ROUNDS = 2
"""Rounds of moving goods, where the present turn does not tell."""
BUILDING, MOVING = "build_track", "move_goods."
PLENTY_OF_TURNS = 4
"""Turns that a game without a fixed end is taken to go on."""
FACES = 6
CLOSED = frozenset({"terminal", "zone"})
"""Kinds of City through which no cube passes on."""


class Company(NamedTuple):
    """What lies in front of a player, or will after what is thought of. ``points``: of track; ``extra``: dollars of the
    bill besides shares and engine."""

    cash: float
    income: float
    shares: int
    engine: int
    points: float
    extra: int = 0
    action: str | None = None


@dataclass(frozen=True, slots=True)
class Cubes:
    """Cubes of one colour in one place. ``ready``: in how many turns they are expected there, 0 for those that lie."""

    node: Label
    colour: str
    ready: int
    count: int


@dataclass(frozen=True)
class Table:
    """A position before a decision. ``left``: turns after this one. ``moving``: who moves goods still, in order.

    ``barred``: Cities, and towns that may become Cities, at which the seat's new track may not begin. ``open_ends``:
    whether a build may leave track unfinished. ``rules``: the sheet again, for what only sheets of Age of Steam are
    asked.
    """

    sheet: Sheet
    state: State
    seat: Seat
    scene: Scene
    companies: Mapping[Seat, Company]
    order: tuple[Seat, ...]
    left: int
    rounds: int
    moving: tuple[Seat, ...]
    cubes: tuple[Cubes, ...]
    dice: int
    actions: frozenset[str]
    rules: Any
    barred: frozenset[Label]
    open_ends: bool

    @cached_property
    def together(self) -> bool:
        """Whether the seat's track has to hang together: some City, not a zone in which links end, is barred."""
        return any(plate.label in self.barred and plate.kind not in CLOSED for plate in self.scene.cities)

    def price(self, label: Label, added: tuple[Ends, ...]) -> int:
        return int(self.rules.track_price(self.state, self.seat, label, added))

    @property
    def me(self) -> Company:
        return self.companies[self.seat]


def read_table(sheet: Sheet, state: State, seat: Seat) -> Table:
    """The table of a game of Age of Steam as everybody sees it."""
    rules: Any = sheet
    position = sheet.position(state, seat)
    scene: Scene = sheet.scene(state)
    order = tuple(position["order"])
    bills = {row.seat: row.cells.get("bill") for row in sheet.rows(state)}
    companies = {other: _company(position["players"][other], bills.get(other)) for other in order}
    turns = sheet.turns(len(position["players"]))
    left = PLENTY_OF_TURNS if turns is None else turns - sheet.turn(state)
    rounds, moving = _moving(sheet, state, order, companies)
    dice, actions = len(position["players"]), frozenset[str](rules.actions)
    cubes = (*lying(scene), *_coming(scene, dice))
    nodes = (*(plate.label for plate in scene.cities), *scene.towns)
    barred = frozenset(node for node in nodes if not rules.anchors(state, seat, node))
    open_ends = all(phase.parts for phase in rules.phases if phase.name == BUILDING)
    return Table(
        sheet,
        state,
        seat,
        scene,
        companies,
        order,
        left,
        rounds,
        moving,
        cubes,
        dice,
        actions,
        rules,
        barred,
        open_ends,
    )


def turns_until(place: int, dice: int) -> int:
    """In how many turns the cube in this place of a column is expected."""
    return -(-FACES * place // max(dice, 1))


def _company(seen: Mapping[str, object], bill: object) -> Company:
    cash, income, shares, engine = (int(str(seen[key])) for key in ("cash", "income", "shares", "engine"))
    action, points = seen.get("action"), seen.get("points")
    extra = bill - shares - engine if isinstance(bill, int) else 0
    scored = int(str(points)) - 3 * income + 3 * shares if points is not None else 0
    return Company(cash, income, shares, engine, scored, extra, None if action is None else str(action))


def _moving(
    sheet: Sheet, state: State, order: tuple[Seat, ...], companies: Mapping[Seat, Company]
) -> tuple[int, tuple[Seat, ...]]:
    """The rounds of a turn, and who has yet to move in which order."""
    first = [seat for seat in order if companies[seat].action == "first-move"]
    led = (*first, *(seat for seat in order if seat not in first))
    moments = {seat: sheet.moments(state, seat) for seat in led}
    names = sorted({name for asked in moments.values() for name in asked if name.startswith(MOVING)})
    rounds = max((int(name.removeprefix(MOVING)) for name in names), default=ROUNDS)
    return rounds, tuple(seat for name in names for seat in led if name in moments[seat])


def lying(scene: Scene) -> list[Cubes]:
    found = Counter((plate.label, colour) for plate in scene.cities for colour in plate.cubes or ())
    found.update((label, colour) for label, cubes in scene.cubes.items() for colour in cubes)
    return [Cubes(label, colour, 0, count) for (label, colour), count in found.items()]


def _coming(scene: Scene, dice: int) -> list[Cubes]:
    """Those of the goods display that feed Cities on the board."""
    found = Counter[tuple[Label, str, int]]()
    for row in (*scene.light, *scene.dark):
        for label, boxes in _fed(scene, row):
            waiting = [colour for colour in boxes if colour is not None]
            for place, colour in enumerate(waiting, 1):
                found[label, colour, turns_until(place, dice)] += 1
    return [Cubes(*key, count) for key, count in found.items()]


def _fed(scene: Scene, row: DisplayRow) -> list[tuple[Label, tuple[str | None, ...]]]:
    """The Cities that a row of the display feeds, with the boxes."""
    fed = [(plate.label, row.boxes) for plate in scene.cities if plate.kind != "new" and row.chip in plate.chips][:1]
    new = [plate for plate in scene.cities if plate.kind == "new" and row.new_letter and plate.letter == row.new_letter]
    return fed + [(plate.label, row.new_boxes) for plate in new]
