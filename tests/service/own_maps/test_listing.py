"""The list of own maps: by a special rule, and in four orders."""

import tomllib

import pytest

from pbem.engine import catalog
from pbem.service.own_maps import listing
from pbem.service.own_maps.listing import Wanted
from pbem.store.statuses import MapStatus
from pbem.store.tables import OwnMap, OwnMapLike
from tests.drawn import SMALL, map_of
from tests.table import Table

RULES = {
    "Alba": "tiles = 4\n",
    "Berg": 'own_links = "half"\nstart = { cash = 12 }\n\n[[rules.cubes]]\nhex = "A0"\n',
    "Corso": "",
    "Delft": '\n[[rules.cubes]]\nhex = "A0"\nturns = [1, 2]\n',
}
GAME_RULES = "players = [2, 4]\nturns = { 2 = 2, 3 = 2, 4 = 2 }\n"


@pytest.fixture
def maps(table: Table) -> dict[str, str]:
    """Four published maps by name; the third has no key of its own but the players, the first was published first."""
    found = {}
    for n, (name, rules) in enumerate(RULES.items()):
        text = SMALL.replace('"Douro"', f'"{name}"').replace(
            GAME_RULES, (GAME_RULES if n != 2 else "tiles = 3\n") + rules
        )
        made = map_of(table.office, table.account("Ana"), table.now, text)
        with table.office.write() as session:
            row = session.get_one(OwnMap, made.key)
            row.status, row.published, row.published_at = MapStatus.PUBLISHED, made.hash, table.later(hours=n)
        found[name] = made.key
    return found


def listed(table: Table, **wanted: str) -> list[str]:
    return [entry.version.name for entry in listing.listed(table.office, Wanted(**wanted))[0]]  # type: ignore[arg-type]


@pytest.mark.postgresql
def test_maps_are_found_by_every_rule_that_they_have(table: Table, maps: dict[str, str]) -> None:
    texts = {entry.version.name: entry.version.sheet.drawing for entry in listing.listed(table.office, Wanted())[0]}
    assert set(texts) == set(maps)
    for key in catalog.rule_titles():
        has = {name for name, text in texts.items() if key in tomllib.loads(text).get("rules", {})}
        assert set(listed(table, rule=key)) == has, key
    assert listed(table, rule="cubes") == ["Delft", "Berg"]


@pytest.mark.postgresql
def test_the_list_has_four_orders(table: Table, maps: dict[str, str]) -> None:
    ben, eva = table.account("Ben"), table.account("Eva")
    with table.office.write() as session:
        for name, account, liked in (
            ("Berg", ben, True),
            ("Berg", eva, True),
            ("Alba", ben, True),
            ("Corso", ben, False),
        ):
            session.add(OwnMapLike(map_key=maps[name], account_id=account, liked=liked, at=table.now))
    assert listed(table) == ["Delft", "Corso", "Berg", "Alba"]
    assert listed(table, order="name") == ["Alba", "Berg", "Corso", "Delft"]
    assert listed(table, order="liked") == ["Berg", "Alba", "Delft", "Corso"]
    entries = {entry.version.name: entry for entry in listing.listed(table.office, Wanted())[0]}
    assert [(entries[name].liked, entries[name].asked) for name in RULES] == [(1, 1), (2, 2), (0, 1), (0, 0)]
    assert listing.likes(table.office, maps["Berg"]) == (2, 2)
    assert listing.likes(table.office, maps["Delft"]) == (0, 0)
    table.start(map=entries["Alba"].version.slug)
    table.play_on(1000)
    assert listed(table, order="played") == ["Alba", "Delft", "Corso", "Berg"]
