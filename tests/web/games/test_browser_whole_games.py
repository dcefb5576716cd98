"""Whole games on a phone by clicks alone, and at a desk by keys alone, from the start page of a new server.

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
from tests.web.browsers import DESKTOP, PHONE, folded, launched, press, serving
from tests.web.conftest import Games
from tests.web.forms_only import plain
from tests.web.site import Site

PATIENCE = 60_000
"""Milliseconds after which something that should be on a page is missing; robots think within a click."""
BUDGET = 8
"""How much robots think: how well they play is not what is asked here."""
NAME, ADDRESS = "Ann", "ann@example.org"
MOST_STOPS = 400
"""Presses of the tab key after which everything on a page has been passed."""
MARK = "window.old = document.querySelector('#builder') ?? document.body"
IS_NEW = "() => !window.old?.isConnected"
"""Whether what was marked has made way for another page, or for another draft on its page."""
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

    def press(self, target: Locator) -> None:
        """A link, a button, or what opens a closed part."""
        press(target)

    def check(self, target: Locator) -> None:
        """One of several of which one is chosen."""
        target.check()

    def begin(self, board: str) -> None:
        """The form of the start page."""
        self.page.goto(self.root)
        self.press(self.page.get_by_role("link", name="Play now"))
        self.check(self.page.get_by_role("radio", name=board))
        self.page.get_by_label("Your name").fill(NAME)
        self.page.locator("#robots").get_by_label("Your email address").fill(ADDRESS)
        self.press(self.page.get_by_role("button", name="Start the game"))
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
        wide, room = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= room
        if over.count():
            self.press(over)
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
        several = self.page.locator("#choose").count()
        match question.form:
            case "build":
                self._build(order)
            case "deliver":
                self._deliver(order)
            case "boxes":
                self.press(self.page.get_by_role("link", name="The topmost empty boxes"))
                place = self.page.get_by_role("button", name="Place the cubes")
                expect(place).to_be_visible()
                self.press(place)
            case _:
                choice = self.page.locator(f'button[value="{order}"]')
                if choice.count():
                    self.press(choice)
                else:
                    self.press(self.page.locator("a[href*='build=1']").first)
                    self._build(order)
        if several:
            self.press(self.page.get_by_role("button", name=re.compile("^Send (only )?this action")))

    def _deliver(self, order: str) -> None:
        instead = self.page.locator(f'button[name="instead"][value="{order}"]')
        if instead.count():
            self.press(instead)
            return
        chosen = self.page.locator(f'input[name="orders"][value="{order}"]')
        if not chosen.count():
            self.press(self.page.get_by_role("link", name="Show all"))
        self.check(chosen)
        self.press(self.page.get_by_role("button", name="Move the chosen cube"))

    def _build(self, order: str) -> None:
        """Step by step: a letter and a town, or a hex and a tile that leads to the draft as it should be then."""
        steps = re.sub(r"^(bonus )?(build|track) ", "", order).split("; ")
        if steps == ["nothing"]:
            self.press(self.page.get_by_role("button", name="Build nothing"))
            return
        for number, step in enumerate(steps, 1):
            wanted = "; ".join(steps[:number])
            match step.split():
                case ["city", letter, _]:
                    self.press(self.page.locator(f"#new-city a[href*='new={letter}']"))
                    expect(self.page.locator("#new-city-h")).to_have_text(f"New City {letter}")
                    self.press(self._tile("#new-city", wanted))
                case [hex_, *_]:
                    self.press(self.page.locator(f"#list a[href*='hex={hex_}#']").first)
                    expect(self.page.locator("#pick-h")).to_contain_text(f"Hex {hex_}:")
                    self.press(self._tile("#tiles", wanted))
            expect(self.page.locator(".steps > li")).to_have_count(number)
        self.press(self.page.get_by_role("button", name=re.compile("^(Build this for|Choose this build)")))

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
        self.press(self.page.get_by_role("button", name="Confirm and play on"))

    def open_against_robots(self, board: str, *names: str) -> None:
        """The form of a new game."""
        self.press(self.page.get_by_role("link", name="pbem", exact=True))
        self.press(self.page.get_by_role("link", name="New game").first)
        self.check(self.page.get_by_role("radio", name=board))
        self.page.get_by_label("Name of the game").fill("Two robots and I")
        for name in names:
            self.page.get_by_label(name).fill("1")
        self.press(self.page.get_by_role("button", name="Open the game"))
        self.page.wait_for_load_state()
        if self.page.get_by_text("has its own options").count():
            self.press(self.page.get_by_role("button", name="Open the game"))
        self.site.game = self.page.url.rpartition("/")[2]
        self.press(self.page.get_by_role("link", name="Answer now").first)


class Typist(Clicker):
    """Somebody at a desk without a mouse: every press is a walk by the tab key and one more key."""

    @override
    def press(self, target: Locator) -> None:
        if fold := folded(target):
            self._walk_to(fold)
            self.page.keyboard.press("Enter")
            expect(target).to_be_visible()
        self._walk_to(target)
        self.page.evaluate(MARK)
        self.page.keyboard.press("Enter")
        self.page.wait_for_function(IS_NEW)
        self.page.wait_for_load_state()

    @override
    def check(self, target: Locator) -> None:
        group = self.page.locator(f'input[type="radio"][name="{target.get_attribute("name")}"]')
        checked = group.and_(self.page.locator(":checked"))
        self._walk_to(checked if checked.count() else target)
        for _ in range(group.count()):
            if target.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"arrow keys do not reach {target}")

    def _walk_to(self, target: Locator) -> None:
        expect(target).to_be_visible()
        for _ in range(MOST_STOPS):
            if target.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the tab key does not reach {target}")


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
def with_robots(saved: Games, monkeypatch: pytest.MonkeyPatch) -> Iterator[WithRobots]:
    hasty = {key: replace(one, budget=BUDGET) for key, one in thinking.CHARACTERS.items()}
    monkeypatch.setattr(thinking, "CHARACTERS", hasty)
    url = saved._databases.fresh()
    site = WithRobots(url, saved._folder, saved._databases.opened(url))
    yield site
    saved.close(site)


@pytest.fixture
def clicker(blind: Browser, with_robots: WithRobots) -> Iterator[Clicker]:
    context = blind.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    with serving(with_robots.app) as root:
        yield Clicker(with_robots, context.new_page(), root)
        context.close()


@pytest.fixture
def typist(blind: Browser, with_robots: WithRobots) -> Iterator[Typist]:
    context = blind.new_context(viewport=DESKTOP)
    with serving(with_robots.app) as root:
        yield Typist(with_robots, context.new_page(), root)
        context.close()


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


@pytest.mark.slow
def test_a_whole_game_alone_is_played_at_a_desk_by_the_keyboard(typist: Typist) -> None:
    typist.begin("Barbados")
    assert typist.play_to_the_end() > FEWEST_QUESTIONS
    expect(typist.page.get_by_role("heading", name="Final table")).to_be_visible()
    assert typist.complaints == []


@pytest.mark.slow
def test_a_whole_game_of_steam_power_is_played_at_a_desk_by_the_keyboard(typist: Typist) -> None:
    typist.begin("Barbados")
    typist.confirm()
    typist.open_against_robots("Ireland 2 to", "Robot Penny")
    assert typist.play_to_the_end() > FEWEST_QUESTIONS
    expect(typist.page.get_by_role("heading", name="Final table")).to_be_visible()
    assert typist.complaints == []
