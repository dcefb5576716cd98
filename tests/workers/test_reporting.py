"""Balance reports are played game by game in the background: killed, gone on with, stopped, given up, one at a time."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import select

from pbem.robot.balance import games
from pbem.robot.balance.figures import figures
from pbem.service import NoSuch, NotNow
from pbem.service.base.rate_limits import TooMuch
from pbem.service.own_maps import drafts, reports, states, versions
from pbem.service.own_maps.reports import Report
from pbem.service.own_maps.versions import Version
from pbem.store.statuses import ReviewStatus
from pbem.store.tables import OwnMapReport
from tests.drawn import SMALL, map_of
from tests.table import Table
from tests.workers.test_answers import in_one_line
from workers import reporting, work


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch, table: Table) -> None:
    """Two games with each number of players, and the time of the table."""
    monkeypatch.setattr(reports, "GAMES", 2)
    monkeypatch.setattr(work, "now", lambda: table.now)


@pytest.fixture
def version(table: Table) -> Version:
    """A version of Ana's map."""
    return map_of(table.office, table.account("Ana"), table.now)


def ask(table: Table, version: Version, who: str = "Ana") -> None:
    reports.ask(table.office, version, table.account(who), table.now)


def of(table: Table, version: Version) -> Report:
    found = reports.of(table.office, version)
    assert found is not None
    return found


def with_seed(table: Table, version: Version, seed: str = "5eed") -> None:
    with table.office.write() as session:
        session.get_one(OwnMapReport, version.id).seed = seed


def test_the_numbers_of_players_take_turns(table: Table, version: Version) -> None:
    ask(table, version)
    assert (of(table, version).status, of(table, version).games) == (ReviewStatus.WAITING, ())
    reporting.work_off(table.office)
    done = of(table, version)
    assert [game.players for game in done.games] == [2, 3, 4, 2, 3, 4]
    assert (done.status, done.open, done.spent > 0) == (ReviewStatus.DONE, False, True)
    assert figures(done.games).games == 6
    assert not reports.waits(table.office, table.now)


def test_one_email_tells_of_the_end_whoever_wanted_it(table: Table, version: Version) -> None:
    ana = table.account("Ana")
    reports.ask(table.office, version, ana, table.now, email=True)
    task = reports.claim(table.office, table.now)
    assert task is not None
    game = games.play(task.sheet, task.players, task.seed, task.number, lambda: None)
    reports.keep(table.office, task, game, 0.1, table.now)
    assert table.letters("map-report") == []
    table.later(minutes=2)
    reporting.work_off(table.office)
    (letter,) = table.letters("map-report")
    assert letter.account_id == ana
    told = vars(table.read(letter).own)
    assert (told["games"], told["failed"]) == (6, False)
    assert told["page"] == f"https://play.example.org/maps/play/{version.key}/balance?version=1"
    for wishes in ([], [True, False]):  # not wanted, or not any more
        ask(table, version)
        for wish in wishes:
            reports.tell(table.office, version, ana, table.now, email=wish)
        reporting.work_off(table.office)
    reports.ask(table.office, version, ana, table.now, email=True)
    reports.stop(table.office, version, ana, table.now)
    assert len(table.letters("map-report")) == 1
    with pytest.raises(NoSuch):
        reports.tell(table.office, version, table.account("Ben"), table.now, email=True)


