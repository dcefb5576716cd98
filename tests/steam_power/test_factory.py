"""The factory action (section 5)."""

from pbem.steam_power.events import FactoryBuilt
from tests.steam_power.table import Table, bent, position


def _table(cities: dict[str, str], track: dict[str, str] | None = None, **more: object) -> Table:
    return Table(position(track=track or {"C2": "blue N-S"}, cities=cities, **more))  # type: ignore[arg-type]


def test_a_factory_is_free_and_brings_five_cubes() -> None:
    table = _table({"Alder": "black"})
    assert table.paid("factory Alder") == {}
    table.play("factory alder")
    assert (table.city("Alder").factory, table.city("Alder").cubes) == ("red", 5)
    assert table.sheet.position(table.state)["stock"]["black"] == 25
    assert table.sheet.position(table.state)["players"]["red"]["factories"] == 14


def test_the_connection_to_the_city_may_be_anybodys() -> None:
    """SP-E6: one connection at one of two adjacent Cities opens both for everybody."""
    track = {"C4": "blue N-S"}
    assert _table({"Ivy": "white"}, track).play("factory Ivy").told(FactoryBuilt)
    assert _table({"Fir": "white"}, track).play("factory Fir").told(FactoryBuilt)
    assert _table({"Gorse": "white"}, track).refusal("factory Gorse").rule == "SP-R25"


def test_an_incomplete_connection_opens_nothing() -> None:
    """SP-D8, SP-R25: and there are no factories on victory Cities."""
    track = {"C2": "blue N-S", "C6": "blue N-S"}
    assert _table({"Juniper": "black"}, track).refusal("factory Juniper").rule == "SP-R25"
    assert _table({"Alder": "purple"}, track).refusal("factory Alder").rule == "Build a Factory"


def test_a_short_stock_gives_what_is_there() -> None:
    """SP-D9, SP-R24: the sixth factory of a colour gets five of thirty cubes; with an empty stock there is none."""
    five = dict.fromkeys(("Cedar", "Dogwood", "Elm", "Fir", "Gorse"), "black blue 5")
    table = _table({**five, "Alder": "black", "Birch": "black"})
    table.play("factory Alder")
    assert table.city("Alder").cubes == 5
    assert table.refusal("factory Birch").rule == "SP-R24"
    table = _table({**five, "Hazel": "black blue 2", "Birch": "black"})
    assert table.play("factory Birch").city("Birch").cubes == 3


def test_one_factory_to_a_city_ever_and_fifteen_to_a_player() -> None:
    """SP-R26."""
    table = _table({"Alder": "black blue 3", "Birch": "black"})
    assert table.refusal("factory Alder").rule == "SP-R26"
    assert "used up" in _table({"Alder": "black blue 0"}).refusal("factory Alder").sentence()
    table.play("factory Birch")
    table = _table({"Alder": "white red 5", "Birch": "black"})
    assert table.play("factory Birch").city("Birch").factory == "red"
    sheet = bent(factories=1)
    state = position(track={"C2": "blue N-S"}, cities={"Alder": "white red 5", "Birch": "black"})
    assert Table(state, sheet=sheet).refusal("factory Birch").rule == "SP-R26"


def test_a_hex_without_a_city_has_no_factory() -> None:
    assert _table({}).refusal("factory C6").rule == "Build a Factory"


def test_only_a_bonus_chooses_the_number_of_cubes() -> None:
    table = _table({"Alder": "black"})
    assert table.refusal("factory Alder 6").rule == "SP-R40"
    assert table.play("factory Alder 5").city("Alder").cubes == 5


def test_a_company_that_has_built_all_its_factories_builds_no_more() -> None:
    """Section 6: with one left it can; then no City is offered, and a bonus factory has no use."""
    for limit, sites in ((2, True), (1, False)):
        sheet = bent(factories=limit)
        table = Table(position(track={"C4": "red N-S"}, cities={"Elm": "white red 5"}), sheet=sheet)
        assert any("factory" in order for order in table.choices) is sites
