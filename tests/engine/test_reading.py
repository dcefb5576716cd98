"""The reader of orders, without any game."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine import BadMove, Refusal, Refused, Value, refuse, replace, say
from pbem.engine.moves import Cancel, Resign, placed
from pbem.engine.reading import LONGEST_TEXT, Reader, Unknown, shown
from pbem.engine.standing_orders import StandingOrder, phase_of
from tests.quick import is_quick

EXPECTED = say("Something else is expected.")


def reader_after(text: str, *words: str) -> Reader:
    reader = Reader(text)
    assert reader.next_order()
    for word in words:
        assert reader.word(word) == word
    return reader


def words_of(text: str) -> list[str]:
    reader = Reader(text)
    found = []
    while reader.next_order():
        found.append(reader.one().text)
    return found


def test_orders_end_with_a_line_or_a_semicolon_and_what_follows_a_number_sign_is_a_remark() -> None:
    assert words_of("a; b\nc\r\nd\re;;;\n\n;f") == ["a", "b", "c", "d", "e", "f"]
    assert words_of("a # b; c\n# d\nb") == ["a", "b"]


def test_words_are_the_same_in_any_case_and_one_that_does_not_fit_stays_where_it_is() -> None:
    reader = reader_after("BiD 4")
    assert reader.word("build") is None
    assert reader.word("build", "bid") == "bid"


def test_marks_without_width_and_unusual_spaces_are_blanks() -> None:
    reader = reader_after("\ufeffbid\u00a0\u200b4", "bid")
    assert reader.number() == 4


@pytest.mark.parametrize("text", ["x", "-1", "12345", "4.5", "٣", "²", "", "1_0"])
def test_a_number_has_at_most_four_digits_and_nothing_else(text: str) -> None:
    with pytest.raises(BadMove, match="at most 4 digits"):
        reader_after(f"bid {text}", "bid").number()
    assert reader_after("bid 9999", "bid").number() == 9999


def test_a_name_runs_to_a_symbol_or_a_word() -> None:
    reader = reader_after("St. Louis  to La Chaux-de-Fonds > x")
    assert reader.name(">", ("to",), EXPECTED).text == "St. Louis"
    assert reader.word("to")
    assert reader.name(">", ("to",), EXPECTED).text == "La Chaux-de-Fonds"


def test_a_name_may_begin_with_the_word_that_ends_it() -> None:
    assert reader_after("To Paris to x").name("", ("to",), EXPECTED).text == "To Paris"


@pytest.mark.parametrize("text", ['"a > b; c"', "“a > b; c”", "„a > b; c“", "«a > b; c»"])
def test_quotation_marks_hold_a_name_together(text: str) -> None:
    assert reader_after(text).name(">", (), EXPECTED).text == "a > b; c"


def test_an_open_quotation_mark_is_refused_where_it_stands() -> None:
    with pytest.raises(BadMove, match="not closed") as caught:
        Reader('a\n  b "c')
    assert (caught.value.line, caught.value.column, caught.value.found) == (2, 4, '"c')


def test_any_dash_is_a_hyphen() -> None:
    for dash in "-‐‑‒–—−":
        reader = reader_after(f"SW{dash}NE", "sw")
        assert reader.symbol("-")
        assert reader.word("ne")


def test_a_name_in_brackets_may_hold_brackets() -> None:
    reader = reader_after("(Ana (the great)) x")
    span = reader.in_brackets(EXPECTED)
    assert span is not None
    assert span.text == "Ana (the great)"
    assert reader.word("x")


@pytest.mark.parametrize("text", ["(Ana", "(Ana\n)", "(", "((a)"])
def test_an_open_bracket_is_refused(text: str) -> None:
    with pytest.raises(BadMove, match="not closed"):
        reader_after(text).in_brackets(EXPECTED)


def test_nothing_may_stand_in_brackets_only_with_a_complaint() -> None:
    with pytest.raises(BadMove, match="Something else"):
        reader_after("()").in_brackets(EXPECTED)


def test_a_complaint_says_line_column_what_was_found_what_was_expected_and_the_usage() -> None:
    reader = reader_after("a\n  bid five", "a")
    reader.next_order()
    reader.word("bid")
    reader.usage = ("bid N", "bid max N")
    bad = reader.bad(EXPECTED)
    assert (bad.line, bad.column, bad.found) == (2, 6, "five")
    assert str(bad.expected) == "Something else is expected. Usage: “bid N” and “bid max N”."
    assert str(bad.sentence()).startswith("Line 2: “five” cannot be read. Something else")


@pytest.mark.parametrize("text", ["bid", "bid   ", "bid ; drop", "bid # five", "bid\ndrop"])
def test_where_an_order_is_too_short_the_complaint_points_behind_it(text: str) -> None:
    bad = reader_after(text, "bid").bad(EXPECTED)
    assert (bad.line, bad.column, bad.found) == (1, 3, "")


def test_a_name_without_meaning_is_refused_where_it_stands() -> None:
    def lookup(text: str) -> str:
        raise Unknown(say("There is no {name}.", name=text))

    reader = reader_after("move Evan sville > x", "move")
    with pytest.raises(BadMove, match="There is no Evan sville") as caught:
        reader.meaning(reader.name(">", (), EXPECTED), lookup)
    assert (caught.value.column, caught.value.found) == (5, "Evan sville")


def test_one_order_goes_on_behind_a_semicolon_until_a_word_starts_another() -> None:
    orders = frozenset({"move"})
    reader = reader_after("a;; b;\nc; Move; d", "a")
    assert reader.go_on_within(orders)
    assert reader.word("b")
    assert reader.go_on_within(orders)
    assert reader.word("c")
    assert not reader.go_on_within(orders)
    assert reader.closed


def test_one_order_does_not_go_on_in_the_next_line_without_a_semicolon() -> None:
    assert not reader_after("a\nb", "a").go_on_within(frozenset())


def test_what_is_shown_of_a_text_is_short_and_printable() -> None:
    assert shown("a\x00b\u202ec\ud800") == "a�b�c�"
    assert shown("x" * 1000) == "x" * 39 + "…"


def test_a_text_that_is_too_long_is_refused() -> None:
    Reader("x" * LONGEST_TEXT)
    with pytest.raises(BadMove, match="10000 characters; these have 10001"):
        Reader("x" * (LONGEST_TEXT + 1))


@pytest.mark.parametrize("piece", ['"', '""', "(", ";", "\n", "#", " ", "a ", "-", "\u0301\u0323", "ﷺ"])
def test_reading_takes_no_longer_than_the_text_allows(piece: str) -> None:
    def read() -> None:
        with suppress(BadMove):
            words_of((piece * LONGEST_TEXT)[:LONGEST_TEXT])

    assert is_quick(read, 1)


@given(st.text(max_size=60))
def test_every_text_without_quotation_marks_is_split_into_words_at_their_places(text: str) -> None:
    text = text.translate(dict.fromkeys(map(ord, '"“”„‟«»')))
    reader = Reader(text)
    while reader.next_order():
        token = reader.here
        line = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[token.line - 1]
        assert line[token.column : token.end] == token.text or token.text == "-"
        reader.one()


# moves --------------------------------------------------------------------------------------------------------------


def test_a_refusal_ends_with_its_rule() -> None:
    assert refuse("R12", "You have ${cash}.", cash=7).sentence() == "You have $7 (R12)."
    assert refuse("", "You have ${cash}.", cash=7).sentence() == "You have $7."
    assert str(Refused(refuse("R12", "No."))) == "No (R12)."


def test_what_cannot_be_read_is_named_with_its_place() -> None:
    assert str(BadMove(say("A number is expected."), 2, 4, "two").sentence()) == (
        "Line 2: “two” cannot be read. A number is expected."
    )
    assert str(BadMove(say("A number is expected."), 1, 5, after="issue").sentence()) == (
        "Line 1: something is missing after “issue”. A number is expected."
    )
    assert str(BadMove(say("A number is expected."), 1, 5).sentence()) == (
        "Line 1: something is missing. A number is expected."
    )
    assert str(BadMove(say("Usage: “issue N”."), 1, 8, "now", surplus=True).sentence()) == (
        "Line 1: “now” is too much here. Usage: “issue N”."
    )


def test_a_sentence_is_put_behind_its_line_and_step_once() -> None:
    assert str(placed("No.", 0, 0)) == "No."
    assert str(placed("No.", 2, 0)) == "Line 2: No."
    assert str(placed("No.", 0, 3)) == "Step 3: No."
    assert str(placed("No.", 2, 3)) == "Line 2, step 3: No."
    unread = Refusal(BadMove(say("A number is expected."), 2, 0, "x").sentence())
    assert unread.whole
    assert not Refusal(say("No.")).whole
    assert str(placed("Line 2, column 1: no.", 2, 3, unread.whole)) == "Line 2, column 1: no."


def test_the_orders_of_every_game_are_words() -> None:
    assert (str(Cancel()), str(Resign())) == ("cancel", "resign")


# values ------------------------------------------------------------------------------------------------------


class Purse(Value, frozen=True):
    cash: int
    shares: int = 2


def test_a_changed_value_leaves_the_one_before_as_it_was() -> None:
    before = Purse(10)
    assert replace(before, cash=7) == Purse(7, 2)
    assert before == Purse(10, 2)
    with pytest.raises(AttributeError):
        before.cash = 3  # type: ignore[misc]


# orders that wait --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("moment", "phase"), [("move_goods.2", "move_goods"), ("issue_shares", "issue_shares")])
def test_what_stands_before_the_point_of_a_moment_is_its_phase(moment: str, phase: str) -> None:
    assert phase_of(moment) == phase


def test_an_order_for_no_turn_is_for_every_turn() -> None:
    assert StandingOrder(Cancel(), "bids", say("bids")).every_turn
    assert not StandingOrder(Cancel(), "bids", say("bids"), 3).every_turn
