"""A real browser paints maps: with the mouse, with fingers, keys, and without the script; it all is the text."""

import re
import tomllib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, FloatRect, ViewportSize, expect

from pbem.engine import catalog
from pbem.rails.drawing import read_drawing
from pbem.service.own_maps import beginnings, drafts
from tests.every_page.looking import looking
from tests.web.addresses import BASE
from tests.web.browsers import DESKTOP, PHONE, serving
from tests.web.games.easel import at_work
from tests.web.site import Site

MAPS = Path(__file__).parents[3] / "maps"
HEAVIEST = 40_000
"""Bytes of HTML."""
PAINTED = ("barbados", "rust_belt")


def printed(slug: str) -> str:
    return (MAPS / slug / "board.toml").read_text("utf-8")


@pytest.mark.parametrize("slug", PAINTED)
def test_a_printed_map_painted_with_the_mouse_is_the_same_byte_for_byte(
    chromium: Browser, site: Site, slug: str
) -> None:
    text = printed(slug)
    board, raw = read_drawing(slug, text).board, tomllib.loads(text)
    assert board is not None
    columns = 1 + max(hex_.x for hex_ in board.hexes.values())
    rows = 1 + max(hex_.y for hex_ in board.hexes.values()) // 2
    empty = beginnings.empty("New", "Ana", "Own design.", columns, rows, board.orientation)
    signs = catalog.painting(text).hexes
    with at_work(chromium, site, empty) as (easel, _, complaints):
        easel.head(board)
        for sign in "~^=":
            easel.paint(sign, [hex_ for hex_ in signs if signs[hex_] == sign])
        easel.paint("x", [hex_ for hex_ in catalog.painting(empty).hexes if hex_ not in signs])
        for city in sorted(board.cities.values(), key=lambda city: city.name):
            easel.city(city.label, city.name, city.colours, city.columns, city.cubes)
        for label, name in sorted(board.towns.items(), key=lambda town: town[1]):
            easel.town(label, name)
        easel.page.get_by_label("New Cities").select_option(str(len(raw["new_cities"])))
        assert easel.text == text
        assert complaints == []


def test_a_map_is_drawn_from_nothing_without_a_script(chromium: Browser, site: Site) -> None:
    """The text is the form: checked until it has no faults, then saved; and its rules are chosen."""
    empty = beginnings.empty("Inland", "Ana", "Own design.", 6, 6, "flat-top")
    with at_work(chromium, site, empty, java_script_enabled=False) as (easel, address, _):
        page = easel.page  # its text would be waited for with a script
        assert page.locator("#board").is_visible()
        assert not page.locator(".tools").is_visible()
        text = empty.replace(".   .", "*   *", 1).replace("  .", "  o", 1)
        page.locator("#text").fill(text)
        page.get_by_role("button", name="Check").click()
        assert page.locator("#faults h2").inner_text() == "3 faults"
        assert page.locator(".fault").count() == 3
        assert page.locator("#saved").inner_text() == "Not saved yet."
        places = '[cities]\n"Ams" = { hex = "A0", colours = ["red"], columns = ["L1"], cubes = 2 }\n'
        places += '"Ber" = { hex = "A2", colours = ["blue"], columns = ["L2"], cubes = 2 }\n[towns]\n"Cly" = "A4"\n'
        page.locator("#text").fill(text + places)
        page.get_by_role("button", name="Save", exact=True).click()
        assert page.locator("#faults h2").inner_text() == "No faults"
        page.get_by_role("button", name="Save, and change the rules").click()
        page.locator('[name="players.0"]').fill("2")
        page.locator('[name="players.1"]').fill("4")
        page.locator('[name="turns.2"]').fill("6")
        page.locator('[name="engineer.discount"]').select_option("cheapest free")
        page.get_by_role("button", name="Take these rules").click()
        assert page.get_by_text("Engineer: the cheapest placement of the turn is free.").is_visible()
        page.goto(address)
        assert page.locator("#faults h2").inner_text() == "No faults"
        rules = (
            '[rules]\nplayers = [2, 4]\nturns = { 2 = 6, 3 = 10, 4 = 8 }\nengineer = { discount = "cheapest free" }\n'
        )
        assert page.locator("#text").input_value().endswith(rules)


