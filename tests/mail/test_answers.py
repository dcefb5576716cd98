"""Numbered answers: whole games of every map, as emails in every language ask their questions."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice

import pytest

from pbem.engine import catalog
from pbem.engine.record import replay
from pbem.engine.sheet import Sheet, State
from pbem.language import languages, reading
from pbem.mail.answers import answer_lines, latest, names_in_orders
from pbem.mail.words import COLUMNS
from pbem.mail.writing import write
from pbem.robot import answers
from pbem.robot.trying import after
from pbem.service.turns.plain_orders import PlainReader
from pbem.store.statuses import SeatStatus
from pbem.views.games import SeatView
from pbem.views.letters import AskedQuestion, LetterView
from tests.every_page.decisions import NAMES, games_of, kept
from tests.mail.views import LETTERS, REPLY, addressed, turn_page

LANGUAGES = [language.code for language in languages()]
SLUGS = sorted({sheet.slug for sheet in catalog.sheets()})
EVERY = 13
"""One question of so many is looked at."""
FIRST_ANSWER = 20


def questions(slug: str) -> Iterator[tuple[Sheet, State, LetterView]]:
    """Questions of a kept game, as letters that are answered by reply."""
    record = kept(games_of(slug)[0])
    sheet = catalog.sheet(record.game, record.map)
    seats = [
        SeatView(number, seat, name, SeatStatus.ACCEPTED)
        for number, (seat, name) in enumerate(zip(record.players, NAMES, strict=False))
    ]
    first = LETTERS["your-turn-build"]
    assert first.game is not None
    game = replace(first.game, sheet=sheet, seats=tuple(seats), options=record.options, log=())
    for played in islice(replay(sheet, record), 0, None, EVERY):
        state = played.state
        if sheet.over(state):
            return
        question = sheet.question(state)
        asking = replace(game, state=state, waiting_for=question.seat)
        asked = AskedQuestion(question, turn_page, answers.listed(sheet, state, question))
        links = replace(first.links, reply=REPLY)
        yield sheet, state, replace(first, game=asking, seat=question.seat, asked=asked, links=links)


def numbered(text: str) -> dict[int, str]:
    """The answers of a letter, each in one line, by their numbers."""
    lines = text.replace("\n  ", " ").splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("1. "))
    found = {}
    for number, line in zip(count(1), lines[first:], strict=False):
        if not line.startswith(f"{number}. "):
            break
        found[number] = line
    return found


@pytest.mark.parametrize("slug", SLUGS)
def test_answers_stand_near_the_top_fit_a_terminal_and_are_accepted_by_number_and_as_printed(slug: str) -> None:
    for (sheet, state, view), language in zip(questions(slug), LANGUAGES * 1000, strict=False):
        assert view.asked is not None
        text = write(addressed(view, language=language), "").text
        lines = text.splitlines()
        assert lines.index(next(line for line in lines if line.startswith("1. "))) < FIRST_ANSWER, text
        wide = [line for line in lines if len(line) > COLUMNS and "://" not in line]
        assert wide == []
        printed = numbered(text)
        assert len(printed) == len(view.asked.answers)
        assert view.game is not None
        reader = PlainReader(sheet, state, view.game.names)
        for number, choice in enumerate(view.asked.answers, 1):
            assert after(sheet, state, view.seat, choice.order) is not None, choice.order
            with reading(language):
                assert [str(move) for move in reader.parse(str(number))] == [choice.order]
                order = printed[number].rpartition(": ")[2]
                assert [str(move) for move in reader.parse(order)] == [choice.order], printed[number]


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