class Killed(BaseException):
    """The process has ended."""


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process is killed in its third game."""
    whole, begun = games.play, list[int]()

    def play(*given: object) -> games.Game:
        begun.append(1)
        if len(begun) == 3:
            raise Killed
        return whole(*given)  # type: ignore[arg-type] # as it was called

    with monkeypatch.context() as patch:
        patch.setattr(games, "play", play)
        yield


def test_killed_and_gone_on_with_the_figures_are_the_same(table: Table, version: Version, dying: None) -> None:
    ask(table, version)
    with_seed(table, version)
    with pytest.raises(Killed):
        reporting.work_off(table.office)
    assert len(of(table, version).games) == 2
    assert (reports.waits(table.office, table.now), reports.claim(table.office, table.now)) == (False, None)
    table.later(minutes=2)
    assert reports.waits(table.office, table.now)
    reporting.work_off(table.office)
    interrupted = of(table, version)
    assert interrupted.status == ReviewStatus.DONE
    ask(table, version)
    with_seed(table, version)
    reporting.work_off(table.office)
    assert of(table, version).games == interrupted.games
    ask(table, version)
    reporting.work_off(table.office)
    assert of(table, version).games != interrupted.games


def test_no_game_begins_when_the_seconds_are_used(
    table: Table, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "SECONDS", 0)
    ask(table, version)
    reporting.work_off(table.office)
    assert (of(table, version).status, len(of(table, version).games)) == (ReviewStatus.DONE, 1)


def test_what_is_stopped_keeps_its_games_and_the_one_that_is_played_is_dropped(
    table: Table, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(table, version)
    task = reports.claim(table.office, table.now)
    assert task is not None
    game = games.play(task.sheet, task.players, task.seed, task.number, lambda: None)
    task = reports.keep(table.office, task, game, 0.1, table.now)
    assert task is not None
    reports.stop(table.office, version, table.account("Ana"), table.now)
    assert not reports.stays(table.office, task, table.now)
    reporting.report(table.office, task)
    assert reports.keep(table.office, task, game, 0.1, table.now) is None
    assert (of(table, version).status, of(table, version).games) == (ReviewStatus.DONE, (game,))


def test_one_report_is_worked_on_at_a_time_the_first_one_first(table: Table, version: Version) -> None:
    other = map_of(table.office, table.account("Ben"), table.now, SMALL.replace("Douro", "Minho"))
    ask(table, version)
    table.later(seconds=1)
    ask(table, other, "Ben")
    assert (of(table, version).before, of(table, other).before) == (0, 1)
    task = reports.claim(table.office, table.now)
    assert task is not None
    assert (task.version, reports.claim(table.office, table.now)) == (version.id, None)
    reports.stop(table.office, version, table.account("Ana"), table.now)
    task = reports.claim(table.office, table.now)
    assert task is not None
    assert task.version == other.id


def test_what_goes_wrong_again_and_again_is_given_up(
    table: Table, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    def falls(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(games, "quick", falls)
    reports.ask(table.office, version, table.account("Ana"), table.now, email=True)
    for _ in range(reports.TRIES + 1):
        reporting.work_off(table.office)
        table.later(minutes=2)
    assert of(table, version).status == ReviewStatus.FAILED
    (letter,) = table.letters("map-report")
    assert "could not play on" in in_one_line(table, letter)
    assert not reports.waits(table.office, table.now)


def test_three_reports_a_day_one_at_once_by_the_owner_alone(table: Table, version: Version) -> None:
    table.office = replace(table.office, settings=replace(table.office.settings, rate_limits=True))
    with pytest.raises(NoSuch):
        ask(table, version, "Ben")
    with pytest.raises(NoSuch):
        reports.stop(table.office, version, table.account("Ana"), table.now)
    for number in range(3):
        ask(table, version)
        if not number:
            with pytest.raises(NotNow, match="already"):
                ask(table, version)
        with pytest.raises(NoSuch):
            reports.stop(table.office, version, table.account("Ben"), table.now)
        reports.stop(table.office, version, table.account("Ana"), table.now)
    with pytest.raises(TooMuch) as refused:
        ask(table, version)
    assert "3 balance reports within a day" in str(refused.value.sentence)
    table.later(days=1, minutes=1)
    ask(table, version)


def test_only_what_can_be_played_has_a_report(table: Table) -> None:
    ana = table.account("Ana")
    key = drafts.begin(table.office, ana, SMALL, table.now)
    made = versions.make(table.office, key, ana, table.now)
    with pytest.raises(NotNow, match="still trying"):
        reports.ask(table.office, made, ana, table.now)
    versions.tried(table.office, made.id, table.now)
    states.withdraw(table.office, key, ana, table.now)
    with pytest.raises(NotNow, match="withdrawn"):
        reports.ask(table.office, versions.of_map(table.office, key)[0], ana, table.now)


def test_a_deleted_map_takes_its_report_along_while_it_is_played(table: Table, version: Version) -> None:
    ask(table, version)
    task = reports.claim(table.office, table.now)
    drafts.delete(table.office, version.key, table.account("Ana"), table.now)
    reporting.report(table.office, task)
    assert table.rows(select(OwnMapReport.version_id)) == []
