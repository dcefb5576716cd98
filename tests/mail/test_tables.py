"""The players' table and the final table."""

import re

import pytest
from markupsafe import Markup

from pbem.engine import say
from pbem.engine.overview import Column, Row
from pbem.engine.sheet import Standing
from pbem.language import reading
from pbem.mail.tables import Line, Table, amount, as_text, final_table, players_table
from pbem.mail.voices import HtmlVoice, TextVoice
from pbem.mail.writing import write
from pbem.views.position import Position
from tests.mail.views import LETTERS

VOICE = TextVoice(names={"pink": "Ana", "red": "Ben", "blue": "Wolfeschlegelsteinhausen"})


def test_amounts_have_a_minus_sign_before_the_dollar() -> None:
    assert [amount(12), amount(12, money=True), amount(-3), amount(-3, money=True)] == ["12", "$12", "−3", "−$3"]


def test_words_go_under_the_name_and_figures_into_columns() -> None:
    columns = (Column("action", say("Action")), Column("cash", say("Cash"), money=True))
    rows = (
        Row("pink", {"action": say("Engineer"), "cash": 5}),
        Row("blue", {"action": None, "cash": None}),
        Row("red", {}, say("out in turn {turn}", turn=2)),
    )
    assert players_table(columns, rows, VOICE, "pink") == Table(
        ("Cash",),
        (
            Line("pink", "Ana", ("$5",), "Engineer", me=True),
            Line("blue", "Wolfeschlegelsteinhausen", ("–",)),
            Line("red", "Ben", ("–",), out="out in turn 2"),
        ),
    )


def test_a_column_of_figures_with_a_word_in_it_is_no_note_under_the_name() -> None:
    columns = (Column("bid", say("Bid")),)
    rows = (Row("pink", {"bid": 3}), Row("red", {"bid": say("passed")}))
    lines = players_table(columns, rows, VOICE, "pink").lines
    assert [(line.cells, line.note) for line in lines] == [(("3",), ""), (("passed",), "")]


def test_the_final_table_has_the_parts_and_the_places_best_first() -> None:
    standings = (Standing("red", 2, None, True), Standing("pink", 1, 7, False, (("income", 9), ("shares", -2))))
    columns = (
        Column("cash", say("Cash"), money=True),
        Column("income", say("Income")),
        Column("engine", say("Engine")),
    )
    rows = (Row("pink", {"cash": 11, "income": 3, "engine": 5}), Row("red", {}, say("out in turn 2")))
    position = Position(7, "over", columns, rows, (), (), {})
    table = final_table(standings, position, VOICE, "red")
    assert table.heads == ("income", "shares", "points", "Cash", "Engine")
    lines = [(line.place, line.name, line.cells, line.out) for line in table.lines]
    assert lines[0] == ("1.", "Ana", ("9", "−2", "7", "$11", "5"), "")
    assert lines[1][:2] == ("2.", "Ben")
    assert lines[1][3] == "out"


def test_text_marks_the_readers_row_and_aligns_figures_right() -> None:
    table = Table(
        ("Cash", "Income"), (Line("pink", "Ana", ("$5", "−3"), "Engineer", me=True), Line("red", "Ben", ("$12", "0")))
    )
    assert as_text(table).splitlines() == [
        "            cash  income",
        "> Ana         $5      −3  Engineer",
        "  Ben        $12       0",
    ]


def test_text_cuts_long_names_and_never_passes_72_columns() -> None:
    heads = ("Cash", "Income", "Shares", "Engine", "Bill", "Points", "Contracts")
    lines = (Line("blue", "Wolfeschlegelsteinhausen", ("1",) * 7, "first move and something else that is long"),)
    text = as_text(Table(heads, lines))
    assert max(map(len, text.splitlines())) <= 72
    assert "Wolfeschlegels… " in text


def test_the_points_of_a_final_table_stand_out_and_nothing_beside_them() -> None:
    html = write(LETTERS["game-over"], "board@pbem").html
    points = re.findall(r"<strong>(−?\d+)</strong></td>", html)
    assert points == ["57", "54", "−1"]


@pytest.mark.parametrize("language", ["en", "pt", "es", "pl"])
def test_a_list_in_html_is_escaped_once_in_every_language(language: str) -> None:
    with reading(language):
        voice = HtmlVoice(names={"red": "<Ben>"})
        said = voice.listed([voice.who("red"), voice.word("blue"), "<b>", voice.who("red")])
    assert isinstance(said, Markup)
    assert said.count("<bdi>&lt;Ben&gt;</bdi>") == 2
    assert said.count('<span class="cb"') == 1
    assert said.count("&lt;b&gt;") == 1
