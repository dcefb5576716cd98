"""An invented map of a hundred hexes is drawn from nothing, by a mouse, by a finger and without a script, and played to
its end against robots. By email: tests/workers/test_own_maps_by_mail.py."""

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from pbem.rails.board import Label
from pbem.rails.drawing import read_drawing
from pbem.service.own_maps import beginnings
from pbem.store.statuses import GameStatus
from pbem.store.tables import OwnMapVersion
from tests.drawn import LAKELAND
from tests.web.browsers import PHONE, serving
from tests.web.forms_only import FormsOnly
from tests.web.games.easel import TALL, Easel, at_work
from tests.web.site import Site
from workers import trying

STROKES: Sequence[tuple[str, Sequence[Label]]] = (
    ("=", ["A0", "C0", "E0", "G0", "I0", "K0", "M0", "O0", "Q0", "S0"]),
    ("=", ["I4", "K4", "J5"]),
    ("~", ["C4", "E4", "G4"]),
    ("~", ["M4", "O4", "Q4", "S4"]),
    ("^", ["B7", "D7", "F7", "H7"]),
    ("^", ["C8", "E8", "G8", "I8"]),
    ("M", ["A8"]),
    ("h", ["N7", "P7", "O8", "Q8"]),
    ("%", ["P1", "R1", "S2"]),
    ("#", ["T9"]),
    ("x", ["T1"]),
)
CITIES: Mapping[Label, tuple[str, str, str]] = {
    "B1": ("Harbour", "red", "L1"),
    "A4": ("Upton", "blue", "L2"),
    "D9": ("Ridge", "yellow", "L3"),
    "J9": ("Easton", "purple", "L4"),
    "R9": ("Southey", "red", "D1"),
    "Q6": ("Midway", "blue", "D2"),
    "L1": ("Quay", "purple", "D3"),
    "G2": ("Fenwick", "yellow", "D4"),
}
TOWNS: Mapping[Label, str] = {
    "F3": "Alder",
    "H1": "Birch",
    "K2": "Cedar",
    "I6": "Dale",
    "M6": "Elm",
    "N9": "Fern",
    "Q2": "Glen",
    "O2": "Heath",
}
HANDS: Mapping[str, dict[str, Any]] = {
    "mouse at a desk": {},
    "finger on a phone": {"viewport": PHONE, "has_touch": True},
    "without a script, on a phone": {"viewport": PHONE, "java_script_enabled": False},
}
IN_FIELDS = ("rivers", "walls", "connections")
"""Tables that fields write where there is no script."""
EVENING_S = 15 * 60
"""From *Draw* to the first email of a game."""


def paint(easel: Easel) -> None:
    for sign, hexes in STROKES:
        easel.take(sign)
        easel.stroke(hexes)
    for hex_, (name, colour, column) in CITIES.items():
        easel.city(hex_, name, [colour], [column], 2)
    for hex_, name in TOWNS.items():
        easel.town(hex_, name)
    easel.take("$")
    easel.stroke(["E6"])
    easel.take("w")
    easel.press("E6", 0, -20)
    easel.take("l")
    easel.stroke(["B1"])
    easel.stroke(["L1"])
    easel.take("r")
    easel.stroke(["B5", "C6"])
    easel.page.get_by_label("New Cities").select_option("8")
    easel.fill("What is special, in a few words", "a lake in the middle")


def fill_in(easel: Easel) -> None:
    """Without a script: the text, and fields for what lies between hexes."""
    page = easel.page
    blocks = LAKELAND.split("\n\n")
    typed = "\n\n".join(block for block in blocks if not any(f"[{table}]" in block for table in IN_FIELDS))
    page.locator("#text").fill(typed.replace('"Birch" = "H1"\n', ""))
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#faults")).to_contain_text("The town on H1 has no name.")
    page.locator("#text").fill(typed)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Links, rivers, closed sides, terminals").click()
    page.get_by_role("link", name="Change what is saved of them").click()
    for label, value in (("From", "Harbour"), ("To", "Quay"), ("Price in dollars", "6"), ("Hexes", "B5 C6")):
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Take these links, rivers and terminals").click()
    page.locator('[name="wall.hex"]').fill("E6")
    page.locator('[name="wall.N"]').check()
    page.get_by_role("button", name="Close these sides").click()
    page.get_by_role("link", name="Back to the map").click()


