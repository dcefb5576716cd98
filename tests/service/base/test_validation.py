"""What people may write, and how sentences are kept."""

import pytest

from pbem.engine import count_say, say
from pbem.service import BadInput
from pbem.service.base import sentences, validation

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


def test_a_sentence_comes_back_whole() -> None:
    for sentence in (say("The answer was {code}.", code=503), count_say("{n} day", "{n} days", 2)):
        assert sentences.read(sentences.kept(sentence, 300)) == sentence


def test_one_that_is_too_long_and_text_of_older_versions_stand_as_they_are() -> None:
    long = say("It said {what}", what="x" * 400)
    assert len(kept := sentences.kept(long, 300)) == 300
    assert str(sentences.read(kept)) == str(long)[:300]
    for text in ("The answer was 503.", "", "[1]", "{not json", "7", '{"say": 1, "with": 2}'):
        assert str(sentences.read(text)) == text
