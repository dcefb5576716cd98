"""Emails say what is so, to their reader: who ordered what, turns and rounds, the board in words, and you for you."""

import html
import re

import pytest

from pbem.engine import replace
from pbem.engine.position_text import as_text
from pbem.language import languages, reading
from pbem.language.voice import READER
from pbem.mail.content import position_said, table_of
from pbem.mail.writing import write
from pbem.rails.position_text import CHECK, POSITION
from pbem.store.statuses import GameStatus, MoveCause
from pbem.views.games import TableView
from pbem.views.letters import LetterView
from tests.mail.game import SHEET, moments
from tests.mail.views import LETTERS, addressed, your_turn
from tests.turns_and_rounds import GAMES, WORDS, numbered, strange

TALK = re.compile(r"^> .*$", re.MULTILINE)
TAG = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)
ALT = re.compile(r'alt="([^"]*)"')
each_language = pytest.mark.parametrize("language", [language.code for language in languages()])
STEAM = LETTERS["your-turn-steam"]
ABOUT_ANY_GAME = ("reminder", "told-status", "told-log", "board", "refused-answered", "submission-stuck", "resigned")
"""Emails that a game of Steam Power is put into."""
PICTURE = "board.0123456789abcdef@pbem"
GLOW = "yellow glow"


def _lines(view: LetterView) -> tuple[str, ...]:
    """The lines of both parts, each bullet and each row of a table in one."""
    written = write(view, PICTURE)
    assert written.html is not None
    text = written.text.replace("\n  ", " ").splitlines()
    return (*text, *written.html.replace("\n", " ").split("</tr>"))


def _first_of_turn_three() -> LetterView:
    """The first question of turn 3; the order that ended turn 2 was a standing order."""
    moment = next(moment for moment in moments() if SHEET.turn(moment.state) == 3)
    *_, last = moment.log
    moves = (replace(last, cause=MoveCause.STANDING_ORDER),)
    return replace(your_turn("issue_shares"), moves=moves)


def test_only_the_order_itself_is_called_a_standing_order_and_not_the_income_dice_and_turn_that_follow() -> None:
    lines = write(_first_of_turn_three(), PICTURE).html.replace("\n", " ").split("</tr>")
    marked = [line for line in lines if "(standing order)" in line]
    assert ["moved nothing." in line for line in marked] == [True]
    for followed in ("Income: ", "Dice of the light half: ", "Turn 3 begins."):
        assert len([line for line in lines if followed in line]) == 1
        assert not [line for line in marked if followed in line]


def test_no_email_promises_a_glow_on_a_picture_that_may_have_none() -> None:
    view = your_turn("issue_shares")
    page = write(view, PICTURE).html or ""
    assert f"A {GLOW}, if there is one, marks the last order." in page
    assert page.count(GLOW) == 1
    for unpictured in (write(view, "").html or "", write(view, PICTURE).text):
        assert GLOW not in unpictured


def _said(game: TableView, language: str) -> str:
    assert game.position is not None
    with reading(language):
        return as_text(position_said(game, game.position))


def test_every_reader_has_the_board_in_own_words() -> None:
    game = table_of(LETTERS["your-turn-move"])
    assert game is not None
    assert game.position is not None
    renamed = replace(game, seats=tuple(replace(seat, name=f"{seat.name} & Co") for seat in game.seats))
    assert "\nTrack of Ana:\nChicago, M6, Rock Island\n" in _said(game, "en")
    assert "\nTrack of Ana & Co:\nChicago, M6, Rock Island\n" in _said(renamed, "en")
    assert "\nTory: Ana:\nChicago, M6, Rock Island\n" in _said(game, "pl")


def about(game: str) -> dict[str, LetterView]:
    """Emails about running games."""
    found = {
        name: view
        for name, view in LETTERS.items()
        if view.game is not None and view.game.sheet.game == game and view.game.status == GameStatus.RUNNING
    }
    if game == "steam-power":
        assert STEAM.game is not None
        for name in ABOUT_ANY_GAME:
            found[name] = replace(
                LETTERS[name], game=STEAM.game, seat=STEAM.seat, seat_number=STEAM.seat_number, moves=STEAM.moves,
                asked=LETTERS[name].asked and STEAM.asked,
            )  # fmt: skip
    return found


@pytest.mark.parametrize("code", WORDS)
@pytest.mark.parametrize("game", GAMES)
def test_emails_number_in_the_word_of_the_game(game: str, code: str) -> None:
    written = {
        name: write(replace(view, envelope=replace(view.envelope, language=code)), "board@pbem")
        for name, view in about(game).items()
    }
    said = {name: f"{one.subject}\n{one.text}\n{one.html}" for name, one in written.items()}
    assert len(said) >= len(ABOUT_ANY_GAME) + 2
    assert {name: words for name, text in said.items() if (words := strange(text, game, code))} == {}
    assert [name for name in ABOUT_ANY_GAME if not numbered(said[name], game, code)] == []


def _seen(page: str) -> str:
    """What is read of the HTML: its text, and what stands for pictures."""
    return html.unescape(TAG.sub(" ", page) + " ".join(ALT.findall(page)))


def _without_position(text: str) -> str:
    """A text part but for the position, which is the same for all and has everybody's name."""
    before, head, rest = text.partition(f"\n{READER.fixed(POSITION)}:\n")
    return before + rest[rest.find(f"\n{READER.fixed(CHECK)}: ") :] if head else text


@each_language
@pytest.mark.parametrize("name", [name for name in LETTERS if name != "explained"])
def test_a_letter_does_not_name_its_reader(name: str, language: str) -> None:
    """Answers about the map name the owners of track as the position does."""
    view = LETTERS[name]
    written = write(addressed(view, language=language), "board@pbem")
    own = re.compile(rf"\b{re.escape(view.envelope.name)}\b")
    with reading(language):
        text = _without_position(written.text)
    for part in (written.subject, text, _seen(written.html)):
        found = own.search(part)
        assert found is None, part[max(0, found.start() - 100) : found.end() + 100]


@each_language
def test_the_readers_own_line_of_a_table_is_yours(language: str) -> None:
    with reading(language) as current:
        you = current.word("you").capitalize()
    text = write(addressed(LETTERS["game-over"], language=language), "").text
    assert [line for line in text.splitlines() if re.match(rf"> 2\. {you} ", line)]
