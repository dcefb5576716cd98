"""A server on which people play, for pictures: open tables, games in their last turn, and games that are over."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from pbem.rails.names import folded
from pbem.service.games import open_tables, opening
from pbem.service.games.terms import Terms
from pbem.service.people import accounts
from pbem.store.tables import Game
from tests.every_page.decisions import kept, stops
from tests.web.site import Site


class OpenTable(NamedTuple):
    """``board``: game and map. ``joined``: who has come after the host. ``seats``: for anybody, with those taken."""

    title: str
    board: str
    host: str
    joined: tuple[str, ...]
    seats: int
    hours: int
    bank: int
    expected: str = "any"
    robots: tuple[str, ...] = ()


TABLES = (
    OpenTable("Coal before breakfast", "age-of-steam/pittsburgh", "Farid", ("Jonas",), 2, 12, 2, "much"),
    OpenTable("Looms and locomotives", "steam-power/northern_england", "Greta", (), 2, 72, 7, "beginners", ("clara",)),
    OpenTable("Vineyards and viaducts", "age-of-steam/france", "Chloé", ("Luc",), 3, 72, 7, "some"),
    OpenTable("Long haul", "age-of-steam/heavy_cardboard", "Eva", ("Bo", "Tom"), 5, 72, 7),
    OpenTable("Two for Galway", "steam-power/ireland", "Maeve", (), 2, 168, 14),
)
OWN = OpenTable("Four winters", "age-of-steam/poland", "Ana", ("Ines",), 3, 72, 7)
"""Ana looks at the pages."""
LAST_TURN = {
    "Rum and rails": "st_lucia-2-to-the-last-turn-partial_link_bonus=yes",
    "Pig iron": "rust_belt-5-to-the-last-turn-2",
}
OVER = {
    "Cotton by rail": "southern_us-4-to-the-last-turn",
    "Mills and moors": "northern_england-3-to-the-end",
}
"""Titles of games, and the kept games that are played."""


def furnish(site: Site) -> int:
    """All of it; Ana's account."""
    for title, name in {**OVER, **LAST_TURN}.items():
        record = kept(name)
        for _ in stops(site, record, {} if title in OVER else {len(record.turns) - 2: ("", "")}):
            break
        with site.office.write() as session:
            game = session.get_one(Game, site.game)
            game.title = title
            if game.deadline_at:
                game.deadline_at = site.now + timedelta(hours=9)
    for table in (*TABLES, OWN):
        system, _, slug = table.board.partition("/")
        new = opening.NewGame(
            table.title,
            system,
            slug,
            (),
            turn_time=timedelta(hours=table.hours),
            bank=timedelta(days=table.bank),
            robots=table.robots,
            open_to=Terms(table.seats, site.now + timedelta(days=6), experience=table.expected),
        )
        opened = opening.open_game(site.office, account(site, table.host), new, site.now)
        for name in table.joined:
            open_tables.join(site.office, opened, account(site, name), site.now)
    return account(site, OWN.host)


def account(site: Site, name: str) -> int:
    """The account of somebody."""
    with site.office.write() as session:
        return accounts.account(session, f"{folded(name)}@example.org", name, site.now).id
