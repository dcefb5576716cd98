"""Maps that people draw: begun, saved, overtaken by another page, deleted; what an account leaves behind."""

import pytest
from sqlalchemy import select

from pbem.engine import catalog
from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.games import account_deletion
from pbem.service.own_maps import beginnings, drafts
from pbem.service.own_maps.drafts import Overtaken
from pbem.store.tables import Account, OwnMap, OwnMapDraft
from tests.table import Table

RUST_BELT = catalog.drawings()["rust_belt"]


@pytest.fixture
def ana(table: Table) -> int:
    return table.account("Ana")


@pytest.mark.postgresql
def test_a_map_is_begun_saved_and_read_again(table: Table, ana: int) -> None:
    key = drafts.begin(table.office, ana, RUST_BELT, table.now, "rust_belt")
    assert len(key) == drafts.KEY
    draft = drafts.read(table.office, key, ana)
    assert (draft.text, draft.revision, draft.name, draft.checked.faults) == (RUST_BELT, 1, "Rust Belt", ())
    changed = RUST_BELT.replace('"Rust Belt"', '"My Belt"')
    assert drafts.save(table.office, key, ana, changed, 1, table.now) == 2
    assert drafts.save(table.office, key, ana, changed, 1, table.now) == 2, "the same text is no conflict"
    assert [each.name for each in drafts.of_account(table.office, ana)] == ["My Belt"]


def test_a_text_that_cannot_be_read_is_saved_all_the_same(table: Table, ana: int) -> None:
    key = drafts.begin(table.office, ana, RUST_BELT, table.now)
    drafts.save(table.office, key, ana, 'name = "half', 1, table.now)
    draft = drafts.read(table.office, key, ana)
    assert (draft.text, draft.name, draft.checked.sheet) == ('name = "half\n', "Rust Belt", None)
    assert str(draft.checked.faults[0].sentence)


def test_what_another_page_has_saved_is_not_lost(table: Table, ana: int) -> None:
    key = drafts.begin(table.office, ana, RUST_BELT, table.now)
    drafts.save(table.office, key, ana, "one", 1, table.now)
    with pytest.raises(Overtaken) as other:
        drafts.save(table.office, key, ana, "two", 1, table.now)
    assert (other.value.draft.text, other.value.draft.revision) == ("one\n", 2)
    assert drafts.read(table.office, key, ana).text == "one\n"


def test_nobody_else_reads_saves_or_deletes_it(table: Table, ana: int) -> None:
    key, other = drafts.begin(table.office, ana, RUST_BELT, table.now), ana + 1
    assert drafts.of_account(table.office, other) == ()
    with pytest.raises(NoSuch):
        drafts.read(table.office, key, other)
    with pytest.raises(NoSuch):
        drafts.save(table.office, key, other, "x", 1, table.now)
    with pytest.raises(NoSuch):
        drafts.delete(table.office, key, other, table.now)


@pytest.mark.postgresql
def test_a_person_has_twenty_maps_at_most_and_one_less_after_deleting(table: Table, ana: int) -> None:
    keys = [drafts.begin(table.office, ana, f"# {n}", table.now) for n in range(drafts.MOST)]
    with pytest.raises(NotNow, match="You have 20 maps"):
        drafts.begin(table.office, ana, "# more", table.now)
    drafts.delete(table.office, keys[0], ana, table.now)
    drafts.begin(table.office, ana, "# more", table.now)


def test_an_endless_text_is_not_taken(table: Table, ana: int) -> None:
    with pytest.raises(BadInput, match="longer than"):
        drafts.begin(table.office, ana, "x" * (drafts.LONGEST + 1), table.now)


@pytest.mark.postgresql
def test_drafts_go_with_the_account(table: Table, ana: int) -> None:
    drafts.begin(table.office, ana, RUST_BELT, table.now)
    account_deletion.delete(table.office, ana, table.found(Account, ana).address, table.now)
    assert table.rows(select(OwnMap.key)) == []
    assert table.rows(select(OwnMapDraft.text)) == []


@pytest.mark.parametrize("orientation", beginnings.ORIENTATIONS)
@pytest.mark.parametrize(("columns", "rows"), [(4, 5), (9, 10), (40, 10), (10, 40)])
def test_an_empty_map_lacks_only_its_cities(orientation: str, columns: int, rows: int) -> None:
    text = beginnings.empty("Nowhere", "Ana", "Own design.", columns, rows, orientation)
    assert [str(fault.sentence) for fault in drafts.check(text).faults] == ["A map needs two Cities at least."]
    assert sum(line.count(".") for line in text.split('"""')[1].splitlines()) == columns * rows


def test_a_map_of_no_size_is_refused() -> None:
    for columns, rows in ((3, 10), (10, 41)):
        with pytest.raises(BadInput, match="4 to 40 hexes"):
            beginnings.empty("Nowhere", "Ana", "Own design.", columns, rows, "flat-top")
