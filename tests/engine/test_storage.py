"""Stored states: what older versions wrote is read, what a newer one wrote is told apart from damage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.engine.storage import BadState, Codec
from pbem.engine.values import Value, field


class Then(Value, frozen=True):
    cash: int
    town: str


class Now(Value, frozen=True):
    """A field with another name, one with another shape, and a new one with a default."""

    money: int
    towns: tuple[str, ...]
    fog: bool = False


def renamed(plain: dict[str, Any]) -> dict[str, Any]:
    plain["money"] = plain.pop("cash")
    return plain


def several(plain: dict[str, Any]) -> dict[str, Any]:
    plain["towns"] = [plain.pop("town")]
    return plain


OLD, NEW = Codec(Then), Codec(Now, (renamed, several))


def test_a_state_says_its_format() -> None:
    assert OLD.encode(Then(7, "Toledo")) == b'{"format":1,"state":{"cash":7,"town":"Toledo"}}'
    assert NEW.encode(Now(7, ("Toledo",))).startswith(b'{"format":3,')


def test_a_state_of_an_older_format_goes_through_every_upgrade_since() -> None:
    assert NEW.decode(OLD.encode(Then(7, "Toledo"))) == Now(7, ("Toledo",))
    assert NEW.decode(b'{"format":2,"state":{"money":7,"town":"Toledo"}}') == Now(7, ("Toledo",))
    assert NEW.decode(b'{"format":3,"state":{"money":7,"towns":["Toledo"]}}') == Now(7, ("Toledo",))


def test_a_field_with_a_default_needs_no_upgrade_and_one_that_is_gone_is_passed_over() -> None:
    stored = b'{"format":3,"state":{"money":7,"towns":[],"weather":"rain"}}'
    assert NEW.decode(stored) == Now(7, (), fog=False)


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b'{"format":1,"state":{}}',
        b'{"format":1,"state":[]}',
        b'{"format":1,"state":7}',
        b'{"format":0,"state":{"cash":7,"town":"A"}}',
        b'{"format":-1,"state":{"cash":7,"town":"A"}}',
        b'{"format":3,"state":{"money":"much","towns":[]}}',
        b'{"format":3,"own":-1,"state":{"money":7,"towns":[]}}',
    ],
)
def test_what_is_no_stored_state_is_told_in_a_sentence(stored: bytes) -> None:
    with pytest.raises(BadState, match="cannot be read"):
        NEW.decode(stored)


def test_a_state_of_a_newer_version_is_not_guessed_at() -> None:
    with pytest.raises(BadState, match=r"format 3\.0 cannot be read by this version"):
        OLD.decode(NEW.encode(Now(7, ())))
    with pytest.raises(BadState, match=r"format 1\.1 cannot be read by this version"):
        OLD.decode(OLD.encode(Then(7, "Toledo"), own=(renamed,)))


class Renamed(Value, frozen=True):
    money: int = field(name="cash")


def test_a_field_may_be_stored_under_another_key() -> None:
    then = Codec(Renamed)
    assert then.encode(Renamed(5)) == b'{"format":1,"state":{"cash":5}}'
    assert then.decode(then.encode(Renamed(5))) == Renamed(5)
    with pytest.raises(BadState, match="cash"):
        then.decode(b'{"format":1,"state":{"money":5}}')


class Board(Value, frozen=True):
    """A field with another key before the part that is read apart, one with a default behind it."""

    money: int = field(name="cash")
    towns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fog: bool = False


APART = Codec(Board, apart="towns")
TOWNS = {"B2": ("red", "blue"), "C3": ()}


def test_a_part_read_apart_is_the_very_same_value_as_long_as_it_is_the_same() -> None:
    first, second, other = (
        APART.decode(APART.encode(Board(cash, towns)))
        for cash, towns in ((7, TOWNS), (8, TOWNS), (8, {**TOWNS, "C3": ("red",)}))
    )
    assert (first, second) == (Board(7, TOWNS), Board(8, TOWNS))
    assert first.towns is second.towns
    assert other == Board(8, {"B2": ("red", "blue"), "C3": ("red",)})


@pytest.mark.parametrize("reads_own", [True, False])
def test_a_part_that_was_written_here_is_read_as_the_one_that_was_written(
    reads_own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Codec, "reads_own", reads_own)
    towns = {"B2": ("red",), "D4": ("blue",)}
    codec = Codec(Board, apart="towns")
    stored = codec.encode(Board(7, towns))
    assert codec.decode(stored).towns is codec.decode(stored).towns is towns
    assert codec.decode(codec.encode(Board(7))).towns == {}


def test_tests_read_what_was_written_and_find_what_is_not_read_as_it_was() -> None:
    wrong: Any = {"B2": ["red"], "D4": ["white"]}
    assert APART.decode(APART.encode(Board(7, wrong))) == Board(7, {"B2": ("red",), "D4": ("white",)})


def test_states_with_a_part_read_apart_are_those_that_are_read_at_once() -> None:
    for board in (Board(7), Board(7, TOWNS), Board(0, {}, fog=True)):
        assert APART.encode(board) == Codec(Board).encode(board)
        assert APART.decode(APART.encode(board)) == Codec(Board).decode(APART.encode(board)) == board
    assert APART.decode(b'{"format":1,"state":{"cash":7}}') == Board(7)
    assert APART.decode(b'{"format":1,"state":{"cash":7,"weather":"rain","fog":true}}') == Board(7, {}, fog=True)


@pytest.mark.parametrize("towns", [b"[]", b"3", b'{"B2":3}', b'{"B2":[3]}', b'{"B2":', b'{"B2":["red"]}}'])
def test_a_damaged_part_is_a_damaged_state(towns: bytes) -> None:
    with pytest.raises(BadState):
        APART.decode(b'{"format":1,"state":{"cash":7,"towns":' + towns + b"}}")
