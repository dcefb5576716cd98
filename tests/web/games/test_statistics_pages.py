"""Pages and downloads of statistics say what the records say, and a page of results is seen by whom its owner lets."""

import csv
import gzip
import io
import json
import random
from collections import Counter
from collections.abc import Iterator

import pytest

import pbem
from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import write_record
from pbem.service.archive import records
from pbem.service.base.seals import digest, seal
from pbem.service.people import accounts
from pbem.service.statistics import counting, figures, results
from tests.databases import Sqlite
from tests.web.addresses import BASE
from tests.web.reading import Page
from tests.web.site import Site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A game of ours that is over and one of Steam Power that was played elsewhere, both counted."""
    folder = tmp_path_factory.mktemp("statistics")
    made = Site(Sqlite(folder).fresh(), folder)
    made.start()
    made.play_on(1000)
    record, _ = play(catalog.sheet("steam-power", "northern_italy"), 2, "statistics")
    records.import_record(made.office, json.dumps(write_record(record)), made.now)
    for game in counting.due(made.office, made.now):
        counting.count(made.office, game, made.now)
    yield made
    made.close()


def lines(site: Site, name: str) -> list[dict[str, str]]:
    answer = site.client.get(f"/statistics/downloads/{name}")
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.get_data(as_text=True))))


@pytest.mark.parametrize("name", ["figures.csv", "results.csv", "ratings.csv"])
def test_every_line_of_a_table_says_its_version_and_notices_a_change(site: Site, name: str) -> None:
    accounts.want(site.office, site.host, "statistics", True)
    found = lines(site, name)
    accounts.want(site.office, site.host, "statistics", False)
    assert found
    for line in found:
        cells = {key: value for key, value in line.items() if key not in ("version", "sha256")}
        assert (line["version"], line["sha256"]) == (pbem.__version__, digest(cells))
        assert digest({**cells, "game": "another"}) != line["sha256"]


def own(site: Site, path: str) -> Page:
    """A page as the player sees it who is logged in."""
    return Page(site.client.get(path, base_url=BASE).text)


def test_every_map_is_listed_with_its_games(site: Site) -> None:
    page = site.get("/statistics")
    assert "2 games" in page.text
    assert {"/statistics/rust_belt", "/statistics/northern_italy"} <= set(page.links)
    assert "/statistics/germany" not in page.links


def test_the_downloaded_records_come_to_the_downloaded_figures(site: Site) -> None:
    packed = site.client.get("/statistics/downloads/records.jsonl.gz").data
    found = [json.loads(line) for line in gzip.decompress(packed).splitlines()]
    assert sorted(record["map"] for record in found) == ["northern_italy", "rust_belt"]
    assert {(record["version"], record["sha256"] == seal(record)) for record in found} == {(pbem.__version__, True)}
    wanted: Counter[tuple[str, str, str]] = Counter()
    ends = set()
    for record in found:
        for line in record["result"]:
            ends.add((record["id"], str(line["place"]), "" if line["score"] is None else str(line["score"])))
            if not line["out"]:
                wanted[record["map"], f"place {line['place']}", str(line["score"])] += 1
        for entry in record["turns"]:
            word, _, rest = entry["orders"].partition(" ")
            if entry["phase"] == "select_actions":
                wanted[record["map"], "action", f"{entry['turn']}:{rest}"] += 1
            if entry["phase"] == "actions":
                wanted[record["map"], "action", f"{entry['turn']}:{word}"] += 1
    counted = Counter(
        {
            (line["map"], line["figure"], line["value"]): int(line["number"])
            for line in lines(site, "figures.csv")
            if line["figure"] == "action" or line["figure"].startswith("place")
        }
    )
    assert counted == wanted
    assert {(line["id"], line["place"], line["points"]) for line in lines(site, "results.csv")} == ends


def test_the_page_of_a_map_draws_its_figures_and_has_them_as_tables(site: Site) -> None:
    page = site.get("/statistics/northern_italy")
    found = figures.of_map(site.office, "steam-power", "northern_italy")
    for _, there in found.counts[0].places:
        assert f"{there.median}" in page.text
    assert page.html.count("<svg") >= 1 + len(found.actions)
    assert "0 seconds" not in page.text  # it was played elsewhere, and nobody knows how long
    assert "First-turn bids" in site.get("/statistics/rust_belt").html


def test_a_map_without_games_says_so(site: Site, empty: Site) -> None:
    assert "No public game has ended yet." in empty.get("/statistics").text
    assert "No public game has ended on this map yet" in site.get("/statistics/germany").text


def test_results_are_seen_by_others_only_when_their_owner_lets_them(site: Site) -> None:
    path = f"/players/{site.host}"
    site.client = site.app.test_client()
    site.get(path, 404)
    assert "Ana" not in site.get("/ratings").text
    assert "Ana" not in {line["name"] for line in lines(site, "ratings.csv")}
    site.log_in()
    assert "Only you see this page" in own(site, path).text
    form = {"mark": own(site, "/account").posts[0].hidden["mark"], "everybody": "1"}
    assert site.client.post("/account/results", data=form, base_url=BASE).status_code == 303
    site.client = site.app.test_client()
    assert "1 finished game" in site.get(path).text
    assert "Ana" in site.get("/ratings").text
    assert "Ana" in {line["name"] for line in lines(site, "ratings.csv")}
    accounts.want(site.office, site.host, "statistics", False)


def test_the_lobby_and_the_people_of_a_game_show_ratings(site: Site) -> None:
    site.client = site.app.test_client()
    site.log_in()
    rating = next(one for one in results.own_ratings(site.office, site.host))
    shown = f"{rating.mu:.1f} ± {rating.sigma:.1f}"
    assert f"rating {shown}" in own(site, "/").text
    assert f"rating {shown}" in own(site, f"/games/{site.game}/people").text


def test_a_robot_has_a_page_and_unknown_pages_are_no_errors_of_ours(site: Site) -> None:
    assert "No public game of Robot Clara has ended yet" in site.get("/players/clara").text
    for path in ("/players/nobody", "/players/99999999", "/statistics/atlantis", "/statistics/downloads/all.zip"):
        site.get(path, 404)


def test_a_name_is_no_formula_in_a_spreadsheet(site: Site) -> None:
    accounts.rename(site.office, site.host, "=1+1")
    accounts.want(site.office, site.host, "statistics", True)
    assert "'=1+1" in {line["name"] for line in lines(site, "ratings.csv")}


def test_quartiles_are_values_that_there_are() -> None:
    luck = random.Random(3)
    for n in range(1, 30):
        values = sorted(luck.randrange(8) for _ in range(n))
        found = figures.spread(Counter(values))
        assert found
        assert (found.least, found.most, found.n) == (values[0], values[-1], n)
        assert [found.low, found.median, found.high] == [values[(n - 1) * q // 4] for q in (1, 2, 3)]
    assert figures.spread({}) is None
