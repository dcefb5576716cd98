"""No email is wider than a phone, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page

from pbem.engine import catalog, replace
from pbem.engine.record import replay
from pbem.language import languages
from pbem.mail.writing import write
from pbem.robot import answers
from pbem.service.base.validation import LONGEST_NAME, LONGEST_TITLE
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.views.games import SeatView
from pbem.views.letters import AskedQuestion, LetterView
from tests.every_page.decisions import games_of, kept, late_ones
from tests.mail.views import LETTERS, addressed, turn_page
from tests.web.browsers import launched

PHONES = (390, 320)
LANGUAGES = [language.code for language in languages()]
NAMES = ("Ana", "Maximiliane", "Chloé", "Wolfeschlegelsteinhausenbergerdorff", "Davi", "Eva")
BODY = re.compile("<body(.*)</body>", re.DOTALL)
TOO_WIDE = """width => [...document.querySelectorAll('.letter')].filter(letter => letter.scrollWidth > width)
  .map(letter => `${letter.title}: ${letter.scrollWidth} in ${width}`)"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_page() as page:
        yield page


def _too_wide(page: Page, letters: dict[str, str]) -> list[str]:
    """Letters that are wider than a phone. All of them stand on one page: their styles are the same."""
    first, *_ = letters.values()
    head, _, _ = first.partition("<body")
    bodies = [BODY.search(html) for html in letters.values()]
    shown = [
        f'<section class="letter" title="{name}"><div{body[1]}</div></section>'
        for name, body in zip(letters, bodies, strict=True)
        if body
    ]
    assert len(shown) == len(letters)
    page.set_content(f"{head}<body style='margin: 0'>{''.join(shown)}</body></html>")
    found: list[str] = []
    for width in PHONES:
        page.set_viewport_size({"width": width, "height": 800})
        if page.evaluate("document.scrollingElement.scrollWidth") > width:
            found += page.evaluate(TOO_WIDE, width)
    return found


def _html(view: LetterView, language: str) -> str:
    return write(addressed(view, language=language), "").html


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_kind_of_email_is_wider_than_a_phone(page: Page, language: str) -> None:
    assert _too_wide(page, {name: _html(view, language) for name, view in LETTERS.items()}) == []


def _with_long_words(view: LetterView) -> LetterView:
    """The same about people, a game and talk with the longest words that there can be."""
    if view.game is None:
        return view
    called = [replace(seat, name=f"{seat.name:w<{LONGEST_NAME}}") for seat in view.game.seats]
    talk = [replace(post, text=f"https://example.org/{post.text:w<300}") for post in view.talk]
    game = replace(view.game, seats=tuple(called), title=f"{view.game.title:w<{LONGEST_TITLE}}")
    return replace(view, game=game, talk=tuple(talk))


def test_long_words_of_people_make_no_email_wider(page: Page) -> None:
    assert _too_wide(page, {name: _html(_with_long_words(view), "en") for name, view in LETTERS.items()}) == []


def _of_map(slug: str, seen: set[str]) -> Iterator[tuple[str, LetterView]]:
    """Emails from a kept game of a map: each that asks for orders of a kind not ``seen``, and the last one."""
    record = kept(games_of(slug)[0])
    sheet, wanted = catalog.sheet(record.game, record.map), late_ones(record)
    seats = [
        SeatView(number, seat, name, SeatStatus.ACCEPTED)
        for number, (seat, name) in enumerate(zip(record.players, NAMES, strict=False))
    ]
    first, last = LETTERS["your-turn-build"], LETTERS["game-over"]
    assert first.game is not None
    game = replace(first.game, sheet=sheet, seats=tuple(seats), options=record.options, log=())
    played = list(replay(sheet, record))
    for before, after in pairwise(played):
        name = " ".join((record.game, *wanted.get(after.number, ())))
        if after.number in wanted and name not in seen:
            seen.add(name)
            question, state = sheet.question(before.state), before.state
            asking = replace(game, state=state, waiting_for=question.seat)
            asked = AskedQuestion(question, turn_page, answers.listed(game.sheet, state, question))
            yield name, replace(first, game=asking, seat=question.seat, asked=asked, moves=())
    if record.game not in seen:
        seen.add(record.game)
        state = played[-1].state
        over = replace(game, state=state, status=GameStatus.OVER, standings=sheet.standings(state), waiting_for="")
        yield record.game, replace(last, game=over, seat=record.players[0], moves=())


@pytest.fixture(scope="module")
def letters() -> dict[str, LetterView]:
    seen: set[str] = set()
    return {
        name: view for slug in sorted({sheet.slug for sheet in catalog.sheets()}) for name, view in _of_map(slug, seen)
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_question_of_any_map_is_wider_than_a_phone(
    page: Page, letters: dict[str, LetterView], language: str
) -> None:
    assert {name.partition(" ")[0] for name in letters} == {sheet.game for sheet in catalog.sheets()}
    assert _too_wide(page, {name: _html(view, language) for name, view in letters.items()}) == []
