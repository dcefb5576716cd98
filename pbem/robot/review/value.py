"""What a position is worth to each seat, if everybody plays on as the reference robot does.

At the beginning of a turn points are a sum of features with weights that are fitted to games of robots on the same
sheet with as many players, one set for each turn; the chance to win follows from the points of all. Inside a turn it is
the same sum as at the beginning of the next one, corrected by what is still to be done in the turn; the last
turn is played on instead. ``python -m bench.review`` makes the weights and the corrections.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from math import prod
from pathlib import Path
from statistics import NormalDist, fmean

from pbem.engine import Seat, Sheet, State, Value
from pbem.engine.chance import DEAL, SeededChance
from pbem.robot.matches import BANKRUPT, steps, thinker
from pbem.robot.review.continuations import REFERENCE, TILES
from pbem.robot.review.doubts import worth

FOLDER = Path(__file__).parent / "weights"
FEATURES = (
    "outlook", "income", "shares", "cash", "engine", "place", "best_other", "others", "others_income", "players",
)  # fmt: skip
"""Of a seat: the points its robot expects, four figures, its place in the turn order; of the others the best and the
mean outlook and the mean income; how many players are left."""
Features = tuple[float, ...]
MANY = 2
"""From so many orders of a seat in a phase on it no longer counts how many."""
ERROR = NormalDist()
REACH, STEPS = 5, 4
"""Of the sum that a chance is: so many standard deviations to each side of the most points, in so many steps each."""
LOOKED_AT = 10
"""Orders of the reference robot that the digest of its weights holds."""


class Worth(Value):
    """Points in the end, and the chance to win, of 1."""

    points: float
    chance: float


class TurnWeights(Value):
    """``points`` is what everybody has on average; of each feature the mean, the deviation and the weight; ``spread``:
    the standard deviation of what comes of it."""

    points: float
    means: Features
    deviations: Features
    weights: Features
    spread: float

    def expected(self, found: Features) -> float:
        """Points of a seat with these features."""
        rows = zip(found, self.means, self.deviations, self.weights, strict=True)
        return self.points + sum(weight * (value - mean) / deviation for value, mean, deviation, weight in rows)


class SheetWeights(Value):
    """``turns``: by turn, from the second on. ``robots``: the digest of the reference robot they were fitted to.

    ``inside``: by :func:`stage`, what is added to the points inside a turn, and by how much their distance from the
    average counts.
    """

    turns: Mapping[int, TurnWeights]
    robots: str
    inside: Mapping[str, tuple[float, float]] = {}


def features(sheet: Sheet, state: State) -> dict[Seat, Features]:
    """By seat that is still in the game; ``state``: the beginning of a turn."""
    rows = [row for row in sheet.rows(state) if row.out is None]
    outlooks = {row.seat: worth(sheet, state, row.seat, TILES) for row in rows}
    figures = {
        row.seat: [float(str(row.cells.get(key) or 0)) for key in ("income", "shares", "cash", "engine")]
        for row in rows
    }
    found = {}
    for place, row in enumerate(rows):
        others = [other.seat for other in rows if other.seat != row.seat]
        number = max(1, len(others))
        found[row.seat] = (
            outlooks[row.seat],
            *figures[row.seat],
            float(place),
            max((outlooks[other] for other in others), default=0.0),
            sum(outlooks[other] for other in others) / number,
            sum(figures[other][0] for other in others) / number,
            float(len(rows)),
        )
    return found


def chances(points: Mapping[Seat, float], spread: float) -> dict[Seat, float]:
    """To win, for those who are still in the game, if what is expected of each is off by a normal error.

    ``spread``: its standard deviation.
    """
    found, most = dict.fromkeys(points, 0.0), max(points.values(), default=0.0)
    for step in range(-REACH * STEPS, REACH * STEPS + 1):
        off = {seat: (most - value) / spread + step / STEPS for seat, value in points.items()}
        less = {seat: ERROR.cdf(one) for seat, one in off.items()}
        all_less = prod(less.values())
        for seat, one in off.items():
            found[seat] += ERROR.pdf(one) * all_less / less[seat]
    total = sum(found.values())
    return {seat: part / total for seat, part in found.items()}


def value(weights: SheetWeights, sheet: Sheet, state: State, seats: Sequence[Seat]) -> dict[Seat, Worth]:
    """What a position is worth to every seat; ``state``: the beginning of a turn, or the end of the game, where it is
    exact. In the first turn all are alike."""
    if sheet.over(state):
        return at_end(sheet, state)
    turn = weights.turns.get(sheet.turn(state))
    if turn is None:
        mean = weights.turns[min(weights.turns)].points
        return {seat: Worth(mean, 1 / len(seats)) for seat in seats}
    points = {seat: turn.expected(found) for seat, found in features(sheet, state).items()}
    chance = chances(points, turn.spread)
    return {seat: Worth(points.get(seat, BANKRUPT), chance.get(seat, 0.0)) for seat in seats}


def stage(phase: str, given: int) -> str:
    """Of a seat inside a turn; ``given``: how many orders it has given in the phase that is running."""
    return f"{phase} {min(given, MANY)}"


def value_inside(
    weights: SheetWeights, sheet: Sheet, state: State, seats: Sequence[Seat], given: Mapping[Seat, int]
) -> dict[Seat, Worth]:
    """The same of a position inside a turn before the last one; ``given``: the orders of each seat in the phase that is
    running."""
    turn, points = weights.turns[sheet.turn(state) + 1], {}
    for seat, found in features(sheet, state).items():
        added, part = weights.inside.get(stage(sheet.phase(state), given.get(seat, 0)), (0.0, 1.0))
        points[seat] = turn.points + added + part * (turn.expected(found) - turn.points)
    chance = chances(points, turn.spread)
    return {seat: Worth(points.get(seat, BANKRUPT), chance.get(seat, 0.0)) for seat in seats}


def mean_of(found: Sequence[Mapping[Seat, Worth]]) -> dict[Seat, Worth]:
    return {
        seat: Worth(fmean(one[seat].points for one in found), fmean(one[seat].chance for one in found))
        for seat in found[0]
    }


def at_end(sheet: Sheet, state: State) -> dict[Seat, Worth]:
    """Points of everybody, and 1 for who has won, shared by several."""
    standings = sheet.standings(state)
    won = sheet.winners(state, standings)
    return {
        line.seat: Worth(
            BANKRUPT if line.out or line.score is None else line.score, (line.seat in won) / len(won) if won else 0.0
        )
        for line in standings
    }


@cache
def weights_of(map_: str, players: int) -> SheetWeights | None:
    """Those that are shipped; ``None`` where none are, because nothing was fitted or chances came out wrong."""
    path = FOLDER / f"{map_}-{players}.json"
    if not path.is_file():
        return None
    raw = json.loads(path.read_text("utf-8"))
    if not raw["calibrated"]:
        return None
    turns = {
        int(turn): TurnWeights(
            one["points"], tuple(one["means"]), tuple(one["deviations"]), tuple(one["weights"]), one["spread"]
        )
        for turn, one in raw["turns"].items()
    }
    return SheetWeights(turns, raw["robots"], {key: (a, b) for key, (a, b) in raw["inside"].items()})


def digest(sheet: Sheet, players: int) -> str:
    """Of the first orders of a game of reference robots: weights fitted to others say nothing of these."""
    seats, secret = sheet.colours[:players], sha256(b"weights").digest()
    dealt = sheet.start(seats, SeededChance(secret, DEAL), {}).state
    played = steps(sheet, dict.fromkeys(seats, thinker(REFERENCE)), dealt, secret, "weights")
    orders = [f"{seat} {order}" for _, (seat, order, _) in zip(range(LOOKED_AT), played, strict=False)]
    return sha256("\n".join(orders).encode()).hexdigest()[:16]
