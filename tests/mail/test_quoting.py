"""Refused orders come back with what failed marked."""

from __future__ import annotations

from pbem.mail.quoting import LINES, OrderLine, quoted


def test_the_failing_step_of_a_build_is_marked() -> None:
    assert quoted("build L15 NE-NW; K14 SE-SW; S12 N-NW", 1, 2) == (
        OrderLine("build L15 NE-NW; ", "K14 SE-SW", "; S12 N-NW"),
    )


def test_the_first_step_is_marked_without_the_word_build() -> None:
    assert quoted("build L15 NE-NW; K14 SE-SW", 1, 1) == (OrderLine("build ", "L15 NE-NW", "; K14 SE-SW"),)


def test_steps_are_counted_from_the_build_when_another_order_stands_before_it() -> None:
    assert quoted("action loco; build L15 NE-NW; K14 SE-SW", 1, 2) == (
        OrderLine("action loco; build L15 NE-NW; ", "K14 SE-SW", ""),
    )


def test_without_a_step_the_whole_line_is_marked() -> None:
    assert quoted("issue 2\nbid 9", 2, 0) == (OrderLine("issue 2"), OrderLine("", "bid 9"))


def test_the_only_line_is_the_one_that_failed() -> None:
    assert quoted("bid 9", 0, 0) == (OrderLine("", "bid 9"),)


def test_in_several_lines_without_a_number_none_is_marked() -> None:
    assert quoted("bid 9\nbid 10", 0, 0) == (OrderLine("bid 9"), OrderLine("bid 10"))


def test_a_step_that_is_not_there_marks_the_line() -> None:
    assert quoted("build L15 NE-NW", 1, 7) == (OrderLine("", "build L15 NE-NW"),)


def test_very_long_orders_are_cut() -> None:
    lines = quoted("\n".join(["issue 1"] * 1_000), 0, 0)
    assert len(lines) == LINES + 1
    assert lines[-1] == OrderLine("…")
