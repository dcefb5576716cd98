"""Thousands of answers by email: no exception, no answer to a program, and no order that was not written."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from tests.fuzz.answering import AUTOMATIC, Answer, answer
from tests.fuzz.test_mails import Door, opened
from tests.mail.test_samples import made_of

QUICK, SLOW = 400, 10_000
THROUGH_THE_DOOR = 40


def check(made: Answer) -> str:
    """What came of it: exactly what its writer meant, or nothing; in a word."""
    found = made_of(made.raw, made.asked)
    assert "unreadable" not in found, made
    if made.spoiled:
        return "spoiled"
    if made.by_program:
        assert found == {"nothing": True}, made
        return "by a program"
    if made.orders is None:
        assert "orders" not in found, (found, made)
        return "refused"
    assert found == {"orders": "\n".join(made.orders)}, (found, made)
    return "orders"


def check_many(first: int, count: int) -> None:
    kinds = Counter(check(answer(Random(number), number)) for number in range(first, first + count))
    assert min(kinds[kind] for kind in ("spoiled", "by a program", "refused", "orders")) > count / 20


def test_of_a_few_hundred_answers_comes_what_was_written_or_nothing() -> None:
    check_many(0, QUICK)


@pytest.mark.slow
def test_of_ten_thousand_answers_comes_what_was_written_or_nothing() -> None:
    check_many(QUICK, SLOW)


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with opened(tmp_path_factory.mktemp("answers")) as made:
        yield made


def test_programs_are_not_answered_and_people_once_at_most(door: Door) -> None:
    for number in range(THROUGH_THE_DOOR):
        made = answer(Random(number), number)
        before, letters = len(door.submissions()), len(door.table.letters())
        assert door.take(made.raw, door.orders).startswith("250 ")
        by_program = made.by_program and not made.spoiled
        assert len(door.submissions()) - before <= (0 if by_program else 1)
        assert not by_program or len(door.table.letters()) == letters


def test_every_header_of_programs_is_known() -> None:
    for header in AUTOMATIC:
        assert made_of(header.encode() + b"\r\n\r\nissue 2\r\n", "shares") == {"nothing": True}, header
