"""The contracts as data: they can be replaced by whoever owns the game."""

from collections import Counter
from pathlib import Path

import pytest

from pbem.steam_power.contracts import BadContracts, contracts_for, read_contracts
from tests.steam_power.table import deal, sheet_of

BONUS_WORTH = {"": 0, "track": 3, "contracts": 3, "factory": 4}
GOOD = (
    'provenance = "Mine."\n[contracts]\n7 = { needs = { white = 2, gray = 1 }, money = 3, vp = 2, bonus = "track" }\n'
)


def test_there_are_forty_eight_with_thirty_two_cubes_of_each_colour() -> None:
    tiles = sheet_of("ireland").contracts
    assert sorted(tiles) == list(range(1, 49))
    cubes = Counter(colour for tile in tiles.values() for colour in tile.needs)
    assert cubes == dict.fromkeys(("black", "white", "orange", "gray"), 32)
    assert Counter(len(tile.needs) for tile in tiles.values()) == {1: 4, 2: 16, 3: 20, 4: 8}
    assert Counter(tile.bonus for tile in tiles.values()) == {"": 24, "track": 8, "factory": 8, "contracts": 8}


def test_every_designed_contract_pays_what_it_is_worth() -> None:
    """$2, $4 a cube and $1 a colour, in money, points of $5 and its bonus."""
    for tile in sheet_of("ireland").contracts.values():
        worth = 2 + 4 * len(tile.needs) + len(set(tile.needs))
        assert tile.money + 5 * tile.vp + BONUS_WORTH[tile.bonus] == worth, tile


@pytest.mark.parametrize("slug", ["ireland", "northern_england", "northern_italy", "ireland_solo"])
def test_maps_and_contracts_say_that_they_are_designed(slug: str) -> None:
    assert (
        sheet_of(slug).provenance().count("our own design") + sheet_of(slug).provenance().count("Our own design") == 2
    )
    assert any("our own design" in text for text in sheet_of(slug).rule_texts())
    dealt = deal(sheet_of(slug).player_counts()[0], sheet=sheet_of(slug))
    assert "our own design" in " ".join(sheet_of(slug).scene(dealt.state).notes)


def test_a_file_of_contracts_is_read() -> None:
    contracts = read_contracts(GOOD)
    assert contracts.provenance == "Mine."
    assert contracts.tiles[7].needs == ("white", "white", "gray")
    assert (contracts.tiles[7].money, contracts.tiles[7].vp, contracts.tiles[7].bonus) == (3, 2, "track")


def test_a_colour_may_be_named_that_a_contract_does_not_need() -> None:
    (tile,) = read_contracts(GOOD.replace("white = 2", "white = 0")).tiles.values()
    assert tile.needs == ("gray",)


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "[contracts]",
        GOOD.replace("white", "pink"),
        GOOD.replace("white = 2, gray = 1", ""),
        GOOD.replace("track", "castle"),
        GOOD.replace("money = 3", 'money = "much"'),
        GOOD.replace("7 =", "seven ="),
        GOOD.replace('provenance = "Mine."', ""),
    ],
)
def test_a_file_that_cannot_be_used_is_told(text: str) -> None:
    with pytest.raises(BadContracts, match=r"contracts\.toml"):
        read_contracts(text)


@pytest.mark.parametrize(("cubes", "fits"), [(1, True), (20, True), (21, False), (-1, False)])
def test_a_contract_needs_at_most_twenty_cubes_of_a_colour(cubes: int, fits: bool) -> None:
    text = GOOD.replace("white = 2", f"white = {cubes}")
    if fits:
        assert read_contracts(text).tiles[7].needs.count("white") == cubes
    else:
        with pytest.raises(BadContracts, match="from 0 to 20"):
            read_contracts(text)


def test_a_map_folder_may_have_contracts_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "somewhere" / "meadow").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BadContracts, match="There is no"):
        contracts_for("somewhere.meadow")
    (tmp_path / "somewhere" / "contracts.toml").write_text(GOOD)
    contracts_for.cache_clear()
    assert list(contracts_for("somewhere.meadow").tiles) == [7]
    (tmp_path / "somewhere" / "meadow" / "contracts.toml").write_text(GOOD.replace("7 =", "8 ="))
    contracts_for.cache_clear()
    assert list(contracts_for("somewhere.meadow").tiles) == [8]
    contracts_for.cache_clear()
