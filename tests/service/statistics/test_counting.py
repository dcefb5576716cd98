"""What finished games come to agrees with a second computation from their records, however often they are counted."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest
from openskill.models import PlackettLuce
from sqlalchemy import select, update

from pbem.age_of_steam.events import ActionTaken, BidMade
from pbem.engine import Sheet, catalog
from pbem.engine.record import read_record, replay
from pbem.service.archive import records
from pbem.service.base.task_hints import count_hint
from pbem.service.games import departures, ending, members
from pbem.service.statistics import counting, ratings, tempo
from pbem.service.turns import audit_log
from pbem.store.statuses import GameStatus, MoveCause
from pbem.store.tables import Account, CountedGame, Game, Move, Rating, Result, Seat, Tally
from pbem.store.tables import Table as Rows
from pbem.transport import broker
from pbem.views.people import Tempo
from tests.service.actors import take
from tests.table import Table
from workers import clock, work

GAME = "age-of-steam"


def over(table: Table, **how: object) -> Table:
    """A game that was played to its end by safe orders; it waits to be counted."""
    table.start(**how)
    table.play_on(1000)
    return table


def copies(table: Table, orders: list[tuple[int, ...]]) -> list[str]:
    """Finished games of the same course, an hour apart, with the people of the game in other seats."""
    made = []
    with table.office.write() as session:
        first = session.get_one(Game, table.game)
        seats = session.scalars(select(Seat).where(Seat.game_id == table.game).order_by(Seat.number)).all()
        for hour, order in enumerate(orders, 1):
            values = {column.key: getattr(first, column.key) for column in Game.__table__.columns}
            ended_at = table.now + timedelta(hours=hour)
            made.append(f"copy{hour}")
            session.add(Game(**values | {"id": made[-1], "ended_at": ended_at, "count_at": ended_at}))
            session.flush()
            for number, player in enumerate(order):
                values = {c.key: getattr(seats[number], c.key) for c in Seat.__table__.columns if c.key != "id"}
                who = {"account_id": seats[player].account_id, "name": seats[player].name}
                session.add(Seat(**values | who | {"game_id": made[-1]}))
    return made


def rows(table: Table, *kinds: type[Rows]) -> list[tuple[Any, ...]]:
    """All rows of tables, each with all its columns."""
    return sorted(
        (kind.__tablename__, *(str(getattr(row, column.key)) for column in kind.__table__.columns))
        for kind in kinds
        for row in table.rows(select(kind))
    )


def all_counted(table: Table) -> list[tuple[Any, ...]]:
    return rows(table, CountedGame, Result, Rating, Tally)


def recorded(table: Table) -> tuple[Sheet, Any]:
    record = read_record(json.dumps(records.export(table.office, table.game)))
    return catalog.sheet(record.game, record.map), record


def test_the_end_of_a_game_gives_a_hint_and_the_clock_finds_what_was_lost(table: Table) -> None:
    over(table)
    assert count_hint(table.game) in table.hints
    assert counting.due(table.office, table.now) == [table.game]
    clock.tick(table.office, table.later(minutes=1), lambda *_: None)
    assert counting.due(table.office, table.now) == []
    assert len(rows(table, Result)) == 4


def test_results_and_figures_are_those_of_the_record(table: Table) -> None:
    over(table)
    counting.count(table.office, table.game, table.now)
    sheet, record = recorded(table)
    with table.office.read() as session:
        found = {row.number: (row.place, row.points, row.out) for row in session.scalars(select(Result))}
        colours = {seat.colour: seat.number for seat in session.scalars(select(Seat))}
        figures = Counter({(row.figure, row.key): row.number for row in session.scalars(select(Tally))})
    assert found == {colours[line["player"]]: (line["place"], line["score"], line["out"]) for line in record.result}
    taken: Counter[str] = Counter()
    bids = dict.fromkeys(record.players, 0)
    for played in replay(sheet, record):
        assert played.step is not None
        for event in played.step.events:
            if isinstance(event, ActionTaken):
                taken[f"{played.entry.turn}:{event.action}"] += 1
            if isinstance(event, BidMade) and played.entry.turn == 1:
                bids[event.seat] = max(bids[event.seat], event.amount)
    assert taken
    assert {key: n for (figure, key), n in figures.items() if figure == "action"} == taken
    assert {key: n for (figure, key), n in figures.items() if figure == "bid"} == Counter(map(str, bids.values()))
    assert figures["games", ""] == 1
    assert figures["out", ""] == sum(line["out"] for line in record.result)
    assert figures["turns", str(record.turns[-1].turn)] == 1


@pytest.mark.postgresql
def test_counting_twice_and_counting_all_again_change_nothing(table: Table) -> None:
    over(table)
    for game in [table.game, *copies(table, [(1, 0, 2, 3), (3, 2, 1, 0)])]:
        assert counting.count(table.office, game, table.now)
        assert not counting.count(table.office, game, table.now)
    before = all_counted(table)
    for game in counting.ids(table.office):
        counting.count_again(table.office, game, table.later(days=1))
    counting.add_up(table.office, GAME, "rust_belt")
    assert ratings.rate_again(table.office, GAME) == counting.finished(table.office) == 3
    assert all_counted(table) == before


def test_ratings_do_not_depend_on_the_order_in_which_games_are_counted(table: Table) -> None:
    over(table)
    made = [table.game, *copies(table, [(1, 0, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])]
    outcomes = set()
    for order in ((0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)):
        with table.office.write() as session:
            for kind in (Tally, Rating, Result, CountedGame):
                session.execute(Rows.metadata.tables[str(kind.__tablename__)].delete())
            session.execute(update(Game).values(count_at=Game.ended_at))
        for number in order:
            counting.count(table.office, made[number], table.now)
        outcomes.add(tuple(all_counted(table)))
    assert len(outcomes) == 1


def test_ratings_are_those_of_a_second_computation(table: Table) -> None:
    over(table)
    orders = [(0, 1, 2, 3), *list(permutations(range(4)))[3::5]]
    for game in [table.game, *copies(table, orders[1:])]:
        counting.count(table.office, game, table.now)
    places = [line["place"] for line in sorted(recorded(table)[1].result, key=_number(table))]
    model = PlackettLuce()
    known = [model.rating() for _ in range(4)]
    for order in orders:
        after = model.rate([[known[player]] for player in order], ranks=places)
        for player, (new,) in zip(order, after, strict=True):
            known[player] = new
    with table.office.read() as session:
        found = {row.who: (row.mu / 1e6, row.sigma / 1e6, row.games) for row in session.scalars(select(Rating))}
        seats = session.scalars(select(Seat).where(Seat.game_id == table.game).order_by(Seat.number)).all()
    for seat, rating in zip(seats, known, strict=True):
        mu, sigma, games = found[f"a{seat.account_id}"]
        assert (mu, sigma) == pytest.approx((rating.mu, rating.sigma), abs=1e-4)
        assert games == len(orders)


def _number(table: Table) -> Any:
    colours = {seat.seat: seat.number for seat in table.view().seats}
    return lambda line: colours[line["player"]]


@pytest.mark.parametrize("why", ["friendly", "unlisted", "early"])
def test_no_rating_follows_from_games_that_are(table: Table, why: str) -> None:
    over(table)
    with table.office.write() as session:
        column = {"friendly": "friendly", "unlisted": "unlisted", "early": "ended_early"}[why]
        session.execute(update(Game).values({column: True}))
    counting.count(table.office, table.game, table.now)
    assert rows(table, Rating) == []
    figures = {figure for _, _, _, _, figure, *_ in rows(table, Tally)}
    assert ("games" in figures, "turns" in figures) == (why != "unlisted", why == "friendly")


def test_no_rating_follows_from_a_game_with_a_robot_that_adapts(table: Table) -> None:
    over(table)
    table.put(update(Seat).where(Seat.number == 2).values(robot="penny", account_id=None))
    counting.count(table.office, table.game, table.now)
    assert rows(table, Rating) == []


def test_a_friendly_game_is_played_again_as_a_friendly_game(table: Table) -> None:
    over(table, friendly=True)
    again = members.rematch(table.office, table.game, table.host, table.now)
    assert table.found(Game, again).friendly


def test_a_game_that_changes_its_mind_leaves_no_trace_in_tallies_and_ratings(table: Table) -> None:
    over(table)
    counting.count(table.office, table.game, table.now)
    table.put(update(Game).values(unlisted=True, count_at=table.now))
    counting.count(table.office, table.game, table.now)
    assert rows(table, Rating, Tally) == []


def test_a_seat_that_somebody_left_is_rated_for_nobody(table: Table) -> None:
    over(table)
    with table.office.game(table.game, table.now) as game:
        audit_log.write(game, "resigned", seat=game.numbered(2))
    counting.count(table.office, table.game, table.now)
    with table.office.read() as session:
        found = {row.number: (bool(row.who), row.mu is not None) for row in session.scalars(select(Result))}
        assert session.query(Rating).count() == 3
    assert found == {0: (True, True), 1: (True, True), 2: (False, False), 3: (True, True)}


def test_a_robot_with_several_seats_gets_the_mean_of_what_each_comes_to() -> None:
    known = {"rrufus": ratings.NEW, "a1": ratings.NEW}
    after = ratings.rated([("rrufus", 1), ("a1", 2), ("rrufus", 3)], known)
    model = PlackettLuce()
    (first,), (second,), (third,) = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 2, 3])
    assert after["rrufus"].mu == pytest.approx((first.mu + third.mu) / 2 * 1e6, abs=1)
    assert after["a1"].mu == pytest.approx(second.mu * 1e6, abs=1)
    assert ratings.rated([("rrufus", 1), ("rrufus", 2)], known) == {}


def test_a_game_that_cannot_be_counted_lets_others_go(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    over(table)
    monkeypatch.setattr(counting, "_figures", lambda _work: 1 // 0)
    monkeypatch.setattr(work, "now", lambda: table.now)
    with pytest.raises(ZeroDivisionError):
        work.count(table.office, table.game)
    assert counting.due(table.office, table.now) == []
    assert counting.due(table.office, table.later(hours=2)) == [table.game]


def test_a_game_that_was_ended_by_vote_is_counted_as_well(dealt: Table) -> None:
    with dealt.office.game(dealt.game, dealt.now) as game:
        ending.close(game)
    assert [hint for hint in dealt.hints if hint.task == broker.COUNT] == [count_hint(dealt.game)]
    assert counting.count(dealt.office, dealt.game, dealt.now)


MORNING = datetime(2026, 11, 23, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)


def answers(table: Table, *hours: float, day: int = 0, spent: float | None = None, cause: str = "player") -> None:
    """Ana answers once on each day after so many hours; ``spent``: how many of them her clock has run."""
    with table.office.game(table.game, table.now) as work:
        for number, took in enumerate(hours, day):
            asked = MORNING + timedelta(days=number)
            row = Move(
                game_id=work.game.id, number=1000 + number, seat=work.seats[0].colour, turn=1, phase="x", orders="x",
                cause=MoveCause(cause), chance=[], events=[], state=b"", digest="", asked_at=asked,
                at=asked + took * HOUR, spent_seconds=int((took if spent is None else spent) * 3600),
            )  # fmt: skip
            work.session.add(row)
            work.game.version = max(work.game.version, row.number)


def of_ana(table: Table) -> Tempo:
    with table.office.read() as session:
        return tempo.tempos(session, [table.host])[table.host]


def begun(table: Table) -> None:
    table.now = MORNING - timedelta(days=1)
    table.start_anew()


@pytest.mark.postgresql
def test_median_and_quartiles_are_those_of_the_times_between_question_and_answer(table: Table) -> None:
    begun(table)
    answers(table, 5, 1, 2, 8, 3)
    assert of_ana(table) == Tempo(5, 3 * HOUR, 2 * HOUR, 5 * HOUR)
    answers(table, 4, day=9)
    assert of_ana(table).median == 3.5 * HOUR


@pytest.mark.postgresql
def test_of_many_answers_the_last_fifty_count(table: Table) -> None:
    begun(table)
    answers(table, *[12] * 30, *[1] * 26, *[2] * 24)
    assert of_ana(table) == Tempo(50, HOUR, HOUR, 2 * HOUR)


def test_of_a_long_game_the_last_moves_are_looked_at(table: Table) -> None:
    begun(table)
    answers(table, 3)
    with table.office.game(table.game, table.now) as work:
        work.game.version = 1000 + tempo.MOVES - 1
    assert of_ana(table).answers == 1
    with table.office.game(table.game, table.now) as work:
        work.game.version = 1000 + tempo.MOVES
    assert of_ana(table).answers == 0


def test_what_was_played_for_somebody_and_what_came_in_one_go_does_not_count(table: Table) -> None:
    begun(table)
    answers(table, 3)
    answers(table, 9, day=1, cause="deadline")
    answers(table, 9, day=2, cause="ahead")
    answers(table, 0, day=3)
    assert of_ana(table) == Tempo(1, 3 * HOUR, 3 * HOUR, 3 * HOUR)


def test_the_night_does_not_count_and_quiet_hours_are_the_night_of_those_who_chose_some(table: Table) -> None:
    begun(table)
    answers(table, 24)  # from eight to eight: sixteen hours outside 23 to 7
    assert of_ana(table).median == 16 * HOUR
    with table.office.write() as session:
        ana = session.get_one(Account, table.host)
        ana.quiet_from, ana.quiet_to = 20 * 60, 8 * 60
    assert of_ana(table).median == 12 * HOUR
    with table.office.write() as session:
        ana = session.get_one(Account, table.host)
        ana.quiet_from = ana.quiet_to = None
        ana.zone = "Asia/Tokyo"  # there it is 17 o'clock, and night from the sixth hour on
    assert of_ana(table).median == 16 * HOUR


def test_days_on_which_the_clock_stood_still_do_not_count(table: Table) -> None:
    begun(table)
    answers(table, 48, spent=24)
    assert of_ana(table).median == 16 * HOUR


@pytest.mark.postgresql
def test_games_that_were_finished_and_left_are_counted(table: Table) -> None:
    begun(table)
    departures.resign(table.office, table.game, 0, table.now)
    assert of_ana(table) == Tempo(left=1)
    fay = take(table)
    answers(table, 3)
    with table.office.game(table.game, table.now) as work:
        work.game.status = GameStatus.OVER
        work.session.flush()
        found = tempo.tempos(work.session, [table.host, fay])
    assert found[table.host] == Tempo(left=1)
    assert (found[fay].finished, found[fay].left, found[fay].answers) == (1, 0, 1)


def test_who_takes_over_a_seat_has_not_given_the_answers_before(table: Table) -> None:
    begun(table)
    answers(table, 3)
    table.now = MORNING + timedelta(days=3)
    departures.resign(table.office, table.game, 0, table.now)
    fay = take(table)
    with table.office.read() as session:
        assert tempo.tempos(session, [fay])[fay] == Tempo()
