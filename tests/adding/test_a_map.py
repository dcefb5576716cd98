"""A map is added as ``docs/extending.md`` says: found, drawn, played to its end under the referee, read by players."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from pbem.engine import Sheet, catalog
from tests.adding import guide
from tests.every_map.games import deal, play
from tests.every_map.watched import WHOLE, referee, watch
from tests.invariants import Invariants
from tests.web.site import Site

FOLDER = "maps/lake_orrin"
PAID = "The market pays $2 to "


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder beside the project with what the guide tells to write."""
    guide.write("A map", tmp_path)
    return tmp_path


@pytest.fixture
def sheet(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sheet]:
    """The map as the catalog finds it."""
    monkeypatch.syspath_prepend(str(home))
    catalog.sheets.cache_clear()
    yield catalog.sheet("age-of-steam", "lake_orrin")
    catalog.sheets.cache_clear()
    for name in [name for name in sys.modules if name.startswith("maps.lake_orrin")]:
        del sys.modules[name]


def run(home: Path, *command: str) -> str:
    """What a command prints that runs with that folder on Python's path. It must succeed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(home), str(guide.ROOT)))}
    done = subprocess.run(
        [sys.executable, "-m", "pbem", *command], cwd=home, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_map_is_two_files() -> None:
    assert set(guide.files("A map")) == {f"{FOLDER}/board.toml", f"{FOLDER}/rules.py"}


def test_the_catalog_finds_it_beside_all_others(sheet: Sheet) -> None:
    assert (sheet.name, sheet.provenance()) == ("Lake Orrin", "Invented for the guide to adding a map.")
    assert {"lake_orrin", "rust_belt", "switzerland"} <= {other.slug for other in catalog.sheets()}


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("number", range(4))
def test_random_players_come_to_its_end_under_the_referee(sheet: Sheet, players: int, number: int) -> None:
    assert watch(sheet, players, number, WHOLE) > 0


def test_what_only_this_map_has_is_no_fault_for_the_referee_and_stands_in_the_log(sheet: Sheet) -> None:
    state = deal(sheet, 0, 3)
    watcher = referee(sheet, state, Invariants(sheet))
    said = []
    for played in play(sheet, 0, state):
        watcher.watch(played.seat, played.order, played.step)
        said += [str(event.text()) for event in played.step.events]
    assert any(sentence.startswith(PAID) for sentence in said)


def test_its_cubes_go_back_into_the_bag_without_a_word_about_it_in_the_map(sheet: Sheet) -> None:
    assert "on_delivered" not in guide.chapter("A map")
    before = deal(sheet, 0, 3)
    for played in play(sheet, 0, before):
        if any(str(event.text()).startswith(PAID) for event in played.step.events):
            assert sum(played.step.state.bag.values()) == sum(before.bag.values()) + 1
            return
        before = played.step.state
    raise AssertionError("nobody has delivered to the market")


def test_players_read_its_sheet_and_see_its_board(sheet: Sheet, site: Site) -> None:
    site.start(names=("Ana", "Ben", "Cleo"), game=sheet.game, map=sheet.slug)
    rule = "Elmstead is the market: whoever delivers a cube there gets $2 at once."
    assert rule in site.get(f"/maps/{sheet.slug}").text
    assert site.client.get(f"/games/{site.game}/board.png").data.startswith(b"\x89PNG")
    assert site.play().status == "played"


def test_the_commands_of_the_guide_work_one_after_the_other(home: Path) -> None:
    commands = [line.split()[1:] for line in guide.chapter("A map").splitlines() if line.startswith("    pbem ")]
    said = {command[0]: run(home, *shlex.split(" ".join(command))) for command in commands}
    assert list(said) == ["maps", "play", "draw"]
    assert "lake_orrin" in said["maps"]
    with Image.open(home / "orrin.png") as picture:
        assert picture.width == 1400


def test_a_mistake_in_the_board_is_told_with_its_place(home: Path) -> None:
    board = home / FOLDER / "board.toml"
    board.write_text(board.read_text("utf-8").replace('"Hale" = "E0"', '"Hale" = "Z9"'), "utf-8")
    with pytest.raises(AssertionError, match="The town Hale lies on Z9, which is not on the map"):
        run(home, "maps")
