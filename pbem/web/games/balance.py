"""The balance report of an own map: begun and stopped by whoever drew it, shown as figures, charts and a board."""

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isfinite

from flask import Blueprint, Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine import Value, catalog, say
from pbem.language.catalogues import current
from pbem.language.voice import spoken
from pbem.robot.balance.figures import Figures, OfCount, figures, medians
from pbem.robot.balance.games import Game
from pbem.service import NoSuch
from pbem.service.base.rate_limits import MAP_REPORTS
from pbem.service.own_maps import reports
from pbem.service.own_maps.reports import Report
from pbem.service.own_maps.versions import Version
from pbem.web.base.context import form_sender, now, office, reader
from pbem.web.base.forms import NO_BUTTON, BadForm, field, number
from pbem.web.boards.heat import HeatBoard, places
from pbem.web.games.own_maps import version_of

MIDDLE, REACH = 165, 90
"""Where a bar of 0 lies, and how far the longest line goes to each side."""
LEFT, RIGHT, TOP, FLOOR = 30, 290, 8, 108
LABELS = 12
"""Turns that are named below, at the most."""


class Bar(Value):
    """A seat: its bar, the line in which chance leaves it (none after one game), its figure, whether to look at it."""

    x: float
    width: float
    low: float | None
    high: float | None
    value: float
    look: bool


class Income(Value):
    """The median incomes with one number of players: a path for each seat, the turns with their places, the highest
    and the lowest; ``money``: cash, income and shares by turn and seat."""

    players: int
    paths: tuple[str, ...]
    turns: tuple[tuple[int, int], ...]
    high: int
    low: int
    money: tuple[tuple[tuple[float, float, float] | None, ...], ...]


def seat_bars(found: Figures) -> list[tuple[int, tuple[Bar, ...]]]:
    shown = [count for count in found.counts if count.players > 1]
    ends = (abs(seat.mean) + (seat.reach if isfinite(seat.reach) else 0) for count in shown for seat in count.seats)
    scale = REACH / (max(ends, default=0) or 1)
    return [
        (
            count.players,
            tuple(
                _bar(seat.mean, seat.reach if isfinite(seat.reach) else None, scale, seat.look) for seat in count.seats
            ),
        )
        for count in shown
    ]


def _bar(mean: float, reach: float | None, scale: float, look: bool) -> Bar:
    low, high = (None, None) if reach is None else (mean - reach, mean + reach)
    return Bar(
        round(MIDDLE + min(0, mean * scale), 1),
        round(abs(mean * scale), 1),
        None if low is None else round(MIDDLE + low * scale, 1),
        None if high is None else round(MIDDLE + high * scale, 1),
        mean,
        look,
    )


def incomes(games: Sequence[Game]) -> list[Income]:
    counts = sorted({game.players for game in games})
    return [_income(n, medians([game for game in games if game.players == n])) for n in counts]


