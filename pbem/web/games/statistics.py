"""Statistics of maps and people, ratings, and all of it as downloads."""

from collections.abc import Callable, Iterator, Sequence

from flask import Blueprint, Response, render_template

from pbem.engine import Value, catalog
from pbem.language import current
from pbem.service import NoSuch, Office
from pbem.service.archive import downloads
from pbem.service.base.rate_limits import DOWNLOADS
from pbem.service.statistics import figures, results
from pbem.service.statistics.figures import OfCount
from pbem.service.statistics.results import Person
from pbem.web.base import clients
from pbem.web.base.context import now, office, reader
from pbem.web.boards.pictures import sheet_of

pages = Blueprint("statistics", __name__)

CSV, GZIP = "text/csv; charset=utf-8", "application/gzip"
FILES: dict[str, tuple[Callable[[Office], Iterator[bytes]], str]] = {
    "figures.csv": (downloads.figures, CSV),
    "results.csv": (downloads.all_results, CSV),
    "ratings.csv": (downloads.all_ratings, CSV),
    "records.jsonl.gz": (downloads.all_records, GZIP),
}
WIDTH, HEIGHT = 360, 150
LEFT, RIGHT, TOP, BOTTOM = 34, 8, 16, 24
FRAME = {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT, "top": TOP, "floor": HEIGHT - BOTTOM}
NAMED = 12
"""Bars that have a name below, at the most."""


class Bar(Value):
    """A bar of a chart: where and how high it is, its name below (or nothing) and what it says."""

    x: float
    y: float
    width: float
    height: float
    name: str
    value: str


class Box(Value):
    """The quartiles of values as a box with its median, and the least and the most as a line; ``y`` of each."""

    x: float
    width: float
    least: float
    low: float
    median: float
    high: float
    most: float
    name: str
    value: int


@pages.get("/statistics")
def index() -> str:
    games = figures.games(office())
    total = sum(n for counts in games.values() for n in counts.values())
    played = [sheet for sheet in catalog.sheets() if games.get((sheet.game, sheet.slug))]
    return render_template("statistics.html", section="archive", played=played, games=games, total=total)


@pages.get("/statistics/<slug>")
def of_map(slug: str) -> str:
    sheet = sheet_of(slug)
    found = figures.of_map(office(), sheet.game, sheet.slug)
    last = max((len(turns) for _, turns in found.actions), default=0)
    sums = [sum(turns[at] for _, turns in found.actions) for at in range(last)]
    return render_template(
        "statistics_map.html",
        section="archive",
        sheet=sheet,
        found=found,
        boxes={count.players: _boxes(count) for count in found.counts if count.places},
        bids={count.players: _bars([(str(bid), n, str(n)) for bid, n in count.bids]) for count in found.counts},
        taken=[(sheet.word(action), _bars(_shares(turns, sums)), turns) for action, turns in found.actions],
        sums=sums,
        **FRAME,
    )


@pages.get("/statistics/downloads/<name>")
def download(name: str) -> Response:
    if name not in FILES:
        raise NoSuch(f"There is no download {name}.")
    clients.use(office(), DOWNLOADS, clients.client(), now())
    made, kind = FILES[name]
    return Response(
        made(office()), content_type=kind, headers={"Content-Disposition": f'attachment; filename="pbem-{name}"'}
    )


@pages.get("/ratings")
def ratings() -> str:
    games = list(dict.fromkeys((sheet.game, sheet.game_name) for sheet in catalog.sheets()))
    lists = [(name, results.ranked(office(), game)) for game, name in games]
    return render_template("ratings.html", section="archive", lists=lists)


@pages.get("/players/<int:account_id>")
def person(account_id: int) -> str:
    own = reader()
    found = results.of_account(office(), account_id, own.id if own else None)
    return _person(found, own is not None and own.id == account_id)


@pages.get("/players/<robot>")
def robot(robot: str) -> str:
    return _person(results.of_robot(office(), robot), False)


def _person(found: Person, own: bool) -> str:
    sheets = {(sheet.game, sheet.slug): sheet for sheet in catalog.sheets()}
    played = {(line.game, line.map) for line in found.maps} | {(line.game, line.map) for line in found.latest}
    return render_template(
        "person.html",
        section="archive",
        person=found,
        own=own,
        sheets=sheets | {(game, slug): sheet_of(slug) for game, slug in played if catalog.is_own(slug)},
        lines=[(game, *_line(values)) for game, values in found.lines if len(values) > 1],
        **FRAME,
    )


def _shares(turns: Sequence[int], sums: Sequence[int]) -> list[tuple[str, float, str]]:
    """Of all actions of a turn, how many in a hundred were this one."""
    parts = [100 * n / every if every else 0 for n, every in zip(turns, sums, strict=True)]
    return [(str(turn), part, current().percent(part / 100)) for turn, part in enumerate(parts, 1)]


def _bars(values: Sequence[tuple[str, float, str]]) -> list[Bar]:
    """One bar for each name with its value and what it says, as wide as there is room; the highest fills the height."""
    most = max((value for _, value, _ in values), default=0) or 1
    step = (WIDTH - LEFT - RIGHT) / max(1, len(values))
    every = -(-len(values) // NAMED)
    room = HEIGHT - TOP - BOTTOM
    return [
        Bar(
            x=round(LEFT + at * step + step * 0.12, 1),
            y=round(HEIGHT - BOTTOM - room * value / most, 1),
            width=round(step * 0.76, 1),
            height=round(room * value / most, 1),
            name=name if at % every == 0 else "",
            value=said,
        )
        for at, (name, value, said) in enumerate(values)
    ]


def _boxes(count: OfCount) -> list[Box]:
    least = min(there.least for _, there in count.places)
    most = max(there.most for _, there in count.places)
    step = (WIDTH - LEFT - RIGHT) / len(count.places)

    def height(points: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (points - least) / max(1, most - least), 1)

    return [
        Box(
            round(LEFT + (at + 0.5) * step, 1),
            round(min(step * 0.5, 40), 1),
            height(there.least),
            height(there.low),
            height(there.median),
            height(there.high),
            height(there.most),
            str(place),
            there.median,
        )
        for at, (place, there) in enumerate(count.places)
    ]


def _line(values: Sequence[float]) -> tuple[str, float, float]:
    """The points of a line as SVG has them, and its least and greatest value."""
    least, most = min(values), max(values)
    room, step = HEIGHT - TOP - BOTTOM, (WIDTH - LEFT - RIGHT) / (len(values) - 1)
    places = (
        (LEFT + at * step, HEIGHT - BOTTOM - room * (value - least) / ((most - least) or 1))
        for at, value in enumerate(values)
    )
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places), least, most
