"""Pages of maps, and pictures of positions."""

from xml.etree.ElementTree import fromstring

import pytest

from pbem.engine import catalog
from pbem.render.labels import SIZES
from pbem.service.base import Office
from pbem.service.statistics import figures
from pbem.service.statistics.figures import OfCount, OfMap, Spread
from pbem.settings.paths import templates_folder
from pbem.web.boards.pictures import sample
from tests.web.conftest import Played
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
def test_a_map_leads_to_its_rulings_under_its_full_or_shorter_name(site: Site, slug: str, title: str) -> None:
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


PNG = b"\x89PNG"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", ["board", "map", "thumb"])
def test_the_picture_of_a_position_never_changes(site: Site, name: str) -> None:
    first = site.client.get(f"/games/{site.game}/{name}.png?at=0")
    assert first.data.startswith(PNG)
    assert "immutable" in first.headers["Cache-Control"]
    site.play("issue 2")
    assert site.client.get(f"/games/{site.game}/{name}.png?at=0").data == first.data


@pytest.mark.parametrize("name", ["board", "map"])
def test_a_position_is_an_svg_as_well_that_never_changes_and_says_what_every_hex_holds(site: Site, name: str) -> None:
    answer = site.client.get(f"/games/{site.game}/{name}.svg?at=0")
    assert answer.mimetype == "image/svg+xml"
    assert "immutable" in answer.headers["Cache-Control"]
    said = {spot.get("data-at"): spot.get("data-words", "") for spot in fromstring(answer.text).iter(f"{SVG}path")}
    assert set(sample(site.view().sheet).board.hexes) <= set(said)
    assert said["B1"] == "B1: plain, $2."
    assert said["G4"] == "La Crosse, a town on G4 (plain, $2)."
    assert said["F1"].startswith("Minneapolis, a City on F1. Accepts blue. Cube")
    assert "Grows on 5 of the" in said["F1"]


def test_every_cube_says_where_it_lies_and_who_accepts_it(site: Site) -> None:
    found = fromstring(site.client.get(f"/games/{site.game}/map.svg?at=0").text)
    cubes = [cube for cube in found.iter(f"{SVG}rect") if cube.get("class") == "good"]
    scene = site.view().sheet.scene(site.view().state)
    assert len(cubes) == sum(len(city.cubes or ()) for city in scene.cities) > 20
    (minneapolis,) = (city for city in scene.cities if city.name == "Minneapolis")
    said = [cube.get("data-words", "") for cube in cubes if "in Minneapolis" in cube.get("data-words", "")]
    assert sorted(words.split()[0].lower() for words in said) == sorted(minneapolis.cubes or ())
    blue = next(cube.get("data-words") for cube in cubes if cube.get("data-words", "").startswith("Blue cube"))
    assert str(blue).endswith(", accepted by Minneapolis, Des Moines, Evansville and Cincinnati.")
    hexes = {spot.get("data-at"): spot for spot in found.iter(f"{SVG}path")}
    x, y = map(int, hexes["F1"].get("d", "").removeprefix("M").partition("L")[0].split())
    near = [abs(float(c.get("x", 0)) - x) < 90 and abs(float(c.get("y", 0)) - y) < 90 for c in cubes]
    assert sum(near) == len(said)


def test_track_says_whose_it_is(played: Played) -> None:
    site = played("deliver")
    answer = site.client.get(f"/games/{site.game}/map.svg")
    ways = [
        way.get("data-words", "") for way in fromstring(answer.text).iter(f"{SVG}path") if way.get("class") == "way"
    ]
    expected = {f"{owner} owns the link Duluth to Minneapolis, 2 tiles." for owner in site.view().names.values()}
    assert expected & set(ways)


def test_every_hex_of_every_map_answers(empty: Site) -> None:
    for sheet in catalog.sheets():
        found = fromstring(empty.client.get(f"/maps/{sheet.slug}/board.svg").text)
        spots = [spot for spot in found.iter(f"{SVG}path") if spot.get("class") == "spot"]
        assert {spot.get("data-at") for spot in spots} == set(sample(sheet).board.hexes), sheet.slug
        said = [spot.get("data-words", "") for spot in spots]
        assert all(words.endswith(".") for words in said), sheet.slug
        cities = bool(sample(sheet).cities)
        assert any("Accepts" in words for words in said) == (cities and sheet.game == "age-of-steam"), sheet.slug
        assert any("A factory here would be" in words for words in said) == (sheet.game == "steam-power"), sheet.slug


def test_the_picture_of_now_is_asked_for_again(site: Site) -> None:
    now = site.client.get(f"/games/{site.game}/board.png")
    assert "immutable" not in now.headers["Cache-Control"]
    again = site.client.get(f"/games/{site.game}/board.png", headers={"If-None-Match": now.headers["ETag"]})
    assert again.status_code == 304
    site.play("issue 2")
    assert site.client.get(f"/games/{site.game}/board.png").headers["ETag"] != now.headers["ETag"]


@pytest.mark.parametrize("at", ["1", "-1", "x", "99999999999999999999", "1.0"])
def test_a_position_that_does_not_exist_has_no_picture(site: Site, at: str) -> None:
    assert site.client.get(f"/games/{site.game}/board.png", query_string={"at": at}).status_code in (400, 404)


def test_tiles_are_drawn_for_readable_addresses_only(played: Played) -> None:
    site = played("build")
    tile = f"/games/{site.game}/tile.png?at={site.view().version}&"
    for query in ("hex=B1&new=1.3", "steps=B1+N-S&hex=B1&new=1.3"):
        assert site.client.get(tile + query).status_code == 200
    for query in ("hex=B1&new=", "hex=ZZ&new=1.3", "hex=B1&new=3.3", "hex=B1&new=7.1"):
        assert site.client.get(tile + query).status_code == 404


def test_a_draft_outside_building_has_no_picture(site: Site) -> None:
    assert site.client.get(f"/games/{site.game}/map.png?at=0&steps=B1+N-S").status_code == 404


@pytest.mark.parametrize(
    ("path", "known", "unknown"),
    [
        *((f"/maps/{{}}{end}", "rust_belt", "nowhere") for end in ("", "/board.png", "/board.svg", "/thumb.png")),
        ("/marks/{}.svg", "blue", "mauve"),
        ("/robots/{}.png", "clara", "hal"),
    ],
)
def test_maps_marks_and_robots_there_are_have_pictures(empty: Site, path: str, known: str, unknown: str) -> None:
    assert empty.client.get(path.format(known)).status_code == 200
    assert empty.client.get(path.format(unknown)).status_code == 404
