"""Stored states: what older versions wrote is read, what a newer one wrote is told apart from damage."""

from typing import Any

import pytest

from pbem.engine import Value, field
from pbem.engine.storage import BadState, Codec


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