def test_keys_walk_and_paint_and_every_step_is_announced(chromium: Browser, site: Site) -> None:
    empty = beginnings.empty("Inland", "Ana", "Own design.", 6, 6, "flat-top")
    with at_work(chromium, site, empty) as (easel, _, complaints):
        page, said = easel.page, easel.page.locator("#said")
        page.locator("#board").focus()
        for keys, words in (
            ("ArrowRight", "A0, plain"),
            ("ArrowDown", "C0, plain"),
            ("^", "Mountain"),
            ("Space", "C0, mountain"),
            ("Shift+ArrowDown", "E0, mountain"),
            ("ArrowUp", "C0, mountain"),
            ("u", "The last stroke is undone."),
            ("ArrowDown", "E0, plain"),
            ("x", "No hex"),
            ("Space", "E0, no hex"),
            ("*", "City"),
            ("Space", "E0, City"),
        ):
            page.keyboard.press(keys)
            expect(said).to_have_text(words)
        page.keyboard.press("Enter")
        page.keyboard.type("Ams")
        page.keyboard.press("Tab")
        expect(page.locator("#hex h2")).to_have_text("E0, Ams, City")
        assert '"Ams" = { hex = "E0", colours = [], cubes = 0 }' in easel.text
        assert easel.text.count("^") == 2  # one in the remark that says what signs mean
        assert complaints == []


def test_what_is_being_filled_in_stays_when_the_server_answers(chromium: Browser, site: Site) -> None:
    with at_work(chromium, site, printed("rust_belt")) as (easel, _, _):
        page = easel.page
        page.get_by_text("Links, rivers, closed sides, terminals").click()
        easel.take("$")
        easel.stroke(["D3"])
        with page.expect_response(lambda answer: answer.url.endswith("/check")):
            page.get_by_role("button", name="Undo").click()
            page.locator('[name="wall.hex"]').fill("D3")
        assert easel.text == printed("rust_belt")
        expect(page.locator('[name="wall.hex"]')).to_have_value("D3")


def test_every_tool_writes_its_table(chromium: Browser, site: Site) -> None:
    with at_work(chromium, site, printed("rust_belt")) as (easel, _, complaints):
        page, before = easel.page, easel.text
        easel.take("$")
        easel.stroke(["D3", "E4"])
        assert "[hexes]\nD3 = { price = 6 }\nE4 = { price = 6 }\n" in easel.text
        easel.stroke(["D3", "E4"])
        assert easel.text == before
        easel.take("w")
        page.mouse.click(*easel.at("D3", 0, -20))
        assert "[walls]\n# " not in easel.text
        assert 'D3 = ["N"]\n' in easel.text
        page.mouse.click(*easel.at("B3", 0, 20))
        assert easel.text == before
        easel.take("r")
        easel.stroke(["D1", "E2", "F3"])
        assert '"River D1" = ["D1", "E2", "F3"]\n' in easel.text
        easel.stroke(["E2"])
        assert easel.text == before
        easel.take("l")
        easel.stroke(["K12"])
        expect(page.locator("#said")).to_have_text("Link from Toledo: choose its other end.")
        easel.stroke(["J15"])
        assert '[connections]\n"Toledo - Cleveland" = { joins = ["K12", "J15"], price = 6 }\n' in easel.text
        easel.take(".")
        easel.stroke(["L7"])
        assert '"Chicago"' not in easel.text
        for _ in range(3):
            page.get_by_role("button", name="Undo").click()
        assert '"Chicago"' in easel.text
        assert "connections" not in easel.text
        assert complaints == []