@pytest.mark.parametrize("hand", HANDS)
def test_a_map_drawn_from_nothing_is_played_to_its_end(chromium: Browser, site: Site, hand: str) -> None:
    empty = beginnings.empty("Lakeland", "Ana", "Own design.", 10, 10, "flat-top")
    scripted = HANDS[hand].get("java_script_enabled", True)
    with at_work(chromium, site, empty, **HANDS[hand]) as (easel, _, complaints):
        (paint if scripted else fill_in)(easel)
        page = easel.page
        expect(page.locator("#faults h2")).to_have_text("No faults")
        expect(page.locator("#text")).to_have_value(LAKELAND)
        drawing = read_drawing("own", LAKELAND).board
        assert drawing is not None
        assert (len(drawing.hexes), len(drawing.cities), len(drawing.towns)) == (99, len(CITIES), len(TOWNS))
        assert (len(drawing.connections), len(drawing.walls), len(drawing.rivers)) == (1, 1, 1)
        page.get_by_role("button", name="Play it", exact=True).click()
        expect(page.get_by_text("Robots are trying this map")).to_be_visible()
        trying.try_out(site.office, site.only(select(OwnMapVersion.id)))
        page.locator("#play form button").click()
        expect(page).to_have_url(re.compile("/games/"))
        site.game = urlsplit(page.url).path.rpartition("/")[2]
        assert complaints == []
    assert site.view().sheet.name == "Lakeland"
    player, mine = FormsOnly(site), site.view().seats[0].seat
    for _ in range(300):
        if site.asked().over:
            break
        if site.asked().waiting_for == mine:
            player.answer(site.asked().default())
        else:
            site.robots_answer()
    assert site.row().status == GameStatus.OVER


@pytest.mark.slow
def test_an_invitation_to_a_game_leaves_a_quarter_of_an_hour_after_the_first_stroke(
    chromium: Browser, site: Site
) -> None:
    """At the pace of a hand that knows what it wants to draw: a second for a stroke, a press, and three letters."""
    with serving(site.app) as root:
        page = chromium.new_page(viewport=TALL)
        page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
        page.get_by_role("button", name="Stay logged in").click()
        page.goto(f"{root}/maps")
        easel, began = Easel(page, "flat-top", pace=1000), time.monotonic()

        def go(role: Literal["button", "link"], name: str) -> None:
            easel.rest()
            page.get_by_role(role, name=name, exact=True).click()

        go("link", "Draw a map of your own")
        for label, value in (
            ("Name of the map", "Lakeland"),
            ("Hexes from left to right", "10"),
            ("Hexes from top to bottom", "10"),
        ):
            easel.fill(label, value)
        go("button", "Draw it")
        expect(page.locator("#land use").first).to_be_attached()
        paint(easel)
        expect(page.locator("#faults h2")).to_have_text("No faults")
        assert easel.text.count("=") == LAKELAND.count("=")
        go("button", "Play it")
        trying.try_out(site.office, site.only(select(OwnMapVersion.id)))
        go("link", "Invite people by email")
        easel.fill("Name of the game", "Round the lake")
        easel.fill("Invite", "gil@example.net\nhana@example.net")
        go("button", "Open the game")
        expect(page).to_have_url(re.compile("/games/"))
        sent = site.send_all()
        took = time.monotonic() - began
        page.close()
    assert sent.count("invitation") == 2
    print(f"{took / 60:.1f} minutes from the first press to the invitations")
    assert took < EVENING_S
