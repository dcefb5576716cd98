"""Foreign text made fit for a letter, and how orders are quoted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.quoting import LINES, OrderLine, quoted
from pbem.mail.words import COLUMNS, fill, tidy, tidy_lines


def test_control_and_direction_characters_go_and_joiners_stay() -> None:
    assert tidy("a\0b\x1b[1m\u202ec\ufeff", 30) == "ab[1mc"
    assert (
        tidy("\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", 30)
        == "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    )


def test_runs_of_stime_control_become_one() -> None:
    assert tidy("  a \r\n\t b\u2028c ", 30) == "a b c"


def test_what_is_too_long_ends_with_an_ellipsis() -> None:
    assert tidy("abcdef", 4) == "abc…"
    assert tidy("ab cdef", 4) == "ab…"
    assert tidy("abcd", 4) == "abcd"


def test_lines_beyond_the_limit_are_an_ellipsis() -> None:
    assert tidy_lines("a\nb\nc", 2, 10) == ("a", "b", "…")
    assert tidy_lines("", 2, 10) == ("",)


@given(st.text(), st.integers(1, 60))
def test_tidy_text_is_one_line_of_the_length_asked_for(text: str, longest: int) -> None:
    shown = tidy(text, longest)
    assert len(shown) <= longest
    assert shown == " ".join(shown.split())
    assert len(shown.splitlines()) <= 1


@given(st.text(), st.integers(0, 8))
def test_filled_text_keeps_to_the_columns(text: str, hang: int) -> None:
    assert all(len(line) <= COLUMNS for line in fill(text, hang, "- ").splitlines())


def test_paragraphs_stay_apart_and_hyphens_stay_whole() -> None:
    assert fill("one\ntwo\n\nthree") == "one two\n\nthree"
    orders = "L15 NE-NW " * 12
    assert all(word in ("L15", "NE-NW") for word in fill(orders).split())


def test_a_line_that_fits_is_not_wrapped_and_one_letter_more_is() -> None:
    fits = "a" * 40 + " " + "b" * 29
    assert fill(fits, 4, "- ") == f"- {fits}"
    assert fill(f"{fits}b", 4, "- ") == "- " + "a" * 40 + "\n    " + "b" * 30
    assert fill("  ", 4, "- ") == ""


@pytest.mark.parametrize(
    ("text", "longest", "cut"),
    [
        ("e\u0301e\u0328\u0301x", 3, "é…"),
        ("Zug 👨‍👩‍👧 nach Ulm", 8, "Zug…"),
        ("ab 👍🏽👍🏽", 6, "ab 👍🏽…"),
        ("ab 🇵🇱🇵🇹🇩🇪", 7, "ab 🇵🇱…"),
        ("ab 🇵🇱🇵🇹🇩🇪", 8, "ab 🇵🇱🇵🇹…"),
        ("Nach Lódź", 7, "Nach L…"),
    ],
)
def test_text_is_cut_between_what_people_see_as_characters(text: str, longest: int, cut: str) -> None:
    assert tidy(text, longest) == cut


QUOTED: dict[str, tuple[str, int, int, tuple[OrderLine, ...]]] = {
    "the failing step of a build": (
        "build L15 NE-NW; K14 SE-SW; S12 N-NW", 1, 2, (OrderLine("build L15 NE-NW; ", "K14 SE-SW", "; S12 N-NW"),),
    ),
    "the first step without the word build": (
        "build L15 NE-NW; K14 SE-SW", 1, 1, (OrderLine("build ", "L15 NE-NW", "; K14 SE-SW"),),
    ),
    "a step of a build behind another order": (
        "action loco; build L15 NE-NW; K14 SE-SW", 1, 2, (OrderLine("action loco; build L15 NE-NW; ", "K14 SE-SW"),),
    ),
    "the whole line without a step": ("issue 2\nbid 9", 2, 0, (OrderLine("issue 2"), OrderLine("", "bid 9"))),
    "the only line": ("bid 9", 0, 0, (OrderLine("", "bid 9"),)),
    "none of several lines without a number": ("bid 9\nbid 10", 0, 0, (OrderLine("bid 9"), OrderLine("bid 10"))),
    "the line for a step that is not there": ("build L15 NE-NW", 1, 7, (OrderLine("", "build L15 NE-NW"),)),
}  # fmt: skip
"""What is marked: the orders, the line and the step that failed, and how the lines are quoted."""


@pytest.mark.parametrize("what", QUOTED)
def test_what_failed_is_marked_in_the_quoted_orders(what: str) -> None:
    text, line, step, lines = QUOTED[what]
    assert quoted(text, line, step) == lines


def test_very_long_orders_are_cut() -> None:
    lines = quoted("\n".join(["issue 1"] * 1_000), 0, 0)
    assert len(lines) == LINES + 1
    assert lines[-1] == OrderLine("…")