def test_the_board_grows_and_shrinks_without_leaving_the_page(chromium: Browser, site: Site) -> None:
    with at_work(chromium, site, printed("barbados")) as (easel, _, complaints):
        page, before = easel.page, easel.text
        page.get_by_text("Make the board larger or smaller").click()
        page.get_by_role("button", name="A column more on the left").click()
        expect(page.locator("#said")).to_have_text("Changed.")
        larger = easel.text
        assert larger != before
        easel.take("^")
        easel.stroke(["B0"])
        assert easel.text.count("^") == larger.count("^") + 1
        for _ in range(2):
            page.get_by_role("button", name="Undo").click()
        assert easel.text == before
        page.get_by_role("button", name="A row less above").click()
        expect(page.locator("#said")).to_contain_text("These went with the hexes: ")
        page.get_by_role("button", name="Undo").click()
        assert easel.text == before
        page.get_by_role("button", name="A row more above").click()
        page.get_by_role("button", name="A row less above").click()
        expect(page.locator("#text")).to_have_value(before)
        easel.saved()
        assert complaints == []


def test_links_and_terminals_are_chosen_in_fields_and_undone(chromium: Browser, site: Site) -> None:
    with at_work(chromium, site, printed("rust_belt")) as (easel, _, complaints):
        page, before = easel.page, easel.text
        page.get_by_text("Links, rivers, closed sides, terminals").click()
        easel.fill("From", "Chicago")
        easel.fill("To", "Detroit")
        page.get_by_label("Only with a New City").check()
        page.locator('[name="terminal.L7"]').check()
        page.get_by_role("button", name="Take these links").click()
        expect(page.locator("#said")).to_have_text("Changed.")
        assert '"Chicago - Detroit" = { joins = ["L7", "H13"], tags = ["new city only"] }' in easel.text
        assert 'tags = ["terminal"]' in easel.text
        page.locator("[value='drop link.0']").click()
        expect(page.locator("#text")).not_to_have_value(re.compile("connections"))
        for _ in range(2):
            page.get_by_role("button", name="Undo").click()
        assert easel.text == before
        page.locator('[name="wall.hex"]').fill("D3")
        page.locator('[name="wall.N"]').check()
        page.get_by_role("button", name="Close these sides").click()
        expect(page.locator("#ways")).to_contain_text("No track crosses them: D3 N")
        assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_name_of_a_town_stands_out_from_the_darkest_land(chromium: Browser, site: Site, scheme: str) -> None:
    text = beginnings.empty("Rocks", "Ana", "Own design.", 6, 6, "flat-top").replace(".", "#")
    rocks = text.replace("#   #", "#   o", 1) + '\n[towns]\n"A town of quite a length" = "A2"\n'
    with at_work(chromium, site, rocks, color_scheme=scheme) as (easel, _, _):
        easel.page.wait_for_load_state("networkidle")  # the board is drawn anew once the text is checked
        bounds = easel.page.locator("#over").get_by_text("A town of quite a length").bounding_box()
        assert bounds is not None
        picture = Image.open(BytesIO(easel.page.screenshot(clip=FloatRect(**bounds)))).convert("L")
        tail = picture.crop((picture.width * 3 // 4, 0, picture.width, picture.height))  # beyond the hex of the town
        shades = [shade for n, shade in tail.getcolors(256) or () for _ in range(n)]
        dark, light = (sum(map(test, shades)) / len(shades) for test in (lambda s: s < 70, lambda s: s > 180))
        assert dark > 0.1
        assert light > 0.15


def test_two_fingers_move_the_board_and_one_paints(chromium: Browser, site: Site) -> None:
    empty = beginnings.empty("Inland", "Ana", "Own design.", 14, 12, "flat-top")
    with at_work(chromium, site, empty, viewport=PHONE, has_touch=True) as (easel, _, complaints):
        page, canvas, before = easel.page, easel.page.locator(".canvas"), easel.text
        easel.take("~")
        hand = page.context.new_cdp_session(page)
        canvas.scroll_into_view_if_needed()

        def touch(kind: str, *points: tuple[float, float]) -> None:
            places = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

        (ax, ay), (bx, by) = easel.at("G2"), easel.at("I2")
        touch("touchStart", (ax, ay))
        touch("touchMove", (bx, by))
        touch("touchEnd")
        expect(page.locator("#text")).to_have_value(re.compile("~ river"))
        page.get_by_role("button", name="Undo").click()
        assert easel.text == before
        touch("touchStart", (ax, ay))
        touch("touchStart", (ax, ay), (ax + 60, ay))
        for step in range(1, 6):
            touch("touchMove", (ax - 20 * step, ay), (ax + 60 - 20 * step, ay))
        touch("touchEnd")
        assert easel.text == before
        assert canvas.evaluate("canvas => canvas.scrollLeft") > 50
        assert complaints == []


def test_what_is_typed_is_painted_after_a_rest(chromium: Browser, site: Site) -> None:
    with at_work(chromium, site, printed("rust_belt")) as (easel, _, complaints):
        page, field = easel.page, easel.page.locator("#text")
        field.fill(easel.text.replace('"La Crosse" = "G4"\n', ""))
        expect(page.locator("#faults h2")).to_have_text("1 fault")
        expect(page.locator("#at-G4")).to_be_attached()
        page.get_by_role("link", name="Show G4").click()
        easel.fill("Name", "La Crosse")
        expect(page.locator("#faults h2")).to_have_text("No faults")
        assert easel.text == printed("rust_belt")
        field.fill(easel.text.replace("[towns]", "[towns"))
        expect(page.locator("#faults")).to_contain_text("cannot be read")
        typed = easel.text
        easel.take("^")
        easel.stroke(["A0"])
        assert easel.text == typed
        assert complaints == []


def test_a_fault_is_shown_also_before_the_script_has_read_the_map(chromium: Browser, site: Site) -> None:
    key = drafts.begin(site.office, site.host, printed("rust_belt").replace('"La Crosse" = "G4"\n', ""), site.now)
    with serving(site.app) as root, looking(chromium, root) as looker:
        looker.page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
        looker.page.get_by_role("button", name="Stay logged in").click()
        looker.page.route("**/check", lambda _: None)  # the answer is long in coming
        looker.page.goto(f"{root}/maps/own/{key}")
        looker.page.get_by_role("link", name="Show G4").click()
        expect(looker.page).to_have_url(re.compile("#at-G4$"))
        assert looker.complaints == []


def test_what_is_painted_is_saved_and_another_page_is_noticed(chromium: Browser, site: Site) -> None:
    with at_work(chromium, site, printed("barbados")) as (easel, address, _):
        page = easel.page
        easel.take("~")
        easel.stroke(["C0"])
        easel.saved()
        other = page.context.new_page()
        other.goto(address)
        assert "~ river" in other.locator("#text").input_value()
        other.locator("#text").fill(printed("barbados"))
        other.get_by_role("button", name="Save", exact=True).click()
        easel.stroke(["G0"])
        expect(page.get_by_role("heading", name="Saved meanwhile")).to_be_visible(timeout=20_000)


def test_the_page_of_the_largest_map_is_light(site: Site) -> None:
    text = beginnings.empty("Large", "Ana", "Own design.", 20, 20, "flat-top")
    board = text.replace(".", "*", 12).replace(".", "o", 15)
    key = drafts.begin(site.office, site.host, board, site.now)
    site.log_in()
    page = site.client.get(f"/maps/own/{key}", base_url=BASE)
    assert page.text.count("<text") > 300
    assert len(page.get_data()) <= HEAVIEST


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desk"])
def test_nobody_is_kept_out_of_the_painter(chromium: Browser, site: Site, size: ViewportSize) -> None:
    key = drafts.begin(site.office, site.host, printed("rust_belt").replace('"La Crosse" = "G4"\n', ""), site.now)
    with serving(site.app) as root, looking(chromium, root) as looker:
        looker.page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
        looker.page.get_by_role("button", name="Stay logged in").click()
        for address in (f"/maps/own/{key}", f"/maps/own/{key}/rules", f"/maps/own/{key}/ways"):
            looker.open(address)
            if address.endswith(key):
                expect(looker.page.locator(".fault")).to_have_count(1)
                looker.page.get_by_role("link", name="Show G4").click()
            assert looker.kept_out(size) == []
