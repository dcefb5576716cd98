"""What the page of a map says in figures: start, land and prices, display columns, games that ended there."""

import pytest

from pbem.render.large_labels import SIZES
from pbem.service.base.office import Office
from pbem.service.statistics import figures
from pbem.service.statistics.figures import OfCount, OfMap, Spread
from pbem.settings.paths import templates_folder
from tests.web.reading import Page
from tests.web.site import Site


def said(site: Site, slug: str) -> str:
    return Page(site.client.get(f"/maps/{slug}").text).text


def test_a_map_says_what_players_begin_with_and_what_tiles_cost_on_its_land(site: Site) -> None:
    southern = said(site, "southern_us")
    assert "$10, 2 shares, engine 1" in southern
    assert "110, 21 of them in the bag" in southern
    assert "Mountain 15 $4 $5 $6" in southern
    assert "$0, 5 shares, engine 1" in said(site, "detroit")
    assert "curve $3, straight $10" in said(site, "pittsburgh")


def test_a_map_of_steam_power_says_so_too(site: Site) -> None:
    ireland = said(site, "ireland")
    assert "$5, 5 contracts" in ireland
    assert "18 trains, 15 factories" in ireland


def test_columns_of_the_display_are_said_as_half_and_die(site: Site) -> None:
    assert "dark 3" in said(site, "southern_us")


def test_a_map_says_what_games_on_it_came_to(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "No public game has ended on this map yet." in said(site, "southern_us")
    alone, three = (spread(n, mean) for n, mean in ((1, 900.0), (3, 74.4)))
    counts = (count(1, 1, alone), count(4, 3, three))

    def of_map(_office: Office, game: str, map: str) -> OfMap:
        return OfMap(game, map, counts, ())

    monkeypatch.setattr(figures, "of_map", of_map)
    assert "4 public games have ended here. Their winners had 74 points on average." in said(site, "southern_us")


def spread(n: int, mean: float) -> Spread:
    return Spread(n, 0, 0, 0, 0, 0, mean)


def count(players: int, games: int, first: Spread) -> OfCount:
    return OfCount(players, games, 0, 0, ((1, first),), (), None, None, None)


@pytest.mark.parametrize(("slug", "title"), [("southern_us", "Southern U.S."), ("detroit_solo", "Detroit Bankruptcy")])
def test_a_map_leads_to_the_rulings_about_it_also_under_its_full_or_shorter_name(
    site: Site, slug: str, title: str
) -> None:
    page = site.get(f"/maps/{slug}")
    assert page.link(f"/rulings/age-of-steam#{'southern_us' if slug == 'southern_us' else 'detroit_bankruptcy'}")
    assert f"Rulings about {title}" in page.text


def test_a_map_with_two_places_of_one_name_says_how_to_tell_them_apart(site: Site) -> None:
    assert "More than one place is called Jackson: in an order write the hex" in site.get("/maps/southern_us").text
    assert "More than one place" not in site.get("/maps/rust_belt").text


def test_on_a_desk_the_large_labels_of_the_live_board_are_made_quiet() -> None:
    style = (templates_folder() / "static" / "board.css").read_text("utf-8")
    for size in SIZES:
        assert f'[font-size="{size:g}"]' in style
