"""The options of every map with their values, as records and stored games name them; the first is the default."""

from pbem.engine import catalog

BASE = {"reduction_table": ["deluxe", "first_edition"], "ownership_discs": ["20", "unlimited"]}
OWN = {
    "barbados": {"barbados_cubes": ["one", "two"]},
    "france": {"france_setup": ["printed", "reported"]},
    "heavy_cardboard": {"ferry_needs_own_track": ["no", "yes"]},
    "pittsburgh": {"pittsburgh_redirect": ["designer", "reprint"], "pittsburgh_two_straights": ["no", "yes"]},
    "poland": {"poland_production": ["town", "city"]},
    "st_lucia": {"partial_link_bonus": ["no", "yes"]},
    "western_us": {"east_west_bonus": ["income", "cash"]},
}
IDLE = {"detroit": "reduction_table", "detroit_solo": "reduction_table"}
"""What changes nothing on a map is known and not offered."""


def test_a_map_of_age_of_steam_offers_the_options_of_the_game_and_its_own() -> None:
    for sheet in catalog.sheets():
        if sheet.game == "age-of-steam":
            known = {option.key: list(option.choices) for option in sheet.known_options()}
            assert known == BASE | OWN.get(sheet.slug, {}), sheet.slug
            offered = [option.key for option in sheet.options()]
            assert offered == [key for key in known if key != IDLE.get(sheet.slug)], sheet.slug
