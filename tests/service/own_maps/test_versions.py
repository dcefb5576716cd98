"""Versions of own maps: found by the rules, tried by robots, played on, and never changed; records carry them."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete, select

from pbem.engine import catalog
from pbem.engine.record import read_record, replay, verify
from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.archive import records
from pbem.service.games import account_deletion
from pbem.service.own_maps import drafts, states, versions
from pbem.service.statistics import counting
from pbem.store.statuses import GameStatus, MapStatus, TrialStatus
from pbem.store.tables import Account, CountedGame, Game, OwnMap, OwnMapVersion
from tests.drawn import SLUG, SMALL, map_of
from tests.table import Table


@pytest.fixture
def ana(table: Table) -> int:
    catalog._kept.cache_clear()
    return table.account("Ana")


def other(text: str, name: str = "Minho") -> str:
    return text.replace('"Douro"', f'"{name}"')


@pytest.mark.postgresql
def test_a_version_is_made_once_of_a_text_and_found_by_the_rules(table: Table, ana: int) -> None:
    key = drafts.begin(table.office, ana, SMALL, table.now)
    made = versions.make(table.office, key, ana, table.now)
    again = versions.make(table.office, key, ana, table.now)
    assert (made.slug, made.number, again.id, made.trial) == (SLUG, 1, made.id, TrialStatus.WAITING)
    assert versions.untried(table.office, table.now) == [made.id]
    sheet = catalog.sheet("age-of-steam", SLUG)
    assert (sheet.name, sheet.slug, sheet.drawing) == ("Douro", SLUG, made.sheet.drawing)
    drafts.save(table.office, key, ana, other(SMALL), 1, table.now)
    second = versions.make(table.office, key, ana, table.now)
    assert [each.number for each in versions.of_map(table.office, key)] == [2, 1]
    assert second.sheet.name == "Minho"
    assert catalog.sheet("age-of-steam", SLUG).name == "Douro"
    assert drafts.read(table.office, key, ana).status == MapStatus.PLAYTEST


def test_nothing_is_found_where_there_is_nothing(table: Table, ana: int) -> None:
    for slug in ("own-", "own-0123456789abcdef", f"{SLUG}0"):
        with pytest.raises(catalog.UnknownSheet, match="no own map"):
            catalog.sheet("age-of-steam", slug)
    with pytest.raises(catalog.UnknownSheet):
        catalog.sheet("steam-power", SLUG)


def test_a_text_that_does_not_fit_its_slug_is_no_map(table: Table, ana: int) -> None:
    made = map_of(table.office, ana, table.now)
    with table.office.write() as session:
        session.get_one(OwnMapVersion, made.id).text = other(SMALL)
    with pytest.raises(catalog.UnknownSheet, match="is that of own-"):
        catalog.sheet("age-of-steam", SLUG)
    with table.office.write() as session:
        session.get_one(OwnMapVersion, made.id).text = "x"
    with pytest.raises(catalog.UnknownSheet, match="cannot be read"):
        catalog.sheet("age-of-steam", SLUG)


def test_a_draft_with_faults_makes_no_version(table: Table, ana: int) -> None:
    key = drafts.begin(table.office, ana, SMALL.replace('"Ovar" = "C2"', ""), table.now)
    with pytest.raises(NotNow, match="The town on C2 has no name"):
        versions.make(table.office, key, ana, table.now)
    with pytest.raises(NoSuch):
        versions.make(table.office, key, ana + 1, table.now)
    assert table.rows(select(OwnMapVersion.id)) == []


def test_no_game_begins_before_robots_have_tried_it_or_after_they_could_not(table: Table, ana: int) -> None:
    key = drafts.begin(table.office, ana, SMALL, table.now)
    made = versions.make(table.office, key, ana, table.now)
    with pytest.raises(BadInput, match="Robots are still trying this map"):
        table.open(map=SLUG)
    versions.tried(table.office, made.id, table.now, (3, 2), "ValueError: no")
    with pytest.raises(BadInput, match="cannot be played yet"):
        table.open(map=SLUG)
    assert versions.of_slug(table.office, SLUG).stopped == (3, 2)
    versions.tried(table.office, made.id, table.now)
    table.open(map=SLUG)


def test_no_game_begins_on_a_withdrawn_map_and_a_running_one_goes_on(table: Table, ana: int) -> None:
    made = map_of(table.office, ana, table.now)
    table.start(map=SLUG)
    with table.office.write() as session:
        session.get_one(OwnMap, made.key).status = MapStatus.WITHDRAWN
    with pytest.raises(BadInput, match="was withdrawn"):
        table.open(map=SLUG)
    table.play_on(3)


@pytest.mark.postgresql
def test_a_game_on_an_own_map_is_played_to_its_end_counted_and_never_rated(table: Table, ana: int) -> None:
    map_of(table.office, ana, table.now)
    table.start(map=SLUG)
    assert table.row().friendly
    catalog._kept.cache_clear()  # another process has not read it yet
    table.play_on(1000)
    assert table.row().status == GameStatus.OVER
    counting.count(table.office, table.game, table.now)
    counted = table.found(CountedGame, table.game)
    assert (counted.map, counted.rated) == (SLUG, False)


def test_the_record_of_such_a_game_needs_nothing_else(table: Table, ana: int) -> None:
    map_of(table.office, ana, table.now)
    table.start(map=SLUG)
    table.play_on(1000)
    raw = records.export(table.office, table.game)
    record = read_record(json.dumps(raw))
    sheet = catalog.of_record(record)
    assert [played.refusal for played in replay(sheet, record) if played.refusal] == []
    assert verify(sheet, record).faults == ()
    with table.office.write() as session:  # a server that has never seen the map
        session.execute(delete(OwnMapVersion))
    catalog._kept.cache_clear()
    imported = records.import_record(table.office, json.dumps(raw), table.now)
    assert records.import_record(table.office, json.dumps(raw), table.now) == imported
    assert table.found(Game, imported).map == SLUG
    assert table.only(select(OwnMapVersion.map_key)) is None
    with pytest.raises(BadInput, match="was withdrawn"):
        table.open(map=SLUG)


def test_a_record_whose_map_was_changed_is_not_taken(table: Table, ana: int) -> None:
    map_of(table.office, ana, table.now)
    table.start(map=SLUG)
    table.play_on(1000)
    raw = records.export(table.office, table.game)
    raw = {key: value for key, value in raw.items() if key not in ("seal", "written_by")}
    with pytest.raises(BadInput, match="it was changed"):
        records.import_record(table.office, json.dumps({**raw, "board": other(raw["board"])}), table.now)
    with pytest.raises(BadInput):
        records.import_record(table.office, json.dumps({**raw, "board": "x"}), table.now)


def test_thirty_versions_a_day(table: Table, ana: int) -> None:
    office = replace(table.office, settings=replace(table.office.settings, rate_limits=True))
    key = drafts.begin(office, ana, SMALL, table.now)
    for number in range(1, 31):
        drafts.save(office, key, ana, other(SMALL, f"Map {number}"), number, table.now)
        versions.make(office, key, ana, table.now)
    drafts.save(office, key, ana, other(SMALL, "One more"), 31, table.now)
    with pytest.raises(Exception, match="map-versions"):
        versions.make(office, key, ana, table.now)
    versions.make(office, key, ana, table.now + timedelta(days=1))


def test_versions_that_games_name_stay_without_the_account(table: Table, ana: int) -> None:
    map_of(table.office, ana, table.now)
    table.start(map=SLUG)
    account_deletion.delete(table.office, ana, table.found(Account, ana).address, table.now)
    version = versions.of_slug(table.office, SLUG)
    assert (version.owner, version.by, version.name) == (None, "", "Douro")
    catalog._kept.cache_clear()
    table.play_on(2)


def test_a_map_that_games_name_is_not_deleted(table: Table, ana: int) -> None:
    made = map_of(table.office, ana, table.now)
    table.open(map=SLUG)
    with pytest.raises(NotNow, match="You can withdraw it"):
        drafts.delete(table.office, made.key, ana, table.now)


@pytest.mark.postgresql
def test_a_map_that_no_game_names_is_deleted_with_its_versions(table: Table, ana: int) -> None:
    made = map_of(table.office, ana, table.now)
    states.complain(table.office, made.key, table.account("Ben"), "Rude.", table.now)
    drafts.delete(table.office, made.key, ana, table.now)
    assert table.rows(select(OwnMapVersion.id)) == []
    assert table.rows(select(OwnMap.key)) == []
