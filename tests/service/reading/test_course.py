"""The course of a finished game agrees with a second computation from its record, and its moments are true."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pbem.engine.record import read_record, replay
from pbem.service.reading import course, records, views
from pbem.service.reading.course import Course, TurnEnd, moments
from pbem.views import GameView
from tests.databases import Sqlite
from tests.table import Table


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game that was played to its end by safe orders."""
    folder = tmp_path_factory.mktemp("course")
    table = Table(Sqlite(folder).fresh(), folder)
    table.start()
    table.play_on(1000)
    return table


@pytest.fixture(scope="module")
def whole(over: Table) -> GameView:
    return views.game(over.office, over.game)


@pytest.fixture(scope="module")
def found(over: Table, whole: GameView) -> Course:
    return course.of_game(over.office, whole)


def test_the_figures_after_every_turn_are_those_of_the_record(over: Table, whole: GameView, found: Course) -> None:
    record = read_record(json.dumps(records.export(over.office, over.game)))
    last: dict[int, object] = {}
    for played in replay(whole.sheet, record):
        if played.entry is not None:
            last[played.entry.turn] = played.state
    for end in found.turns[1:]:
        position = whole.sheet.position(last[end.turn])["players"]
        for seat, figures in end.figures.items():
            there = position[seat]
            assert {key: figures[key] for key in ("cash", "income", "shares", "engine", "points")} == {
                key: there[key] for key in ("cash", "income", "shares", "engine", "points")
            }
        assert {seat for seat, figures in position.items() if figures["out"]} == set(end.out)


def test_the_course_begins_with_the_deal_and_has_every_turn_once(whole: GameView, found: Course) -> None:
    assert [end.turn for end in found.turns] == list(range(len(found.turns)))
    assert found.turns[0].number == 0
    assert found.turns[-1].number == whole.version
    assert found.columns[0].key == "points"


def test_every_moment_leads_to_an_order_and_they_come_in_their_order(whole: GameView, found: Course) -> None:
    numbers = [moment.number for moment in moments(whole, found)]
    assert numbers == sorted(set(numbers))
    assert all(0 < number <= whole.version for number in numbers)


def test_who_goes_out_and_who_takes_the_lead_are_moments(whole: GameView) -> None:
    turns = (
        TurnEnd(0, 0, {"red": {"points": 0}, "blue": {"points": 0}}, {}),
        TurnEnd(1, 5, {"red": {"points": 4}, "blue": {"points": 2}}, {}),
        TurnEnd(2, 9, {"red": {"points": 6}, "blue": {"points": 6}}, {}),
        TurnEnd(3, 14, {"red": {"points": 7}, "blue": {"points": 11}}, {}),
        TurnEnd(4, 20, {"blue": {"points": 12}}, {"red": whole.sheet.columns(whole.state)[0].head}),
    )
    told = [(moment.number, str(moment.title)) for moment in moments(_without_log(whole), Course((), turns))]
    assert told == [(14, "Turn 3: Blue takes the lead"), (20, "Turn 4: Red goes out")]


def _without_log(view: GameView) -> GameView:
    return replace(view, log=())
