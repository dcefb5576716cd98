"""What the page of the dice is made of is enough to compute every roll again, as ``docs/dice.md`` says it is done."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import write_record
from pbem.service import NoSuch
from pbem.service.archive import proofs, records
from pbem.service.archive.proofs import Roll
from pbem.service.games import views
from tests.databases import Sqlite
from tests.table import Table


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("proofs")
    table = Table(Sqlite(folder).fresh(), folder)
    table.start()
    return table


def numbers(seed: bytes, label: str) -> Iterator[int]:
    """The numbers of a roll, written down once more from the page."""
    block = 0
    while True:
        digest = hmac.new(seed, f"pbem/1|{label}|{block}".encode(), hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1


def computed(seed: bytes, label: str, roll: Roll, bag: dict[str, int] | None) -> list[str]:
    """What the seed gives."""
    found = numbers(seed, label)
    if roll.kind == "dice":
        return [str(next(found) * 6 // 2**64 + 1) for _ in roll.came]
    things = sorted(roll.came) if roll.kind == "order" else sorted(Counter(bag).elements())
    return [things.pop(next(found) * len(things) // 2**64) for _ in roll.came]


@pytest.mark.parametrize(("game", "slug", "players"), [("age-of-steam", "france", 3), ("steam-power", "ireland", 2)])
def test_every_roll_of_a_finished_game_follows_from_its_seed(table: Table, game: str, slug: str, players: int) -> None:
    record, _ = play(catalog.sheet(game, slug), players, "a")
    number = records.import_record(table.office, json.dumps(write_record(record)), table.now)
    bags, seed = proofs.bags(table.office, number), bytes.fromhex(views.game(table.office, number).seed)
    rolls = proofs.rolls(table.office, number)
    used: Counter[tuple[int, str]] = Counter()
    for roll in rolls:
        used[roll.entry, roll.purpose] += 1
        entry = "deal" if roll.entry < 0 else str(roll.entry)
        place = "deal" if roll.entry < 0 else f"{roll.turn}.{roll.entry}"
        label = f"{place}|{roll.purpose}|{used[roll.entry, roll.purpose]}"
        assert computed(seed, label, roll, bags.get(entry, {roll.at: None})[roll.at]) == list(roll.came), label
    assert {roll.kind for roll in rolls} >= {"cubes", "order"}


def test_a_running_game_shows_neither_its_rolls_nor_its_bags(table: Table) -> None:
    for told in (proofs.rolls, proofs.bags):
        with pytest.raises(NoSuch):
            told(table.office, table.game)


def test_a_game_of_a_record_without_seed_has_nothing_to_prove(
    table: Table, recorded_path: Callable[[str], Path]
) -> None:
    path = recorded_path("barbados-3038.json")
    number = records.import_record(table.office, path.read_bytes(), table.now)
    with pytest.raises(NoSuch):
        proofs.rolls(table.office, number)
