"""A robot is added as ``docs/extending.md`` says: it is offered, gets seats in both games, and plays to the end."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.engine import catalog
from pbem.robot import opponents
from pbem.robot.matches import contenders, game
from pbem.service.orders import robots, submissions
from pbem.store.statuses import MoveCause
from tests.adding import guide
from tests.web.site import Site

MODULE = "pbem.robot.opponents.dora"


@pytest.fixture(autouse=True)
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The robot, found in a folder beside the project that has the file of the guide and nothing else."""
    guide.write("A robot", tmp_path)
    monkeypatch.setattr(opponents, "__path__", [*opponents.__path__, str(tmp_path / "pbem/robot/opponents")])
    opponents.every.cache_clear()
    yield
    sys.modules.pop(MODULE, None)
    opponents.every.cache_clear()


def test_a_robot_is_one_file() -> None:
    assert list(guide.files("A robot")) == [MODULE.replace(".", "/") + ".py"]


def test_it_stands_before_the_robots_that_think() -> None:
    assert list(opponents.every()) == ["dora", "penny", "rufus", "clara", "marta"]


def test_it_is_offered_with_its_taste_and_the_face_of_a_stranger(site: Site) -> None:
    site.open()
    page = site.client.get("/").text
    assert "Robot Dora" in page
    assert "Moves goods and takes no risks." in page
    assert "/robots/stranger.png" in page


@pytest.mark.parametrize(("name", "slug"), [("age-of-steam", "rust_belt"), ("steam-power", "ireland")])
def test_it_plays_both_games_to_their_ends(name: str, slug: str) -> None:
    sheet = catalog.sheet(name, slug)
    dora, classic = contenders()["dora"], contenders()["classic"]
    *_, last = game(sheet, dict(zip(sheet.colours, (dora, classic, dora), strict=False)), bytes(32), "mine")
    assert sheet.over(last)


def test_it_has_a_seat_from_the_beginning_and_takes_one_that_was_left(site: Site) -> None:
    site.open(("Ana", "Ben", "Cleo"), robots=("dora",))
    site.answer(1)
    robots.sit_down(site.office, site.game, site.host, 2, "dora", site.now)
    assert [(seat.robot, seat.name) for seat in site.view().seats[2:]] == [
        ("dora", "Robot Dora 2"),
        ("dora", "Robot Dora"),
    ]
    for _ in range(40):
        if robots.think(site.office, site.game, site.later(minutes=30)):
            submissions.play_waiting(site.office, site.game, site.now)
        else:
            site.play()
    seats = {move.seat for move in site.view().log if move.cause == MoveCause.ROBOT}
    assert seats == {seat.seat for seat in site.view().seats[2:]}
