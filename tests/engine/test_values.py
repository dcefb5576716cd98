"""Values that play changes."""

import pytest

from pbem.engine.values import Value, replace


class Purse(Value, frozen=True):
    cash: int
    shares: int = 2


def test_a_changed_value_leaves_the_one_before_as_it_was() -> None:
    before = Purse(10)
    assert replace(before, cash=7) == Purse(7, 2)
    assert before == Purse(10, 2)
    with pytest.raises(AttributeError):
        before.cash = 3  # type: ignore[misc]
