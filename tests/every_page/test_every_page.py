"""Every page in a real browser: nothing runs over, moves, complains, is heavy, is forbidden, or keeps somebody out."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from pbem.engine import Sheet, catalog, say
from pbem.robot.tutor import Ending
from pbem.service.own_maps import reports
from pbem.service.turns import explanations
from pbem.service.turns.explanations import FIRST, Explained
from tests import reviewed
from tests.drawn import map_of
from tests.every_page.decisions import NAMES, games_of, kept, late_ones, stops
from tests.every_page.looking import Looker, looking
from tests.web.addresses import Known
from tests.web.browsers import DESKTOP, serving
from tests.web.conftest import Played
from tests.web.site import Site
from workers import reporting

ALL_KINDS = {
    "hungary-6-to-the-last-turn-reduction_table=first_edition": (),
    "northern_italy-5-to-the-end-cash_action=5": (),
    "st_lucia-2-to-the-last-turn-partial_link_bonus=yes": ("pay", "decline"),
    "switzerland-3-to-the-last-turn": ("buyback",),
}
"""Kept games that together have every kind of decision; with words, only those are looked at."""
FILES = (".png", ".svg", ".json", ".ics", ".atom", ".txt", ".xml", ".csv", ".zip", ".webp", ".pdf", ".webmanifest",
         ".js", ".css", ".ico", ".toml")  # fmt: skip
NOT_PAGES = ("static", "api", "healthz", "readyz", "metrics", "source", "feed", "explain")


def pages(known: Known, looker: Looker) -> Iterator[tuple[str, str]]:
    """Every page that the host of a game can open, with its rule; the browser is logged in as that host."""
    looker.page.goto(looker.root + known.site.path(known.site.office.addresses.seat(known.site.game, 0)))
    looker.page.get_by_role("button", name="Stay logged in").click()
    for rule, path in known.paths("GET"):
        if rule.endswith(FILES) or set(rule.split("/")) & set(NOT_PAGES) or "<path:" in rule:
            continue
        if looker.page.request.get(looker.root + path, max_redirects=0).status == 200:  # else it leads elsewhere
            yield rule, path


def test_no_page_of_a_server_keeps_anybody_out(chromium: Browser, played: Played) -> None:
    known = Known(played("started"))
    faults: list[str] = []
    seen = 0
    with serving(known.site.app) as root, looking(chromium, root) as looker:
        for _, path in pages(known, looker):
            faults += looker.faults(path)
            seen += 1
    assert not faults, "\n".join(faults)
    assert seen > 20


@pytest.mark.parametrize("name", ALL_KINDS)
def test_no_decision_keeps_anybody_out(chromium: Browser, empty: Site, name: str) -> None:
    assert not (faults := _faults(chromium, empty, name, ALL_KINDS[name])), "\n".join(faults)


def test_no_explanation_keeps_anybody_out(chromium: Browser, empty: Site) -> None:
    """Before its answers are there, when the first are, and when all are."""
    empty.open(NAMES[:1], robots=("rufus", "penny"))
    while empty.asked().waiting_for != empty.view().seats[0].seat:
        empty.play()
    version, orders = empty.view().version, ("issue 0", "issue 2", "issue 3")
    explanations.ask(empty.office, empty.game, version, empty.now)
    endings = {order: tuple(Ending(30 + 9 * n, 1, n) for n in range(FIRST)) for order in orders}
    reasons = dict.fromkeys(orders, say("It pays."))
    faults: list[str] = []
    with serving(empty.app) as root, looking(chromium, root) as looker:
        for known in (None, Explained(endings, reasons), Explained(endings, reasons, done=True)):
            (asked,) = explanations.look(empty.office, empty.now, empty.now) if known else (0,)
            if known and (job := explanations.claim(empty.office, asked, empty.now)):
                explanations.keep(empty.office, job, known, empty.now)
            faults += looker.faults(f"{empty.turn()}?explain=1")
            faults += looker.kept_out(DESKTOP)
            looker.page.goto("about:blank")  # it would be loaded anew as soon as there is more to show
    assert not faults, "\n".join(faults)


def test_no_review_keeps_anybody_out(chromium: Browser, played: Played) -> None:
    over = played("over")
    found = reviewed.decisions(over)
    reviewed.put(over, found, went=reviewed.course(over))
    path = f"/archive/{over.game}/review"
    over.start()  # the page of a game that goes on has the button
    faults: list[str] = []
    with serving(over.app) as root, looking(chromium, root) as looker:
        asked = f"{path}/{found[1].number}/puzzle"
        for place in (path, *(f"{path}/{one.number}" for one in found if one.clear), asked, f"{asked}/answer"):
            faults += looker.faults(place)
        looker.page.goto(root + over.path(over.office.addresses.seat(over.game, 0)))
        looker.page.get_by_role("button", name="Stay logged in").click()
        for place in (path, f"{path}/{found[0].number}", "/account/mistakes"):
            faults += looker.faults(place)
        puzzle = f"/puzzles/{over.later(days=40).date().isoformat()}"
        for place in (puzzle, f"{puzzle}?answer=issue+0", f"{puzzle}/answer"):
            faults += looker.faults(place)
    assert not faults, "\n".join(faults)


def test_no_balance_report_keeps_anybody_out(chromium: Browser, empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """While robots play, and when they have."""
    monkeypatch.setattr(reports, "GAMES", 1)
    ana = empty.account("Ana")
    version = map_of(empty.office, ana, empty.now)
    empty.start()
    reports.ask(empty.office, version, ana, empty.now)
    path, faults = f"/maps/play/{version.key}/balance", list[str]()
    with serving(empty.app) as root, looking(chromium, root) as looker:
        looker.page.goto(root + empty.path(empty.office.addresses.seat(empty.game, 0)))
        looker.page.get_by_role("button", name="Stay logged in").click()
        for _ in range(2):
            faults += looker.faults(path)
            faults += looker.kept_out(DESKTOP)
            looker.page.goto("about:blank")  # it would be loaded anew
            reporting.work_off(empty.office)
    assert not faults, "\n".join(faults)


def test_the_games_that_are_looked_at_have_every_kind_of_decision() -> None:
    everything = {kind for sheet in catalog.sheets() for name in games_of(sheet.slug) for kind in _kinds(name)}
    assert {kind for name in ALL_KINDS for kind in _kinds(name)} == everything


@pytest.mark.slow
@pytest.mark.parametrize("sheet", catalog.sheets(), ids=lambda sheet: sheet.slug)
def test_no_decision_of_any_sheet_keeps_anybody_out(chromium: Browser, empty: Site, sheet: Sheet) -> None:
    longest = max(games_of(sheet.slug), key=lambda name: len(kept(name).turns))
    assert not (faults := _faults(chromium, empty, longest, ())), "\n".join(faults)


def _kinds(name: str) -> set[tuple[str, str, str]]:
    record = kept(name)
    return {(record.game, *kind) for kind in late_ones(record).values()}


def _faults(chromium: Browser, site: Site, name: str, words: tuple[str, ...]) -> list[str]:
    """What is wrong with the pages of a kept game: its late decisions, and the game when it is over.

    ``words``: only decisions that were answered with these.
    """
    record = kept(name)
    wanted = {number: kind for number, kind in late_ones(record).items() if not words or kind[1] in words}
    faults: list[str] = []
    with serving(site.app) as root, looking(chromium, root) as looker:
        for number, (phase, word) in stops(site, record, wanted):
            paths = [site.turn()] if phase != "over" else []
            if not words and number in (
                max(wanted),
                len(record.turns),
            ):  # the game in its last turn, and when it is over
                paths.append(f"/games/{site.game}")
            if word == "cash":  # of two actions the first is chosen, and both
                paths += [f"{site.turn()}?chosen=cash", f"{site.turn()}?chosen=cash&chosen=cash"]
            for path in paths:
                faults += [f"{name}, order {number}, {phase} {word}: {fault}" for fault in looker.faults(path)]
    return faults
