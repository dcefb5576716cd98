"""A stored game on paper, and a game on paper in the archive."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from pbem.engine.record import read_record, replay, start, verify
from pbem.service import BadInput, NotNow
from pbem.service.archive import archive, records
from pbem.service.games import views
from pbem.service.statistics import counting
from tests.table import NAMES, Table


@pytest.mark.parametrize(
    ("game", "slug", "people"),
    [
        ("age-of-steam", "rust_belt", 4), ("age-of-steam", "germany", 4), ("age-of-steam", "finland", 3),
        ("steam-power", "ireland", 3), ("steam-power", "ireland_solo", 1),
    ],
)  # fmt: skip
def test_a_running_game_shows_everything_but_the_seed(table: Table, game: str, slug: str, people: int) -> None:
    """At any moment; hands of Steam Power are not in it, and a replay makes them up."""
    view = table.start(names=NAMES[:people], game=game, map=slug)
    for _ in range(3):
        raw = records.export(table.office, table.game)
        record = read_record(json.dumps(raw))
        assert not {"seed", "result"} & set(raw)
        assert "hand" not in json.dumps(raw)
        assert raw["commitment"] == view.commitment
        states = [start(view.sheet, record)[0].state, *(played.state for played in replay(view.sheet, record))]
        assert len(states) == 1 + table.view().version
        assert view.sheet.position(states[-1]) == view.sheet.position(table.view().state)
        table.play_on(4)


def test_the_record_of_a_finished_game_proves_its_dice(dealt: Table) -> None:
    view = dealt.play_on(1000)
    raw = records.export(dealt.office, dealt.game)
    proof = verify(view.sheet, read_record(json.dumps(raw)))
    assert proof.faults == ()
    assert proof.entries == view.version
    assert raw["names"] == view.names
    assert [line["place"] for line in raw["result"]] == [line.place for line in view.standings]


def test_before_the_start_there_is_no_record(table: Table) -> None:
    table.open()
    with pytest.raises(NotNow, match="not started"):
        records.export(table.office, table.game)


@pytest.mark.postgresql
def test_a_finished_record_comes_into_the_archive_as_it_was(dealt: Table) -> None:
    original = dealt.play_on(1000)
    raw = records.export(dealt.office, dealt.game)
    number = records.import_record(dealt.office, json.dumps(raw), dealt.later(days=1))
    assert records.import_record(dealt.office, json.dumps(raw), dealt.now) == number
    assert records.export(dealt.office, number) == raw
    view = views.game(dealt.office, number)
    assert (view.status, view.imported, view.version) == ("over", True, original.version)
    assert view.standings == original.standings
    assert [line.id for line in archive.page(dealt.office).games] == [number, dealt.game]


def test_a_game_from_elsewhere_comes_into_the_archive(table: Table, recorded: Callable[[str], dict[str, Any]]) -> None:
    raw = recorded("rust_belt-2692")
    number = records.import_record(table.office, json.dumps(raw), table.now)
    view = views.game(table.office, number)
    assert view.seed == ""
    assert {line.seat: line.score for line in view.standings} == {
        line["player"]: line["score"] for line in raw["result"]
    }


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "pbem-record/1"}', b"\xff\xfe", "[" * 100_000])
def test_what_is_no_record_is_told_so(table: Table, text: str | bytes) -> None:
    with pytest.raises(BadInput, match="record"):
        records.import_record(table.office, text, table.now)


def test_an_unfinished_or_forged_record_stays_outside(dealt: Table) -> None:
    dealt.play_on(2)
    with pytest.raises(BadInput, match="ends before the game"):
        records.import_record(dealt.office, json.dumps(records.export(dealt.office, dealt.game)), dealt.now)
    dealt.play_on(1000)
    raw = records.export(dealt.office, dealt.game)
    with pytest.raises(BadInput, match="commitment"):
        records.import_record(dealt.office, json.dumps({**raw, "seed": "00" * 32}), dealt.now)
    with pytest.raises(BadInput, match="no option"):
        records.import_record(dealt.office, json.dumps({**raw, "options": {"colour": "mauve"}}), dealt.now)
    with pytest.raises(BadInput):
        records.import_record(dealt.office, json.dumps({**raw, "opening": {"cubes": 7}}), dealt.now)
    with pytest.raises(BadInput, match="no sheet"):
        records.import_record(dealt.office, json.dumps({**raw, "map": "atlantis"}), dealt.now)


@pytest.mark.postgresql
def test_the_archive_is_read_page_by_page_latest_first(dealt: Table) -> None:
    dealt.play_on(1000)
    raw = records.export(dealt.office, dealt.game)
    ids = [dealt.game]
    for number in range(4):
        again = {**raw, "source": f"copy {number}"}
        ids.append(records.import_record(dealt.office, json.dumps(again), dealt.later(hours=number // 2)))
    seen: list[str] = []
    mark, pages = "", 0
    while pages == 0 or mark:
        page = archive.page(dealt.office, older_than=mark, size=2)
        seen, mark, pages = [*seen, *(line.id for line in page.games)], page.older, pages + 1
    assert (sorted(seen), pages) == (sorted(ids), 3)
    times = [views.game(dealt.office, number).ended_at for number in seen]
    assert times == sorted(times, reverse=True, key=str)


@pytest.mark.postgresql
@pytest.mark.parametrize("mark", ["x", "é", "====", "AAAA", "MjAyNiB4", "a" * 10_000, "\0"])
def test_a_mark_that_is_none_of_ours_begins_at_the_front(table: Table, mark: str) -> None:
    assert archive.page(table.office, older_than=mark).games == ()


@pytest.mark.postgresql
def test_the_archive_is_sorted_and_filtered_as_the_reader_wants(
    dealt: Table, recorded: Callable[[str], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt.play_on(1000)
    solo, island, coast = (
        records.import_record(dealt.office, json.dumps(recorded(name)), dealt.later(hours=1))
        for name in ("barbados-3038", "st_lucia-3032", "new_england-2657")
    )
    for game in counting.due(dealt.office, dealt.now):
        counting.count(dealt.office, game, dealt.now)
    orders = {line.id: line.version for line in archive.page(dealt.office).games}

    def listed(size: int, **wanted: Any) -> list[str]:
        page = archive.page(dealt.office, archive.Wanted(**wanted), size=size)
        seen, mark = [line.id for line in page.games], page.older
        while mark:
            page = archive.page(dealt.office, archive.Wanted(**wanted), older_than=mark, size=size)
            seen, mark = [*seen, *(line.id for line in page.games)], page.older
        return seen

    lists = {order: listed(20, order=order) for order in archive.ORDERS}
    by_map = [listed(20, order="highest", map=map, players=2) for map in ("st_lucia", "france")]
    monkeypatch.setattr(archive, "FEW_TO_SORT", -1)
    assert (
        [listed(20, order="highest", map=map, players=2) for map in ("st_lucia", "france")] == by_map == [[island], []]
    )
    assert lists == {
        "longest": sorted(orders, key=lambda game: -orders[game]),
        "highest": [coast, island, solo],  # 210, 90, 51; in the other nobody has points
        "closest": [island, coast],  # 32 and 37 points between the first two
    }
    assert {order: listed(1, order=order) for order in archive.ORDERS} == lists
    assert listed(20, players=2) == listed(1, players=2) == [coast, island]
    assert listed(20, players=2, order="highest", map="st_lucia") == [island]
    assert listed(20, account=dealt.host, order="longest") == listed(20, account=dealt.host) == [dealt.game]
    assert archive.page(dealt.office, archive.Wanted(players=3)).games == ()
    for mark in ("x", archive._mark(dealt.now, "x"), archive._mark(10**30, "x")):
        assert len(archive.page(dealt.office, archive.Wanted(order="longest"), older_than=mark).games) == 4


@pytest.mark.postgresql
def test_games_are_found_by_names_however_many_there_are(dealt: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt.play_on(1000)
    raw = records.export(dealt.office, dealt.game)
    ids = [dealt.game]
    for number, name in enumerate(("Xaver", "Zoë 50%", "zoë_2")):
        again = {**raw, "source": f"copy {number}", "names": {**raw["names"], raw["players"][0]: name}}
        ids.append(records.import_record(dealt.office, json.dumps(again), dealt.later(hours=1)))

    def found(part: str) -> list[int]:
        return [ids.index(line.id) for line in archive.page(dealt.office, archive.Wanted(text=part)).games]

    for few in (0, 1, 500):
        monkeypatch.setattr(archive, "FEW_GAMES", few)
        whole = {part: found(part) for part in ("XAV", "xaver", "ZO", "0%", "_", "zoë_2", "chlo", "nobody")}
        assert whole == {
            "XAV": [1], "xaver": [1], "ZO": [3, 2], "0%": [2], "_": [3], "zoë_2": [3], "nobody": [],
            "chlo": [3, 2, 1, 0],
        }  # fmt: skip
