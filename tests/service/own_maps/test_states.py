"""Who may see an own map: published by its owner, found in the list, withdrawn, hidden after complaints."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.letter_views import correspondence
from pbem.service.own_maps import drafts, listing, states, versions
from pbem.service.own_maps.listing import Wanted
from pbem.store.statuses import MapStatus
from pbem.store.tables import OwnMap, OwnMapComplaint
from tests.drawn import SLUG, SMALL, map_of
from tests.table import Table


@pytest.fixture
def ana(table: Table) -> int:
    return table.account("Ana")


@pytest.fixture
def played(table: Table, ana: int) -> str:
    """The key of a map on which Ana has finished a game."""
    made = map_of(table.office, ana, table.now)
    table.start(map=SLUG)
    table.play_on(1000)
    return made.key


def listed(table: Table, *wanted: object) -> list[str]:
    return [entry.version.name for entry in listing.listed(table.office, Wanted(*wanted))[0]]  # type: ignore[arg-type]


@pytest.mark.postgresql
def test_a_map_is_published_after_a_game_and_found_in_the_list(table: Table, ana: int, played: str) -> None:
    assert listed(table) == []
    states.publish(table.office, played, ana, 1, table.now)
    (entry,), more = listing.listed(table.office, Wanted())
    assert (entry.version.name, entry.version.published, entry.finished, entry.running, more) == (
        "Douro", True, 1, 0, False,
    )  # fmt: skip
    for wanted in (("porto",), ("DAVI",), ("ana",), ("", 2), ("", 4), ("", 0, "short")):
        assert listed(table, *wanted) == ["Douro"], wanted
    for wanted in (("lisboa",), ("_orto",), ("", 5), ("", 1), ("", 0, "medium"), ("", 0, "long")):
        assert listed(table, *wanted) == [], wanted


def test_the_list_has_twenty_maps_a_page_the_newest_first(table: Table, ana: int, played: str) -> None:
    for number in range(20):
        text = SMALL.replace('"Douro"', f'"Map {number}"')
        made = map_of(table.office, ana if number < 10 else table.account("Ben"), table.now, text)
        with table.office.write() as session:
            row = session.get_one(OwnMap, made.key)
            row.status, row.published, row.published_at = MapStatus.PUBLISHED, made.hash, table.later(hours=1)
    states.publish(table.office, played, ana, 1, table.later(hours=1))
    first, more = listing.listed(table.office, Wanted())
    assert ([entry.version.name for entry in first[:2]], len(first), more) == (["Douro", "Map 19"], 20, True)
    last, more = listing.listed(table.office, Wanted(), 1)
    assert ([entry.version.name for entry in last], more) == (["Map 0"], False)


def test_nothing_is_published_before_a_game_of_its_owner_has_ended(table: Table, ana: int) -> None:
    made = map_of(table.office, ana, table.now)
    with pytest.raises(NotNow, match="Finish a game on this map first"):
        states.publish(table.office, made.key, ana, 1, table.now)
    table.open(("Ben", "Eva"), map=SLUG)
    with pytest.raises(NotNow, match="Finish a game on this map first"):
        states.publish(table.office, made.key, ana, 1, table.now)
    with pytest.raises(NoSuch):
        states.publish(table.office, made.key, ana + 1, 1, table.now)
    with pytest.raises(NoSuch):
        states.publish(table.office, made.key, ana, 2, table.now)


def test_a_version_that_robots_could_not_play_is_not_published(table: Table, ana: int, played: str) -> None:
    drafts.save(table.office, played, ana, SMALL.replace('"Douro"', '"Minho"'), 1, table.now)
    second = versions.make(table.office, played, ana, table.now)
    with pytest.raises(NotNow, match="Robots are still trying"):
        states.publish(table.office, played, ana, 2, table.now)
    versions.tried(table.office, second.id, table.now, (2, 1), "x")
    with pytest.raises(NotNow, match="cannot be played yet"):
        states.publish(table.office, played, ana, 2, table.now)
    states.publish(table.office, played, ana, 1, table.now)
    assert listed(table) == ["Douro"], "what is changed since is a draft"


def test_a_server_says_whether_people_draw_maps_and_publish_them(table: Table, ana: int, played: str) -> None:
    by_link = replace(table.office, settings=replace(table.office.settings, own_maps="playtest"))
    with pytest.raises(NotNow, match="played by link"):
        states.publish(by_link, played, ana, 1, table.now)
    table.office = replace(table.office, settings=replace(table.office.settings, own_maps="off"))
    with pytest.raises(NotNow, match="switched that off"):
        drafts.begin(table.office, ana, SMALL, table.now)
    with pytest.raises(NotNow, match="switched that off"):
        versions.make(table.office, played, ana, table.now)
    with pytest.raises(BadInput, match="switched that off"):
        table.open(map=SLUG)


def test_an_owner_withdraws_a_map_and_puts_it_back(table: Table, ana: int, played: str) -> None:
    states.publish(table.office, played, ana, 1, table.now)
    states.withdraw(table.office, played, ana, table.now)
    assert listed(table) == []
    with pytest.raises(BadInput, match="was withdrawn"):
        table.open(map=SLUG)
    with pytest.raises(NotNow, match="was withdrawn"):
        versions.make(table.office, played, ana, table.now)
    states.put_back(table.office, played, ana, table.now)
    assert drafts.read(table.office, played, ana).status == MapStatus.PLAYTEST
    table.open(map=SLUG)
    for act in (states.withdraw, states.put_back):
        with pytest.raises(NoSuch):
            act(table.office, played, ana + 1, table.now)


def test_what_the_operator_withdraws_stays_so_and_its_owner_is_told_why(table: Table, ana: int, played: str) -> None:
    states.publish(table.office, played, ana, 1, table.now)
    with pytest.raises(BadInput, match="Say why"):
        states.withdraw_for_operator(table.office, played, "  ", table.now)
    assert states.withdraw_for_operator(table.office, played, "Names of a\npublished map.", table.now) == "Douro"
    assert states.withdrawn(table.office, played).reason == "Names of a published map."
    with pytest.raises(NotNow, match="operator of this server has withdrawn"):
        states.put_back(table.office, played, ana, table.now)
    with pytest.raises(NotNow, match="operator of this server has withdrawn"):
        states.publish(table.office, played, ana, 1, table.now)
    (letter,) = table.letters("map-withdrawn")
    assert letter.account_id == ana
    view = correspondence.letter(table.office, letter.id, table.now).view
    assert (view.own.name, view.own.reason) == ("Douro", "Names of a published map.")
    with pytest.raises(NoSuch):
        states.withdraw_for_operator(table.office, "nothing", "x", table.now)


@pytest.mark.postgresql
def test_three_people_hide_a_map_until_the_operator_has_looked(table: Table, ana: int, played: str) -> None:
    states.publish(table.office, played, ana, 1, table.now)
    people = [table.account(name) for name in ("Ben", "Eva", "Fay")]
    for person in (people[0], people[0], people[1]):
        states.complain(table.office, played, person, "The names are\ncopied.", table.later(hours=1))
    assert listed(table) == ["Douro"]
    states.complain(table.office, played, people[2], "Rude.", table.later(hours=1))
    assert listed(table) == []
    (found,) = states.complained(table.office, 5)
    assert (found.key, found.name, found.hidden) == (played, "Douro", True)
    assert [words for _, words in found.complaints] == ["The names are copied.", "The names are copied.", "Rude."]
    states.keep(table.office, played, table.now)
    assert (listed(table), states.complained(table.office, 5)) == (["Douro"], ())
    assert table.rows(select(OwnMapComplaint.words)) == []
    with pytest.raises(BadInput, match="Say what is wrong"):
        states.complain(table.office, played, people[0], " \n", table.now)


def test_versions_are_found_by_the_beginning_of_their_hash(table: Table, ana: int) -> None:
    made = map_of(table.office, ana, table.now)
    map_of(table.office, table.account("Ben"), table.now + timedelta(days=1))
    ((version, text, trouble),) = versions.beginning(table.office, made.hash[:8])
    assert (version.name, text, trouble) == ("Douro", made.sheet.drawing, "")
    assert versions.beginning(table.office, made.slug)[0][0].hash == made.hash
    assert versions.beginning(table.office, "zz") == []
