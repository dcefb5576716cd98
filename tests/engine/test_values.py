"""Values that play changes, and what is kept of them."""

from __future__ import annotations

import pytest

from pbem.engine.values import Kept, Value, last_asked, replace


class Purse(Value, frozen=True):
    cash: int
    shares: int = 2


def test_a_changed_value_leaves_the_one_before_as_it_was() -> None:
    before = Purse(10)
    assert replace(before, cash=7) == Purse(7, 2)
    assert before == Purse(10, 2)
    with pytest.raises(AttributeError):
        before.cash = 3  # type: ignore[misc]


def test_the_last_answer_is_kept_for_the_very_same_value_and_no_other() -> None:
    asked: list[tuple[str, ...]] = []

    @last_asked
    def number(words: list[str], word: str) -> int:
        asked.append((*words, word))
        return words.count(word)

    words, twins = ["red", "blue", "red"], ["red", "blue", "red"]
    assert [number(words, "red"), number(words, "red"), number(words, "blue"), number(twins, "blue")] == [2, 2, 1, 1]
    assert len(asked) == 3, "once for two questions alike; an equal list is another one"


def test_what_is_kept_belongs_to_the_very_same_value_and_the_last_ones_are_kept() -> None:
    kept: Kept[list[str], int] = Kept(3)
    words = [["red"] for _ in range(20)]
    for number, value in enumerate(words):
        kept.put(value, number)
        assert kept.get(["red"]) is None, "an equal list is another one"
        assert [kept.get(value) for value in words[max(0, number - 2) : number + 1]] == [
            *range(max(0, number - 2), number + 1)
        ]
    assert sum(kept.get(value) is not None for value in words) <= 2 * 3


def test_what_is_asked_for_again_is_kept_longer() -> None:
    kept: Kept[list[str], str] = Kept(2)
    first, others = ["red"], [["red"] for _ in range(9)]
    kept.put(first, "the first")
    for value in others:
        assert kept.get(first) == "the first"
        kept.put(value, "another")
