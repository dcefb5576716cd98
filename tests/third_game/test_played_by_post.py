"""A game that ``pbem`` has never heard of is played by post, from the invitation to the archive.

It stands in ``tests/third_game``: a folder on the Python path that holds a folder ``maps`` is all the catalog needs.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pbem import robot
from pbem.engine import Sheet, catalog
from pbem.engine.record import read_record, replay
from pbem.mail.compose import compose
from tests.databases import Sqlite
from tests.mail.arriving import arrived
from tests.stories.world import World
from tests.web.site import Site

HERE = Path(__file__).parent
PEOPLE = ("Ana", "Ben", "Cleo")


@pytest.fixture
def sandbank(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sheet]:
    """The sheet, found like every other one."""
    monkeypatch.syspath_prepend(HERE)
    catalog.sheets.cache_clear()
    yield catalog.sheet("light-rails", "sandbank")
    for module in [name for name in sys.modules if name.startswith("maps.sandbank")]:
        del sys.modules[module]
    catalog.sheets.cache_clear()


@pytest.fixture
def site(sandbank: Sheet, tmp_path: Path) -> Iterator[Site]:
    """A server on which three people have begun a game of it."""
    made = Site(Sqlite(tmp_path).fresh(), tmp_path)
    made.start(names=PEOPLE, title="Rails in the sand", game=sandbank.game, map=sandbank.slug)
    yield made
    made.close()


def test_the_catalog_finds_a_game_on_the_path(sandbank: Sheet) -> None:
    assert sandbank in catalog.sheets()
    assert (sandbank.name, *map(str, sandbank.rule_texts())) == ("Sandbank", "The dune in the middle costs $2.")


def test_an_invitation_and_a_question_arrive_by_mail(site: Site) -> None:
    for kind in ("invitation", "your-turn"):
        view = site.read(site.letters(kind)[0])
        message = arrived(compose(view, None, "play@example.org"))
        plain = message.get_body(("plain",))
        assert plain is not None
        assert "Sandbank" in plain.get_content()
        assert "None" not in plain.get_content()


def test_the_page_of_a_turn_asks_what_only_this_game_asks(site: Site) -> None:
    while site.asked().sheet.phase(site.asked().state) == "lay":
        site.play()
    assert "Set your fare" in site.get(site.turn()).headings
    answer = site.press(site.turn("fare 2"))
    assert "asks $2 for a ride" in answer.text
    assert site.view().log[-1].orders == "fare 2"


def test_a_program_reads_the_turn_and_answers_it(site: Site) -> None:
    path = site.turn().replace("/t/", "/api/v1/turn/")
    turn = site.client.get(path).get_json()
    assert (turn["phase"], turn["placements"], turn["legal"][-1]) == ("lay", [], "rest")
    refused = site.client.post(path, json={"orders": "lay C2 N-S"}).get_json()
    assert (
        "would touch neither a City nor your track"
        in site.client.get(site.path(refused["status"])).get_json()["reason"]
    )
    assert site.client.post(path, json={"orders": turn["legal"][0]}).status_code == 202
    assert site.view().version == 1
    assert len(site.view().sheet.scene(site.view().state).track) == 1


def test_the_position_is_drawn(site: Site) -> None:
    first, *_ = site.view().sheet.question(site.view().state).choices
    assert site.play(first.order).status == "played"
    for picture in ("board", "map"):
        assert site.client.get(f"/games/{site.game}/{picture}.png").data.startswith(b"\x89PNG")


def test_three_people_who_answer_their_mails_come_to_the_end(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(site, monkeypatch, *PEOPLE)
    world.until(lambda: world.game().status == "over")
    world.hour()
    assert all("game-over" in person.kinds() and "your-turn" in person.kinds() for person in world.people)
    assert "Rails in the sand" in site.get("/archive").text
    assert [line.place for line in site.view().standings][:1] == [1]


def test_its_record_is_replayed_to_the_same_end(site: Site) -> None:
    luck = Random(7)
    while not (asked := site.asked()).over:
        site.play(robot.choose(asked.sheet, asked.state, luck, sense=0))
    over = site.view()
    record = read_record(site.client.get(f"/games/{site.game}/record.json").data)
    assert (record.game, record.map, len(record.turns)) == ("light-rails", "sandbank", over.version)
    *_, last = replay(over.sheet, record)
    assert json.loads(over.sheet.encode(last.state)) == json.loads(over.sheet.encode(over.state))
