"""Records from anybody: played, or refused with a sentence; and what is written is read back as it was."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.engine import catalog
from pbem.engine.record import BadRecord, Record, read_record, replay, start, verify, write_record
from pbem.service import BadInput
from pbem.service.archive import records
from tests.databases import Sqlite
from tests.every_map.games import deal, recorded
from tests.fuzz.mutate import spoiled, spoiled_bytes
from tests.fuzz.sentences import check_said, examples
from tests.table import Table

SHORT = Path(__file__).with_name("short_game.json")
MOST_ENTRIES = 12
lucks = st.randoms(use_true_random=False)


@cache
def whole() -> tuple[dict[str, Any], ...]:
    """Records of both games: with a seed, and as they were dealt elsewhere."""
    aos: dict[str, Any] = json.loads(SHORT.read_text())
    solo = write_record(recorded(catalog.sheet("steam-power", "ireland_solo"), 1))
    return aos, solo, *(_dealt(game, slug) for game, slug in (("age-of-steam", "germany"), ("steam-power", "ireland")))


def _dealt(game: str, slug: str) -> dict[str, Any]:
    """A game with an opening and one order."""
    sheet = catalog.sheet(game, slug)
    state = deal(sheet, 4, 3)
    position = sheet.position(state)
    figures = ("cash", "income", "shares", "engine")
    people = {seat: {key: line.get(key, 0) for key in figures} for seat, line in position["players"].items()}
    kept = ("order", "cubes", "cities", "display", "bag")
    opening = {"players": people} | {key: position[key] for key in kept if key in position}
    turn = {"turn": 1, "phase": sheet.phase(state), "player": sheet.to_act(state), "orders": str(sheet.default(state))}
    return {
        "format": "pbem-record/1",
        "game": game,
        "map": slug,
        "options": {},
        "players": list(position.get("order") or position["players"]),
        "opening": opening,
        "turns": [turn],
    }


def spoiled_record(luck: Random) -> dict[str, Any]:
    """A record with one to three faults; the fields a person would look at first more often than its many turns."""
    record = {**luck.choice(whole())}
    for _ in range(luck.choice((1, 1, 2, 3))):
        if not record:
            return {}
        key = luck.choice(sorted(record))
        record = spoiled(record, luck) if luck.random() < 0.4 else {**record, key: spoiled(record[key], luck)}
        if not isinstance(record, dict):
            return {"format": record}
    return record


def read(text: str | bytes) -> Record | None:
    """The record, ``None`` when it is none, which is said in a sentence."""
    try:
        return read_record(text)
    except BadRecord as bad:
        check_said(str(bad))
        return None


@examples(60)
@given(luck=lucks)
def test_a_spoiled_record_is_read_back_as_it_was_written_or_refused(luck: Random) -> None:
    if record := read(json.dumps(spoiled_record(luck))):
        written = read_record(json.dumps(write_record(record)))
        assert write_record(written) == write_record(record)


@examples(60)
@given(luck=lucks)
def test_bytes_that_are_no_record_are_refused_in_a_sentence(luck: Random) -> None:
    read(spoiled_bytes(json.dumps(luck.choice(whole())).encode(), luck))


@examples(80)
@given(luck=lucks)
def test_a_spoiled_record_is_played_as_far_as_it_goes(luck: Random) -> None:
    record = read(json.dumps(spoiled_record(luck)))
    if record is None:
        return
    try:
        sheet = catalog.sheet(record.game, record.map)
        start(sheet, record)
        played = list(islice(replay(sheet, record), MOST_ENTRIES))
    except (BadRecord, catalog.UnknownSheet) as bad:
        check_said(str(bad))
        return
    for entry in played:
        if entry.refusal is not None:
            check_said(entry.refusal.sentence())


@examples(15)
@given(luck=lucks)
def test_a_spoiled_record_proves_nothing_or_names_its_faults(luck: Random) -> None:
    record = read(json.dumps(spoiled(whole()[0], luck)))
    if record is None or record.map != "rust_belt" or record.game != "age-of-steam":
        return
    try:
        proof = verify(catalog.sheet(record.game, record.map), record)
    except BadRecord as bad:
        check_said(str(bad))
        return
    for fault in proof.faults:
        check_said(fault)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder = tmp_path_factory.mktemp("archive")
    table = Table(Sqlite(folder).fresh(), folder)
    yield table
    table.close()


@examples(10)
@given(luck=lucks)
def test_a_spoiled_record_comes_into_the_archive_whole_or_not_at_all(archive: Table, luck: Random) -> None:
    text = json.dumps(spoiled({key: value for key, value in whole()[0].items() if key != "digest"}, luck))
    try:
        game = records.import_record(archive.office, text, archive.now)
    except BadInput as bad:
        check_said(str(bad))
        return
    assert read_record(json.dumps(records.export(archive.office, game))).turns


@examples(30)
@given(value=st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5))
@example(value="\ud800")
def test_any_json_is_a_record_or_is_none(value: object) -> None:
    read(json.dumps(value))
    read(json.dumps({"format": "pbem-record/1", "game": value, "map": value, "players": value, "turns": value}))


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_a_record_of_brackets_alone_is_refused(depth: int) -> None:
    read("[" * depth)
    read('{"format":' * depth)
