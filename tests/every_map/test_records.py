"""Games on paper: the same seed is the same game, and the record alone proves it."""

import json
from collections.abc import Callable
from functools import cache
from itertools import islice

import pytest

from pbem.engine import Sheet, replace
from pbem.engine.chance import commitment
from pbem.engine.record import Record, digest, read_record, replay, result_lines, verify, write_record
from tests.every_map.games import deal, every_sheet, play, recorded, seed_of

NUMBER = 5
ORDERS = 60


@cache
def once(sheet: Sheet) -> Record:
    """The game of these tests, played once for all of them."""
    return recorded(sheet, NUMBER, thoughtful=ORDERS)


def on_paper(record: Record) -> Record:
    """The record written out and read again."""
    return read_record(json.dumps(write_record(record)))


@pytest.mark.parametrize("sheet", every_sheet())
def test_the_same_seed_gives_the_same_game(sheet: Sheet) -> None:
    """Its first orders by robots and dice; to the end the same is asked of every replay from the seed below."""
    again = islice(play(sheet, NUMBER, deal(sheet, NUMBER)), ORDERS)
    told = [(played.seat, played.order, digest(sheet, played.step.state)) for played in again]
    assert told == [(entry.player, entry.orders, entry.digest) for entry in once(sheet).turns[:ORDERS]]


@pytest.mark.parametrize("sheet", every_sheet())
def test_a_record_replays_to_the_same_positions(sheet: Sheet) -> None:
    """From the rolls it holds, with the state stored between entries; below it is verified from its seed."""
    record = on_paper(once(sheet))
    state = None
    for played in replay(sheet, record, store=True):
        assert not played.refusal
        assert not played.passed_over
        assert digest(sheet, played.state) == played.entry.digest
        state = played.state
    assert state is not None
    assert result_lines(sheet, state) == record.result


@pytest.mark.parametrize("sheet", every_sheet())
def test_an_honest_record_is_verified(sheet: Sheet) -> None:
    record = on_paper(once(sheet))
    proof = verify(sheet, record)
    assert proof.faults == ()
    assert proof.entries == len(record.turns)


def _other_die(record: Record) -> Record:
    at, entry = next((n, e) for n, e in enumerate(record.turns) if any("dice" in draw for draw in e.chance or ()))
    draws = json.loads(json.dumps(entry.chance))
    roll = next(draw for draw in draws if "dice" in draw)
    roll["dice"][0] = roll["dice"][0] % 6 + 1
    return _entry(record, at, chance=tuple(draws))


def _entry(record: Record, at: int, **changes: object) -> Record:
    turns = list(record.turns)
    turns[at] = replace(turns[at], **changes)
    return replace(record, turns=tuple(turns))


def _other_order(record: Record) -> Record:
    at = next(n for n, e in enumerate(record.turns) if e.phase == "issue_shares" and e.orders == "issue 0")
    return _entry(record, at, orders="issue 1")


def _other_result(record: Record) -> Record:
    first = {**record.result[0], "score": 999}
    return replace(record, result=(first, *record.result[1:]))


TAMPERED: dict[str, Callable[[Record], Record]] = {
    "the rolls do not match the seed": _other_die,
    "does not match the published commitment": lambda record: replace(record, seed=seed_of(NUMBER + 1)),
    "the position does not match the stored one": _other_order,
    "position does not match": lambda record: _entry(record, 3, digest="0" * 64),
    "The result is not the one": _other_result,
    "ends before the game does": lambda record: replace(record, turns=record.turns[:-1]),
    "has no seed": lambda record: replace(record, seed=b""),
    "The deal does not match the seed": lambda record: replace(record, deal=({"for": "deal", "cubes": []},)),
}


@pytest.mark.parametrize("fault", TAMPERED)
def test_a_record_that_was_changed_is_not_verified(fault: str, rust_belt: Sheet, honest: Record) -> None:
    """A changed die, seed, order, digest, result or length."""
    proof = verify(rust_belt, TAMPERED[fault](honest))
    assert any(fault in sentence for sentence in proof.faults), proof.faults


def test_another_seed_with_its_own_commitment_gives_another_game(rust_belt: Sheet, honest: Record) -> None:
    """Nobody can choose a seed afterwards."""
    other = replace(honest, seed=seed_of(NUMBER + 1), commitment=commitment(seed_of(NUMBER + 1)))
    assert verify(rust_belt, other).faults


@pytest.fixture(scope="module")
def honest(rust_belt: Sheet) -> Record:
    return on_paper(once(rust_belt))
