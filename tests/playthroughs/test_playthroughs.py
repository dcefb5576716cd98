"""Games recorded once come out the same for ever: every roll, every position, the result."""

from __future__ import annotations

import pytest

from pbem import catalog
from pbem.engine.record import Record, digest, read_record, replay, verify
from pbem.engine.sheet import Sheet
from tests.playthroughs.record import ENDS, HERE, MAP, end_of, transcript

NAMES = sorted(path.stem for path in HERE.glob("*.json"))


def load(name: str) -> tuple[Sheet, Record]:
    record = read_record((HERE / f"{name}.json").read_bytes())
    return catalog.sheet(record.game, record.map), record


@pytest.mark.parametrize("end", ENDS)
def test_every_way_to_end_has_its_game(end: str) -> None:
    sheet, record = load(f"{MAP}-{end}")
    assert ENDS[end](end_of(sheet, record))


@pytest.mark.parametrize("name", NAMES)
def test_the_game_is_what_its_seed_gives(name: str) -> None:
    sheet, record = load(name)
    assert verify(sheet, record).faults == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_rolls_on_paper_lead_to_the_same_positions(name: str) -> None:
    """Without the seed, with the state stored after every entry."""
    sheet, record = load(name)
    for played in replay(sheet, record, store=True):
        assert played.refusal is None
        assert digest(sheet, played.state) == played.entry.digest, f"entry {played.number}"


@pytest.mark.parametrize("name", NAMES)
def test_the_transcript_tells_the_game(name: str) -> None:
    sheet, record = load(name)
    assert transcript(sheet, record) == (HERE / f"{name}.txt").read_text("utf-8")
