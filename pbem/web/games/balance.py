"""The balance report of an own map: begun and stopped by whoever drew it, shown as figures, charts and a board."""

import csv
import io
from collections.abc import Iterator

from flask import Blueprint, Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine import catalog
from pbem.engine.text import say
from pbem.language.catalogues import current
from pbem.language.voice import spoken
from pbem.robot.balance.figures import OfCount, figures
from pbem.service import NoSuch
from pbem.service.base.rate_limits import MAP_REPORTS
from pbem.service.own_maps import reports
from pbem.service.own_maps.reports import Report
from pbem.service.own_maps.versions import Version
from pbem.web.base.context import form_sender, now, office, reader
from pbem.web.base.forms import NO_BUTTON, BadForm, field, number
from pbem.web.boards.heat import HeatBoard, places
from pbem.web.games import balance_charts
from pbem.web.games.own_maps import version_of

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
    """Every figure of every game, one a line."""
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
    sheet, every, income = own.sheet, places(own.sheet), balance_charts.income(games)
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
        seats=balance_charts.seats(found),
        income=income,
        chosen=next(
            (chart for chart in income if chart.players == number("players", 0)), income[0] if income else None
        ),
        tenth=tenth,
        percent=current().percent,
    )


def _cells(count: OfCount) -> tuple[object, ...]:
    """What stands beside :data:`HEADS`."""
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
    """A figure with one decimal."""
    rounded = round(value, 1) + 0.0
    return ("+" if signed and rounded >= 0 else "") + current().number(rounded, 1)
