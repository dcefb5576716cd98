"""Foreign text made fit for a letter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

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
