"""Robots try a version of an own map; what stops a trial game keeps everybody from playing it, and is kept."""

from collections.abc import Iterator, Mapping

import pytest

from pbem.engine import Seat, Sheet, State, Step, catalog
from pbem.robot import matches
from pbem.service.own_maps import drafts, versions
from pbem.store.statuses import TrialStatus
from pbem.store.tables import OwnMapVersion
from pbem.transport import broker
from tests.drawn import LAKELAND, SLUG, SMALL
from tests.every_map.watched import QUICK, referee
from tests.invariants import Invariants
from tests.table import Table
from workers import clock, trying


def made(table: Table, text: str = SMALL) -> int:
    account = table.account("Ana")
    key = drafts.begin(table.office, account, text, table.now)
    return versions.make(table.office, key, account, table.now).id


def test_a_version_is_tried_once_at_every_number_of_players(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    number, played, whole = made(table), list[int](), matches.game

    def watched(sheet: Sheet, seats: Mapping[Seat, matches.Player], secret: bytes, seed: str) -> Iterator[State]:
        played.append(len(seats))
        return whole(sheet, seats, secret, seed)

    monkeypatch.setattr(matches, "game", watched)
    assert (broker.TRY, number) in [(hint.task, hint.id) for hint in table.hints]
    trying.try_out(table.office, number)
    trying.try_out(table.office, number)
    assert versions.of_slug(table.office, SLUG).trial == TrialStatus.FINE
    assert played == [2, 3, 4]


def test_trial_games_are_played_beside_the_referee(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, ended = matches.steps, list[int]()

    def watched(
        sheet: Sheet, seats: Mapping[Seat, matches.Player], dealt: State, secret: bytes, seed: str
    ) -> Iterator[tuple[Seat, str, Step[State]]]:
        watcher = referee(sheet, dealt, Invariants(sheet, looks=QUICK.looks, listed=QUICK.listed))
        for seat, order, step in whole(sheet, seats, dealt, secret, seed):
            watcher.watch(seat, order, step)
            yield seat, order, step
        ended.append(len(seats))

    monkeypatch.setattr(matches, "steps", watched)
    number = made(table, LAKELAND)
    trying.try_out(table.office, number)
    assert table.found(OwnMapVersion, number).trouble == ""
    assert ended == [3, 4, 5, 6]


def test_the_clock_finds_a_version_that_nobody_has_tried(table: Table) -> None:
    number = made(table)
    table.hints.clear()
    clock.tick(table.office, table.later(seconds=30))
    assert (broker.TRY, number) in [(hint.task, hint.id) for hint in table.hints]
    trying.try_out(table.office, number)
    table.hints.clear()
    clock.tick(table.office, table.later(seconds=30))
    assert broker.TRY not in [hint.task for hint in table.hints]


def test_what_stops_a_trial_game_is_kept_with_players_and_turn(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    number = made(table)

    def falls(sheet: object, state: object, seed: str) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(matches, "classic", falls)
    trying.try_out(table.office, number)
    version = versions.of_slug(table.office, SLUG)
    assert (version.trial, version.stopped) == (TrialStatus.FAILED, (2, 1))
    assert "ZeroDivisionError" in table.found(OwnMapVersion, number).trouble


def test_a_trial_game_without_an_end_is_no_good(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    number = made(table)
    monkeypatch.setattr(trying, "LONGEST", 0.0)
    trying.try_out(table.office, number)
    assert versions.of_slug(table.office, SLUG).trial == TrialStatus.FAILED
    assert "Endless" in table.found(OwnMapVersion, number).trouble


def test_the_same_text_of_somebody_else_is_not_tried_again(table: Table) -> None:
    trying.try_out(table.office, made(table))
    table.hints.clear()
    again = made(table)
    assert versions.to_try(table.office, again) is None
    assert broker.TRY not in [hint.task for hint in table.hints]
    assert catalog.sheet("age-of-steam", SLUG).name == "Douro"
