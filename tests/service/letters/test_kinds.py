"""The kinds of letter: each is declared once, with its templates, and reads what it stores."""

from __future__ import annotations

import typing
from dataclasses import fields
from datetime import UTC, date, datetime
from types import ModuleType
from typing import Any

import pytest

from pbem.mail import environment
from pbem.service.letters import kinds
from pbem.service.letters.kinds import LetterKind, registry
from pbem.service.letters.kinds.orders import Refused

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
SAMPLES: dict[object, object] = {
    int: 7,
    str: "Ann",
    bool: True,
    date: date(2026, 5, 4),
    datetime: NOON,
    tuple[str, ...]: ("shares", "auction"),
    tuple[int, ...]: (4, 7),
    dict[str, Any]: {"say": "Nothing was done."},
    dict[str, int]: {"k7m2": 4},
}
each_kind = pytest.mark.parametrize("kind", kinds.every().values(), ids=lambda kind: str(kind.kind))


def sample(kind: type[LetterKind]) -> LetterKind:
    """A letter of the kind with something in every field."""
    types = typing.get_type_hints(kind)
    values = {}
    for field in fields(kind):
        plain = [one for one in typing.get_args(types[field.name]) if one is not type(None)]
        optional = type(None) in typing.get_args(types[field.name])
        values[field.name] = SAMPLES[plain[0] if optional else types[field.name]]
    return kind(**values)


def test_every_kind_has_its_templates_and_every_folder_of_templates_its_kind() -> None:
    assert set(kinds.every()) == environment.kinds()
    for kind in kinds.every():
        for part in ("subject.txt", "body.txt", "body.html"):
            assert environment.environment().get_template(f"{kind}/{part}")


@each_kind
def test_what_a_letter_stores_is_what_is_read_from_its_row(kind: type[LetterKind]) -> None:
    letter = sample(kind)
    assert kind.read(letter.stored()) == letter


@each_kind
def test_the_delivery_log_has_words_for_every_kind(kind: type[LetterKind]) -> None:
    assert str(kinds.title(kind.kind)) == str(kind.title) != ""
    assert kind.__doc__


def test_no_two_kinds_have_one_title() -> None:
    titles = [str(kind.title) for kind in kinds.every().values()]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize(("name", "data"), [("postcard", {}), ("played", {}), ("played", {"submission": "x"})])
def test_a_row_that_is_no_letter_of_its_kind_is_an_error(name: str, data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"there is no letter|submission"):
        kinds.named(name).read(data)


def test_a_kind_that_is_not_known_stands_for_itself() -> None:
    assert str(kinds.title("postcard")) == "postcard"


def test_a_row_of_refused_orders_that_tells_of_one_mail_is_not_the_last_that_is_answered() -> None:
    first = Refused.read({"submission": 4})
    assert (first.number, first.last) == (1, False)


def test_a_class_that_is_no_letter_is_no_kind_whatever_it_is_called() -> None:
    module = ModuleType("letters")
    members = {"kind": "postcard", "__module__": "letters"}
    vars(module).update(
        kind_of=type("NoLetter", (), members), letter=type("Postcard", (LetterKind,), members), other=LetterKind
    )
    assert [kind.__name__ for kind in registry._declared_in(module)] == ["Postcard"]
