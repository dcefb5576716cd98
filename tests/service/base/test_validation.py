"""What people type, as it is kept: at its longest, and one character beyond."""

from __future__ import annotations

import pytest

from pbem.service import BadInput
from pbem.service.base import validation

NAME, ORDERS = validation.LONGEST_NAME, validation.LONGEST_ORDERS


def test_names_titles_and_orders_have_their_longest() -> None:
    assert (NAME, validation.LONGEST_TITLE, ORDERS) == (40, 80, 20_000)


def test_the_longest_orders_are_taken_and_one_character_more_is_not() -> None:
    assert validation.orders("x" * ORDERS) == "x" * ORDERS
    with pytest.raises(BadInput, match=f"longer than {ORDERS} characters"):
        validation.orders("x" * (ORDERS + 1))


def test_orders_are_kept_with_plain_line_breaks_and_without_what_no_database_takes() -> None:
    assert validation.orders(" a\r\nb\u2028c\0d\ud800 ") == "a\nb\nc\ufffdd?"


def test_a_name_has_at_least_one_character_and_at_most_the_longest() -> None:
    assert str(validation.name_problem("")) == "Enter a name."
    assert validation.name_problem("x") is None
    assert validation.name_problem("x" * NAME) is None
    assert str(validation.name_problem("x" * (NAME + 1))) == f"This is longer than {NAME} characters."
    assert str(validation.name_problem("xxx", 2)) == "This is longer than 2 characters."


def test_what_is_no_address_is_told_with_its_first_eighty_characters() -> None:
    with pytest.raises(BadInput) as caught:
        validation.address("x" * 81)
    (problem,) = caught.value.problems
    assert (problem.field, str(problem.sentence)) == ("address", f"“{'x' * 80}” is not an email address.")


def test_of_two_players_with_one_name_the_second_has_a_number_and_the_third_the_next() -> None:
    taken: set[str] = set()
    assert [validation.distinct(name, taken) for name in ("Ana", "ANA", "ana", "Ben")] == [
        "Ana",
        "ANA 2",
        "ana 3",
        "Ben",
    ]
    assert taken == {"ana", "ana 2", "ana 3", "ben"}
    long = "x" * NAME
    assert [validation.distinct(long, taken) for _ in range(2)] == [long, "x" * (NAME - 3) + " 2"]
