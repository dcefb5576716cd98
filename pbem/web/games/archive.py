"""The list of finished games."""

from flask import Blueprint, render_template, url_for

from pbem.engine import Say, catalog, count_say, say
from pbem.service.archive import archive
from pbem.service.archive.archive import Wanted
from pbem.views.games import ArchivePage
from pbem.web.base import summaries
from pbem.web.base.context import office, reader
from pbem.web.base.forms import argument, number

pages = Blueprint("archive", __name__)

ORDERS = {
    "": say("newest first"),
    "longest": say("most orders first"),
    "highest": say("highest score first"),
    "closest": say("closest finish first"),
}


@pages.get("/archive")
def index() -> str:
    own = reader()
    players, order = number("players", 0), argument("order")
    wanted = Wanted(
        map=argument("map"),
        text=argument("q").strip(),
        players=players if players in _counts() else 0,
        order=order if order in ORDERS else "",
        account=own.id if own is not None and argument("mine") == "1" else 0,
    )
    older_than = argument("older")
    page = archive.page(office(), wanted, older_than=older_than) if _possible(wanted) else ArchivePage((), "")
    return render_template(
        "archive.html",
        section="archive",
        wish=wanted,
        count=_count_words(page, wanted),
        filtered=wanted != Wanted(order=wanted.order),
        page=page,
        sheets=catalog.sheets(),
        counts=_counts(),
        orders=ORDERS,
        summary=summaries.line_words,
        results=summaries.results,
        first_page=_address(wanted, "") if older_than else "",
        older=_address(wanted, page.older) if page.older else "",
    )


def _count_words(page: ArchivePage, wanted: Wanted) -> Say:
    order, most = ORDERS[wanted.order], archive.MOST_COUNTED
    found, in_all = page.found, page.in_all
    if found is None:
        return say("Many games, {order}", order=order)
    if found > most:
        return say("More than {n} games, {order}", n=most, order=order)
    if wanted == Wanted(order=wanted.order):
        return count_say("{n} game, {order}", "{n} games, {order}", found, order=order)
    if in_all > most:
        return count_say(
            "{n} of more than {m} games, {order}", "{n} of more than {m} games, {order}", found, m=most, order=order
        )
    return count_say("{n} of {m} games, {order}", "{n} of {m} games, {order}", found, m=in_all, order=order)


def _possible(wanted: Wanted) -> bool:
    counts = [sheet.player_counts() for sheet in catalog.sheets() if sheet.slug == wanted.map]
    return not (wanted.players and counts) or any(wanted.players in those for those in counts)


def _counts() -> list[int]:
    return sorted({count for sheet in catalog.sheets() for count in sheet.player_counts()})


def _address(wanted: Wanted, older: str) -> str:
    return url_for(
        "archive.index",
        q=wanted.text or None,
        map=wanted.map or None,
        players=wanted.players or None,
        order=wanted.order or None,
        mine=1 if wanted.account else None,
        older=older or None,
    )
