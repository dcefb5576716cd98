"""Stored games are played once more with the rules of today; what differs is told, and nothing is changed."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import update

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Refusal, catalog
from pbem.engine.record import write_record
from pbem.service import NotNow
from pbem.service.archive import recheck, records
from pbem.service.archive.recheck import Finding
from pbem.service.base import queries
from pbem.service.games import takeback
from pbem.store.statuses import GameStatus
from pbem.store.tables import Move
from tests.every_map.games import recorded
from tests.table import NAMES, Table


def found(table: Table) -> Finding | None:
    return recheck.check(table.office, table.game)


def texts(finding: Finding | None) -> str:
    assert finding is not None
    return " ".join(map(str, finding.sentences))


def change(table: Table, number: int, **values: object) -> None:
    """Somebody changes a row of the log behind our back."""
    table.put(update(Move).where(Move.game_id == table.game, Move.number == number).values(values))


def tampered(table: Table, number: int, how: Callable[[dict[str, object]], None]) -> None:
    """The same with something in the stored state."""
    with table.office.read() as session:
        stored = json.loads(session.get_one(Move, (table.game, number)).state)
    how(stored["state"])
    change(table, number, state=json.dumps(stored).encode())


@pytest.mark.postgresql
def test_games_as_they_were_played_come_out_as_they_are_stored(dealt: Table) -> None:
    dealt.play("issue 1\nbid max 1")
    dealt.play_on(40)
    assert found(dealt) is None


@pytest.mark.postgresql
def test_a_game_that_is_over_is_followed_to_its_end(table: Table) -> None:
    table.start(map="barbados", names=NAMES[:1])
    table.play_on(1000)
    assert table.view().status == "over"
    assert found(table) is None


def test_orders_taken_back_and_seats_that_changed_hands_are_followed(table: Table) -> None:
    table.start(grace=timedelta(minutes=10))
    for number in range(12):
        seat = table.number_asked()
        table.play()
        if number % 3:
            try:
                takeback.take_back(table.office, table.game, seat, table.now)
            except NotNow:
                continue
    assert "taken-back" in {move.cause for move in table.view().log}
    assert found(table) is None


def test_games_alone_and_with_secrets_are_followed(table: Table) -> None:
    for game, map_, players in (("steam-power", "ireland", 3), ("age-of-steam", "barbados", 1)):
        table.start(game=game, map=map_, names=NAMES[:players], title=map_)
        table.play_on(20)
        assert found(table) is None


@pytest.mark.postgresql
def test_a_position_that_was_changed_is_told_with_its_fields(table: Table) -> None:
    view = table.start()
    table.play_on(10)
    seat = view.waiting_for

    def richer(state: dict[str, object]) -> None:
        state["players"][seat]["cash"] += 5  # type: ignore[index]

    tampered(table, 4, richer)
    finding = found(table)
    assert finding is not None
    assert (finding.number, finding.orders) == (4, "issue 0")
    assert f"cash of {seat} of players: " in texts(finding)


def test_a_change_that_nobody_sees_is_told_without_what_it_is(table: Table) -> None:
    table.start(game="steam-power", map="ireland", names=NAMES[:3])
    table.play_on(5)

    def other_bag(state: dict[str, object]) -> None:
        state["bag"][:2] = reversed(state["bag"][:2])  # type: ignore[index]

    tampered(table, 3, other_bag)
    assert texts(found(table)) == "What players see is the same; other stored values differ: bag."


def test_changed_orders_are_told_at_the_move_that_holds_them(dealt: Table) -> None:
    dealt.play_on(6)
    change(dealt, 2, orders="issue 3")
    finding = found(dealt)
    assert finding is not None
    assert (finding.number, finding.orders) == (2, "issue 3")
    change(dealt, 2, orders="issue 99")
    assert "Today’s rules refuse it" in texts(found(dealt))
    change(dealt, 2, orders="gibberish")
    assert "cannot be read with today’s rules" in texts(found(dealt))


def test_dice_that_were_changed_are_told(dealt: Table) -> None:
    while not any(draw.get("for") == "growth-light" for draw in _last_chance(dealt)):
        dealt.play()
    number = dealt.view().version
    change(dealt, number, chance=[{"for": "growth-light", "dice": [6, 6, 6, 6]}])
    assert texts(found(dealt)).startswith(
        "The replay gives other dice or draws than the stored ones, for: growth-light"
    )


def _last_chance(table: Table) -> list[dict[str, object]]:
    with table.office.read() as session:
        chance: list[dict[str, object]] = session.get_one(Move, (table.game, table.view().version)).chance
        return chance


@pytest.mark.postgresql
def test_digests_gaps_and_the_position_of_the_game_itself_are_looked_at(dealt: Table) -> None:
    dealt.play_on(5)
    change(dealt, 3, digest="0" * 64)
    assert "digest" in texts(found(dealt))
    dealt.put(update(Move).where(Move.number == 3).values(number=30))
    assert texts(found(dealt)) == "Entry 3 of the log is missing."


def test_a_game_whose_position_is_not_that_of_its_log_is_told(dealt: Table) -> None:
    dealt.play_on(5)
    with dealt.office.write() as session:
        game = queries.locked(session, dealt.game)
        game.state = session.get_one(Move, (dealt.game, 2)).state
    assert "does not match its last entry" in texts(found(dealt))
    with dealt.office.write() as session:
        queries.locked(session, dealt.game).version = 9
    assert "ends before the current version" in texts(found(dealt))


def test_a_state_that_cannot_be_read_is_told(dealt: Table) -> None:
    dealt.play_on(2)
    change(dealt, 1, state=b"{}")
    assert "cannot be read" in texts(found(dealt))


def test_a_rule_that_has_changed_is_told_where_it_first_matters(dealt: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt.play("issue 2")
    dealt.play_on(3)
    monkeypatch.setattr(Rules, "share_cap", 3)
    finding = found(dealt)
    assert finding is not None
    assert (finding.number, finding.orders) == (1, "issue 2")
    assert "Today’s rules refuse it" in texts(finding)


def test_a_rule_that_breaks_is_a_finding_and_stops_no_other_game(dealt: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt.play_on(6)

    def broken(self: Rules, state: State, seat: str) -> Refusal:
        raise ZeroDivisionError("a rule of tests")

    monkeypatch.setattr("pbem.age_of_steam.phases.issue_shares.IssueShares.refuse", broken)
    finding = found(dealt)
    assert finding is not None
    assert finding.broken
    assert "cannot be replayed" in texts(finding)


def test_a_game_on_a_map_that_is_gone_is_a_finding(dealt: Table) -> None:
    with dealt.office.write() as session:
        queries.locked(session, dealt.game).map = "atlantis"
    finding = found(dealt)
    assert finding is not None
    assert finding.broken
    assert recheck.check(dealt.office, "nonsense") is not None


def test_games_that_were_played_elsewhere_are_compared_with_their_record(table: Table) -> None:
    record = recorded(catalog.sheet("age-of-steam", "barbados"), 3)
    table.game = records.import_record(table.office, json.dumps(write_record(record)), table.now)
    assert found(table) is None
    change(table, 4, digest="0" * 64)
    finding = found(table)
    assert finding is not None
    assert finding.number == 4


@pytest.mark.postgresql
def test_games_are_listed_in_batches_each_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck, "AT_ONCE", 2)
    begun = [table.start(title=f"game {number}").id for number in range(5)]
    with table.office.write() as session:
        queries.locked(session, table.game).status = GameStatus.OVER
    table.open(title="not begun")
    assert list(recheck.ids(table.office)) == sorted(begun)
    assert (recheck.count(table.office), recheck.count(table.office, running=True)) == (5, 4)
    assert list(recheck.ids(table.office, running=True)) == sorted(begun[:-1])
