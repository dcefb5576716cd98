"""Whole games on a phone by clicks alone, from the start page of a server on which nobody has played yet.

The player knows how to play (a robot says what to order) and uses nothing but links, buttons and lists: no
order is typed, and no address either but that of the start page and that of the link in the email.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from typing_extensions import override

from pbem.robot import opponents, thinking
from pbem.service.base.task_hints import Hint
from pbem.service.orders import robots
from pbem.transport import broker
from tests.web.browsers import PHONE, launched, press, serving
from tests.web.conftest import Games
from tests.web.forms_only import plain
from tests.web.site import Site

PATIENCE = 60_000
"""Milliseconds after which something that should be on a page is missing; robots think within a click."""
BUDGET = 40
"""How much robots think: how well they play is not what is asked here."""
NAME, ADDRESS = "Ann", "ann@example.org"
FEWEST_QUESTIONS, MOST_QUESTIONS = 15, 150
"""A robot may play better or worse in later versions; the test is that a whole game is played."""


class Clicker:
    """Somebody with a phone, who clicks."""

    def __init__(self, site: Site, page: Page, root: str) -> None:
        self.site, self.page, self.root = site, page, root
        self.complaints: list[str] = []
        self.done = 0
        """The orders that led to the question on the page."""
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url} {error}"))

    def begin(self, board: str) -> None:
        """The form of the start page."""
        self.page.goto(self.root)
        self.page.get_by_role("link", name="Play now").click()
        self.page.get_by_role("radio", name=board).check()
        self.page.get_by_label("Your name").fill(NAME)
        self.page.locator("#robots").get_by_label("Your email address").fill(ADDRESS)
        self.page.get_by_role("button", name="Start the game").click()
        self.site.game = self.site.letters("guest-game")[-1].data["game"]

    def play_to_the_end(self) -> int:
        """Answer every question; returns how many there were."""
        for asked in range(MOST_QUESTIONS):
            view = self.site.view()
            if view.status == "over":
                return asked
            self._answer(opponents.decide(view.sheet, view.state, "penny", "a player", view.options).orders)
            self._go_on()
            assert self.site.view().version > view.version
        raise AssertionError("the game does not end")

    def _go_on(self) -> None:
        """To the next question, on top of which stands what was played, or to the finished game."""
        over = self.page.get_by_role("link", name="Look at the whole game")
        until = time.monotonic() + PATIENCE / 1000
        while not self._came_to_a_question() and not over.count():
            assert time.monotonic() < until, self.page.url
            self.page.wait_for_timeout(20)
        self.page.wait_for_load_state()
        assert self.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        if over.count():
            over.click()
            self.page.wait_for_load_state()

    def _came_to_a_question(self) -> bool:
        """Whether the page is that of another question, without a page between."""
        found = re.search(r"[?&]done=(\d+)", self.page.url)
        if found is None or int(found[1]) == self.done:
            return False
        self.done = int(found[1])
        return True

    def _answer(self, order: str) -> None:
        view = self.site.view()
        question = view.sheet.question(view.state)
        match question.form:
            case "build":
                self._build(order)
            case "deliver":
                self._deliver(order)
            case "boxes":
                self.page.get_by_role("link", name="The topmost empty boxes").click()
                self.page.get_by_role("button", name="Place the cubes").click()
            case _:
                press(self.page.locator(f'button[name="orders"][value="{order}"]'))

    def _deliver(self, order: str) -> None:
        instead = self.page.locator(f'button[name="instead"][value="{order}"]')
        if instead.count():
            press(instead)
            return
        chosen = self.page.locator(f'input[name="orders"][value="{order}"]')
        if not chosen.count():
            self.page.get_by_role("link", name="Show all").click()
        chosen.check()
        self.page.get_by_role("button", name="Move the chosen cube").click()

    def _build(self, order: str) -> None:
        """Step by step: a letter and a town, or a hex and a tile that leads to the draft as it should be then."""
        steps = order.removeprefix("build ").split("; ")
        if steps == ["nothing"]:
            self.page.get_by_role("button", name="Build nothing").click()
            return
        for number, step in enumerate(steps, 1):
            wanted = "; ".join(steps[:number])
            match step.split():
                case ["city", letter, _]:
                    self.page.locator(f"#new-city a[href*='new={letter}']").click()
                    expect(self.page.locator("#new-city-h")).to_have_text(f"New City {letter}")
                    self._tile("#new-city", wanted).click()
                case [hex_, *_]:
                    press(self.page.locator(f"#list a[href*='hex={hex_}#']").first)
                    expect(self.page.locator("#pick-h")).to_contain_text(f"Hex {hex_}:")
                    press(self._tile("#tiles", wanted))
            expect(self.page.locator(".steps > li")).to_have_count(number)
        self.page.get_by_role("button", name="Build this for").click()

    def _tile(self, part: str, wanted: str) -> Locator:
        """The link of a part of the page that leads to this draft."""
        links = self.page.locator(f"{part} a")
        addresses: list[str] = links.evaluate_all("links => links.map(link => link.getAttribute('href'))")
        drafts = [parse_qs(urlsplit(address).query).get("steps", [""])[0] for address in addresses]
        same = [plain(draft) == plain(wanted) for draft in drafts]
        assert any(same), (wanted, drafts)
        return links.nth(same.index(True))

    def confirm(self) -> None:
        """The link of the email and its one button."""
        letter = self.site.letters("guest-game")[-1]
        address = self.site.office.addresses.confirm(self.site.game, 0, letter.account_id)
        self.page.goto(self.root + self.site.path(address))
        self.page.get_by_role("button", name="Confirm and play on").click()

    def open_against_robots(self, board: str, *names: str) -> None:
        """The form of a new game."""
        self.page.get_by_role("link", name="pbem", exact=True).click()
        self.page.get_by_role("link", name="New game").first.click()
        self.page.get_by_role("radio", name=board).check()
        self.page.get_by_label("Name of the game").fill("Two robots and I")
        for name in names:
            self.page.get_by_label(name).select_option("1")
        self.page.get_by_role("button", name="Open the game").click()
        if self.page.get_by_text("has its own options").count():
            self.page.get_by_role("button", name="Open the game").click()
        self.site.game = self.page.url.rpartition("/")[2]
        self.page.get_by_role("link", name="Answer now").first.click()


class WithRobots(Site):
    """Pages with a worker that also lets robots think, at once."""

    @override
    def _work(self, hint: Hint) -> None:
        super()._work(hint)
        if hint.task == broker.THINK:
            robots.think(self.office, str(hint.id), self.now)


@pytest.fixture(scope="module")
def blind() -> Iterator[Browser]:
    """A browser without pictures: boards are looked at by other tests, and take longer to draw than all else."""
    with launched("--blink-settings=imagesEnabled=false") as browser:
        yield browser


@pytest.fixture
def clicker(blind: Browser, saved: Games, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clicker]:
    hasty = {key: replace(one, budget=BUDGET) for key, one in thinking.CHARACTERS.items()}
    monkeypatch.setattr(thinking, "CHARACTERS", hasty)
    url = saved._databases.fresh()
    site = WithRobots(url, saved._folder, saved._databases.opened(url))
    context = blind.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    with serving(site.app) as root:
        yield Clicker(site, context.new_page(), root)
        context.close()
    saved.close(site)


def test_a_whole_game_alone_is_played_on_a_phone_by_clicks_and_can_be_looked_at_afterwards(clicker: Clicker) -> None:
    clicker.begin("Barbados")
    assert clicker.play_to_the_end() > FEWEST_QUESTIONS
    expect(clicker.page.get_by_role("heading", name="Final table")).to_be_visible()
    expect(clicker.page.get_by_role("region", name="Step through the game")).to_be_visible()
    assert clicker.complaints == []


def test_a_whole_game_against_two_robots_is_played_on_a_phone_by_clicks_to_the_archive(clicker: Clicker) -> None:
    clicker.begin("Barbados")
    clicker.confirm()
    clicker.open_against_robots("Pittsburgh", "Robot Penny", "Robot Rufus")
    assert clicker.play_to_the_end() > FEWEST_QUESTIONS
    expect(clicker.page.get_by_role("heading", name="Final table")).to_be_visible()
    clicker.page.get_by_role("link", name="Archive", exact=True).first.click()
    expect(clicker.page.get_by_role("link", name="Two robots and I", exact=True)).to_be_visible()
    assert clicker.complaints == []
