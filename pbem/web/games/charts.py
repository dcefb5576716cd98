"""Lines of figures over the turns of a game, put into coordinates; the template draws them as SVG."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from pbem.engine import Say, Value, replace
from pbem.render.palette import PLAYERS, code
from pbem.service.archive.course import Course

WIDTH, HEIGHT = 360, 230
LEFT, RIGHT, TOP, BOTTOM = 34, 58, 12, 26
"""Room for numbers beside the lines, for the marks and figures at their ends, above, and for the turns below."""
APART = 17
"""Between two marks at the ends of lines, at the least."""
LOWEST = HEIGHT - BOTTOM + 8
"""Where a mark can stand at the lowest."""
STEPS = (1, 2, 5)
GRID = 5
"""Lines of the grid, at the most."""
FOLLOWING = ("bill",)
"""Shares and engine together."""
LABELS = 12
"""Turns that are named below, at the most."""


class Line(Value):
    """The line of a player: its ``points``, its end, where its mark stands, and the last figure."""

    seat: str
    colour: str
    points: tuple[tuple[int, int], ...]
    x: int
    y: int
    mark: int
    last: int
    out: bool

    @property
    def path(self) -> str:
        """The points as a path of SVG, each seen from the one before: pages have many of them."""
        steps = ((x - left, y - up) for (left, up), (x, y) in pairwise(self.points))
        lines = "".join(f"{'' if number else 'l'}{x:+d}{y:+d}" for number, (x, y) in enumerate(steps))
        return "M{},{}".format(*self.points[0]) + lines.replace("+", " ")


class Chart(Value):
    """One figure of all players.

    ``grid``: height and value of its lines, from ``left`` to ``right``; ``turns``: place and number. ``marks``: places
    of what is numbered from 1 on, and of the numbers themselves; ``unclear``: up to where nobody can tell much.
    """

    head: Say
    lines: tuple[Line, ...]
    grid: tuple[tuple[int, int], ...]
    turns: tuple[tuple[int, str], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    marks: tuple[tuple[int, int], ...] = ()
    unclear: int = LEFT


def charts(course: Course, seats: Sequence[str]) -> tuple[Chart, ...]:
    """A chart for each column of the table of players, but for those that follow from others."""
    return tuple(
        _chart(course, seats, column.key, column.head) for column in course.columns if column.key not in FOLLOWING
    )


def _chart(course: Course, seats: Sequence[str], key: str, head: Say) -> Chart:
    series = {seat: [end.figures.get(seat, {}).get(key) for end in course.turns] for seat in seats}
    return chart(head, series, [end.turn for end in course.turns])


def chart(head: Say, series: Mapping[str, Sequence[int | None]], numbers: Sequence[int]) -> Chart:
    """A chart of a figure after each of these turns, by seat; ``None`` from where on somebody has none."""
    values = [value for line in series.values() for value in line if value is not None]
    grid = _grid(min(values), max(values))
    low, high = grid[0], grid[-1]
    places = [_between(at, 0, max(1, len(numbers) - 1), LEFT, WIDTH - RIGHT) for at in range(len(numbers))]

    def height(value: int) -> int:
        return _between(value, low, high, HEIGHT - BOTTOM, TOP)

    lines = [_line(seat, line, places, height) for seat, line in series.items() if any(v is not None for v in line)]
    every = -(-len(places) // LABELS)
    turns = tuple(
        (place, str(turn)) for at, (place, turn) in enumerate(zip(places, numbers, strict=True)) if at % every == 0
    )
    return Chart(head, _apart(lines), tuple((height(value), value) for value in grid), turns)


def marked(drawn: Chart, marks: Sequence[float], unclear: int) -> Chart:
    """A chart of every turn from 0 on, with numbers inside turns; ``unclear``: up to which turn it tells little."""
    last = max(1, len(drawn.lines[0].points) - 1)
    places = [round(drawn.left + (drawn.right - drawn.left) * mark / last) for mark in (*marks, unclear)]
    numbers: list[int] = []
    for place in places[:-1]:
        numbers.append(max(place, numbers[-1] + APART if numbers else 0))
    return replace(drawn, marks=tuple(zip(places[:-1], numbers, strict=True)), unclear=places[-1])


def _line(seat: str, line: Sequence[int | None], places: Sequence[int], height: Callable[[int], int]) -> Line:
    known = [(place, value) for place, value in zip(places, line, strict=True) if value is not None]
    points = tuple((place, height(value)) for place, value in known)
    place, last = known[-1]
    return Line(seat, code(PLAYERS[seat].core), points, place, height(last), height(last), last, len(known) < len(line))


def _apart(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The marks at the ends moved down so that none lies on another, and those with no room below moved up."""
    ending = sorted((line for line in lines if not line.out), key=lambda line: line.y)
    marks: list[int] = []
    for line in ending:
        marks.append(max(line.y, marks[-1] + APART if marks else 0))
    lowest = LOWEST
    for at in reversed(range(len(marks))):
        marks[at] = min(marks[at], lowest)
        lowest = marks[at] - APART
    found = (replace(line, mark=mark) for line, mark in zip(ending, marks, strict=True))
    return (*(line for line in lines if line.out), *found)


def _grid(low: int, high: int) -> list[int]:
    """Round values from below the least to above the most."""
    size = 1
    while True:
        for step in (factor * size for factor in STEPS):
            first, last = low // step, -(-high // step)
            if last - first < GRID:
                return [step * at for at in range(first, max(last, first + 1) + 1)]
        size *= 10


def _between(value: int, low: int, high: int, start: int, end: int) -> int:
    """In whole units of a picture that is about as many px wide."""
    return round(start + (end - start) * (value - low) / (high - low))
