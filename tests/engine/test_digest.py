"""The bytes that digests are made of are those with which the digests of all records so far were made."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine import catalog
from pbem.engine.record import canonical, read_record, replay
from tests.every_map.test_recorded_games import GAMES
from tests.stored_states.kept import Kind, every_kind

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(TEXTS, inner, max_size=6),
    max_leaves=25,
)
"""Of a size that a hundred of them are made in a second or two."""
AWKWARD = "".join(map(chr, range(0x300))) + "\u2028\u2029\ufeff\uffff\N{STEAM LOCOMOTIVE}"


def as_first_made(position: object) -> bytes:
    """How digests were made when the first of those that are kept was."""
    return json.dumps(position, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@given(st.dictionaries(TEXTS, VALUES, max_size=6))
def test_any_position_gives_the_bytes_of_old(position: dict[str, Any]) -> None:
    assert canonical(position) == as_first_made(position)


def test_every_letter_and_sign_is_written_as_of_old() -> None:
    position = {letter: AWKWARD + letter for letter in AWKWARD}
    assert canonical(position) == as_first_made(position)


@pytest.mark.parametrize("kind", [pytest.param(kind, id=f"{kind.version}/{kind.map}") for kind in every_kind()])
def test_positions_of_every_map_give_the_bytes_of_old(kind: Kind) -> None:
    sheet = catalog.sheet(kind.game, kind.map)
    for kept in kind.states:
        state = sheet.decode(kept.stored.encode())
        position = sheet.position(state)
        assert not fractions_in(position)
        assert canonical(position) == as_first_made(position)


@pytest.mark.parametrize("name", GAMES)
def test_positions_of_recorded_games_give_the_bytes_of_old(name: str, recorded_path: Callable[[str], Path]) -> None:
    record = read_record(recorded_path(f"{name}.json").read_bytes())
    sheet = catalog.sheet(record.game, record.map)
    for played in replay(sheet, record):
        position = sheet.position(played.state)
        assert canonical(position) == as_first_made(position)


def fractions_in(value: object) -> bool:
    """Whether a fraction is somewhere inside: those alone are written in another way than of old."""
    if isinstance(value, dict):
        return any(map(fractions_in, value.values()))
    return any(map(fractions_in, value)) if isinstance(value, list | tuple) else isinstance(value, float)