def _income(players: int, money: tuple[tuple[tuple[float, float, float] | None, ...], ...]) -> Income:
    known = [held[1] for row in money for held in row if held is not None]
    low, high = min(0, *known, 0), max(1, *known, 1)
    step = (RIGHT - LEFT) / max(1, len(money) - 1)
    every = -(-len(money) // LABELS)

    def path(seat: int) -> str:
        points = [
            (round(LEFT + turn * step), round(FLOOR - (FLOOR - TOP) * (held[1] - low) / (high - low)))
            for turn, row in enumerate(money)
            if (held := row[seat]) is not None
        ]
        rest = "".join(f"l{x - left} {y - up}" for (left, up), (x, y) in pairwise(points))
        return f"M{points[0][0]} {points[0][1]}{rest}" if points else ""

    turns = tuple((turn + 1, round(LEFT + turn * step)) for turn in range(0, len(money), every))
    return Income(players, tuple(path(seat) for seat in range(players)), turns, round(high), round(low), money)


pages = Blueprint("balance", __name__)

RELOADED = 10
"""Seconds until the page is loaded anew while robots play."""
MONEY = ("cash", "income", "shares")
WAYS = ("begin", "end", "pass")
HEADS = (
    say("Games"),
    say("Points"),
    say("Winner"),
    say("Bankrupt"),
    say("Cubes delivered"),
    say("Links a delivery"),
    say("Links built"),
    say("Orders a game"),
    say("Orders a turn"),
)
Line = tuple[object, ...]


@pages.get("/maps/play/<key>/balance")
def balance(key: str) -> Response:
    """The report on the version in the address, as far as it has come; its owner can begin one."""
    own, report, mine = _seen(key)
    response = make_response(_page(own, report, mine))
    if report is not None and report.open:
        response.headers["Refresh"] = str(RELOADED)
    return response


@pages.post("/maps/play/<key>/balance")
def act(key: str) -> AnyResponse:
    account, own = form_sender(), version_of(key)
    match field("do"):
        case "begin":
            reports.ask(office(), own, account.id, now(), email=field("email", default="") == "1")
        case "stop":
            reports.stop(office(), own, account.id, now())
        case "email" | "quiet" as wish:
            reports.tell(office(), own, account.id, now(), email=wish == "email")
        case _:
            raise BadForm(NO_BUTTON)
    return redirect(url_for("balance.balance", key=key, version=own.number), code=303)


@pages.get("/maps/play/<key>/balance.csv")
def file(key: str) -> Response:
    own, report, _ = _seen(key)
    if report is None:
        raise NoSuch(f"There is no report on version {own.id}.")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("game", "players", "figure", "turn", "seat", "hex", "value"))
    writer.writerows((("", "", "version", "", "", "", own.hash), ("", "", "seed", "", "", "", report.seed)))
    writer.writerows(_lines(report))
    response = Response(text.getvalue(), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="balance-{own.hash[:8]}.csv"'
    return response


def _lines(report: Report) -> Iterator[Line]:
    for at, game in enumerate(report.games, 1):
        start = (at, game.players)
        for figure in ("cubes", "delivered", "ridden", "built"):
            yield (*start, figure, "", "", "", getattr(game, figure))
        for seat, (points, out) in enumerate(zip(game.points, game.out, strict=True), 1):
            yield (*start, "points", "", seat, "", points)
            yield (*start, "bankrupt", "", seat, "", int(out))
        for turn, orders in enumerate(game.orders, 1):
            yield (*start, "orders", turn, "", "", orders)
        for turn, row in enumerate(game.money, 1):
            for seat, held in enumerate(row, 1):
                yield from ((*start, name, turn, seat, "", n) for name, n in zip(MONEY, held or (), strict=False))
        for hex_, use in game.uses.items():
            yield from ((*start, name, "", "", hex_, n) for name, n in zip(WAYS, use, strict=True))
        yield from ((*start, "track", "", "", hex_, 1) for hex_ in game.track)


def _seen(key: str) -> tuple[Version, Report | None, bool]:
    """The version, what this reader sees of its report, and whether it is the reader's map. Raises :class:`NoSuch`."""
    own, account = version_of(key), reader()
    mine = account is not None and account.id == own.owner
    report = reports.seen_by(office(), own, account.id if account is not None else None)
    if report is None and not mine:
        raise NoSuch(f"There is no report on version {own.id} for others.")
    return own, report, mine


def _page(own: Version, report: Report | None, mine: bool) -> str:
    games = report.games if report is not None and not report.open else ()
    sheet, every, income = own.sheet, places(own.sheet), incomes(games)
    found = figures(games, [hexes for hexes, _ in every.values()])
    return render_template(
        "balance.html",
        section="maps",
        own=own,
        mine=mine,
        report=report,
        found=found,
        played=[sum(game.players == n for game in report.games) for n in sheet.player_counts()] if report else [],
        counts=sheet.player_counts(),
        most=reports.most(sheet),
        each=reports.GAMES,
        seconds=reports.SECONDS,
        a_day=MAP_REPORTS.most,
        every=RELOADED,
        names={label: name for label, (_, name) in every.items()},
        board=HeatBoard(catalog.painting(sheet.drawing), found, every) if games else None,
        rows=zip(map(spoken, HEADS), zip(*map(_cells, found.counts), strict=True), strict=True) if games else (),
        seats=seat_bars(found),
        income=income,
        chosen=next(
            (chart for chart in income if chart.players == number("players", 0)), income[0] if income else None
        ),
        tenth=tenth,
        percent=current().percent,
    )


def _cells(count: OfCount) -> tuple[object, ...]:
    return (
        count.games,
        tenth(count.points),
        tenth(count.winner),
        count.out,
        current().percent(count.delivered) if count.delivered is not None else "–",
        tenth(count.ridden) if count.ridden is not None else "–",
        tenth(count.built),
        tenth(count.orders),
        tenth(count.orders / count.turns) if count.turns else "–",
    )


def tenth(value: float, *, signed: bool = False) -> str:
    rounded = round(value, 1) + 0.0
    return ("+" if signed and rounded >= 0 else "") + current().number(rounded, 1)
