"""Emails that ask a question, of whole games of every map and in every language, and their numbered answers."""

from collections.abc import Iterator
from itertools import cycle

import pytest

from pbem.engine import catalog
from pbem.engine.position_text import paragraphs_of
from pbem.engine.record import replay, start
from pbem.language import reading
from pbem.language.position_letters import read_letter
from pbem.mail.answers import FIRST_ANSWER, answer_lines, latest, names_in_orders
from pbem.mail.words import COLUMNS
from pbem.mail.writing import write
from pbem.robot.trying import after
from pbem.service.turns.plain_orders import PlainReader
from pbem.views.games import MoveView
from pbem.views.letters import LetterView
from tests.every_map.position_texts import LANGUAGES
from tests.every_page.decisions import NAMES, games_of, kept
from tests.mail.asking import Mailing, check_text, first_answer, move_view
from tests.mail.views import LETTERS, addressed

SLUGS = sorted({sheet.slug for sheet in catalog.sheets()})
TELLING = {
    "board", "caretaker", "default-played", "game-ending", "game-over", "game-started", "lesson", "planning", "refused",
    "reminder", "seat-taken", "substitute-wanted", "tried", "your-turn",
}  # fmt: skip
"""Kinds of emails that tell the position."""
ASKING = {"lesson", "refused", "reminder", "your-turn"}
"""Kinds that put a question."""
EVERY = 13
"""One question of so many is looked at."""


def letters(slug: str) -> Iterator[LetterView]:
    """Questions of a kept game, as letters that are answered by reply, in one language after the other."""
    record = kept(games_of(slug)[0])
    sheet, names = catalog.sheet(record.game, record.map), dict(zip(record.players, NAMES, strict=False))
    state, log, language = start(sheet, record)[0].state, list[MoveView](), cycle(LANGUAGES)
    for played in replay(sheet, record):
        if played.number % EVERY == 0:
            yield Mailing(sheet, names, log, next(language)).asking(state)
        if played.step is not None:
            asked = sheet.question(state)
            log.append(move_view(len(log) + 1, asked, played.entry.turn, played.entry.orders, played.step.events))
        state = played.state


@pytest.mark.parametrize("slug", SLUGS)
def test_emails_say_all_exactly_and_their_answers_are_accepted_by_number_and_as_printed(slug: str) -> None:
    for view in letters(slug):
        check_text(view, write(view, "").text)
        assert view.game is not None
        assert view.asked is not None
        sheet, state = view.game.sheet, view.game.state
        with reading(view.envelope.language):
            reader = PlainReader(sheet, state, view.game.names)
            for number, choice in enumerate(view.asked.answers, 1):
                assert after(sheet, state, view.seat, choice.order) is not None, choice.order
                assert [str(move) for move in reader.parse(str(number))] == [choice.order]


def written(name: str, language: str) -> str:
    return write(addressed(LETTERS[name], language=language), "").text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [name for name, view in LETTERS.items() if view.envelope.kind in TELLING])
def test_every_kind_of_email_that_tells_the_position_tells_it_exactly(name: str, language: str) -> None:
    view, (sheet, position) = LETTERS[name], read_letter(written(name, language), catalog.sheets())
    assert view.game is not None
    assert sheet.canonical(position.state, view.seat) == sheet.canonical(view.game.state, view.seat)
    assert position.names == view.game.names


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [name for name, view in LETTERS.items() if view.envelope.kind in ASKING])
def test_in_every_kind_of_email_that_asks_the_first_answer_stands_near_the_top(name: str, language: str) -> None:
    if LETTERS[name].asked is not None:
        assert first_answer(written(name, language)) <= FIRST_ANSWER


def test_an_order_is_whole_where_a_line_holds_it() -> None:
    order = "build F3 SE-NW; G4 @NW"
    assert answer_lines(["Minneapolis to La Crosse, $4"], order, 1) == f"1. Minneapolis to La Crosse, $4: {order}"
    long = "to a place whose name is so long that the order stands on a line of its own"
    assert any(order in line for line in answer_lines(["a way", long], order, 2).splitlines())
    assert answer_lines([long[:61]], order, 2).splitlines() == [f"2. T{long[1:61]}:", f"  {order}"]
    assert answer_lines(["a link", "there already"], "") == "A link. There already"
    assert answer_lines(["Drop.", "you keep $3."], "drop", 3) == "3. Drop. You keep $3: drop"
    assert all(len(line) <= COLUMNS for line in answer_lines(["x"], "move " + "red Chicago, " * 20).splitlines())


@pytest.mark.parametrize("above", [1, 5, 10, 13, 16])
def test_of_the_news_the_last_ones_stand_above_the_answers(above: int) -> None:
    news = [f"Ana bid ${n}." for n in range(12)]
    left_out, kept_ones = latest(news, "\n".join(["asked"] * above))
    assert news[left_out:] == kept_ones
    assert len(kept_ones) <= 8
    assert above + len(kept_ones) <= FIRST_ANSWER


def test_names_that_mean_something_else_are_not_put_into_orders() -> None:
    places = {"A1": "Columbus", "B2": "Columbus", "C3": "Toledo (D)", "D4": "St. Louis"}
    people = {"red": "Blue", "blue": "Ana", "pink": "Zoë, Jr.", "green": "Toledo", "gray": "X"}
    assert names_in_orders(places, people) == {"C3": "Toledo (D)", "D4": "St. Louis", "blue": "Ana"}


def test_who_places_cubes_reads_every_empty_box_as_orders_call_it_and_one_example() -> None:
    record = kept("rust_belt-5-to-the-last-turn-2")
    sheet, names = catalog.sheet(record.game, record.map), dict(zip(record.players, NAMES, strict=False))
    state = next(
        p.state for p in replay(sheet, record) if not sheet.over(p.state) and sheet.question(p.state).form == "boxes"
    )
    text = write(Mailing(sheet, names).asking(state), "").text
    (boxes,) = (part.lines for part in paragraphs_of(text) if part.head == "Empty boxes, as orders call them")
    named = [box for line in boxes for box in line.partition(": ")[2].split(", ")]
    display = state.display.items()
    assert named == [f"{column}/{row}" for column, cubes in display for row, cube in enumerate(cubes, 1) if not cube]
    assert text.count(": produce ") + text.count("\n  produce ") == 1
