"""A league runs by its clock alone: divisions, games, standings, promotion, who leaves, and a knock-out to its end."""

from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from pbem.service import BadInput, NotNow
from pbem.service.base.tokens import BadToken
from pbem.service.games import departures
from pbem.service.leagues import members, seasons
from pbem.service.leagues.members import NewLeague
from pbem.service.leagues.standings import Seated, advance, divisions, moved, rounds, spread, table
from pbem.service.orders import robots, submissions
from pbem.store.statuses import GameStatus, IfLeft, LeagueKind, LeagueStatus, MemberStatus, SeatStatus
from pbem.store.tables import Account, Game, League, LeagueGame, LeagueMember, LeagueSeat, Rating, Seat
from tests.table import Table
from workers import clock

DAY = timedelta(days=1)


def opened(table: Table, **how: object) -> str:
    """A league of games that are soon over: in Detroit who builds nothing goes bankrupt in the second turn."""
    values = {"title": "Winter league", "kind": LeagueKind.LEAGUE, "game": "age-of-steam", "maps": ("detroit",)}
    host = table.account("Hana")
    new = NewLeague(**{**values, "begins": table.now + 2 * DAY, "plays": False, **how})  # type: ignore[arg-type]
    return members.open_league(table.office, host, new, table.now)


def league(table: Table, number: str) -> League:
    return table.found(League, number)


def everybody(table: Table, number: str) -> list[LeagueMember]:
    with table.office.read() as session:
        return members.of(session, number)


def running(table: Table) -> list[str]:
    return table.rows(select(Game.id).where(Game.status == GameStatus.RUNNING).order_by(Game.id))


def tick(table: Table) -> None:
    clock.tick(table.office, table.now, lambda *_: None)


def play(table: Table, *, think: bool = False) -> None:
    """Play the games that run to their ends: safe orders, or those of the robots in the seats."""
    for game in running(table):
        table.game = game
        if think:
            while not table.asked().over:
                robots.think(table.office, game, table.now)
                submissions.play_waiting(table.office, game, table.now)
        else:
            table.play_on(1000)


def to_the_end(table: Table, number: str, *, think: bool = False) -> list[str]:
    """Move the clock until the league is over; says what it went through."""
    seen = []
    for _ in range(60):
        tick(table)
        now = league(table, number)
        seen.append(f"{now.status} {now.season}")
        if now.status in (LeagueStatus.OVER, LeagueStatus.CANCELLED):
            return list(dict.fromkeys(seen))
        if running(table):
            play(table, think=think)
            table.later(minutes=1)
        else:
            table.now = max(table.now, now.step_at or table.now) + timedelta(minutes=1)
    raise AssertionError(seen)


def test_two_seasons_of_eight_robots_run_through(table: Table) -> None:
    number = opened(table, robots=8, seasons=2, pause_days=3)
    assert to_the_end(table, number) == ["open 0", "running 1", "pause 1", "running 2", "over 2"]
    with table.office.read() as session:
        first, second = (seasons.tables_of(session, league(table, number), season) for season in (1, 2))
        games = session.scalars(select(LeagueGame)).all()
        seats = session.scalars(select(LeagueSeat)).all()
    assert [len(lines) for lines in (*first, *second)] == [4, 4, 4, 4]
    assert len({game.game_id for game in games}) == 4
    assert all(seat.place for seat in seats)
    for lines in (*first, *second):
        assert sum(line.games for line in lines) == 4
    up, down = first[1][0].member, first[0][-1].member
    assert up in {line.member for line in second[0]}
    assert down in {line.member for line in second[1]}
    stay = {line.member for line in first[0][:-1]}
    assert stay | {up} == {line.member for line in second[0]}


@pytest.mark.slow
def test_a_season_of_sixty_four_robots_that_think_runs_through(table: Table) -> None:
    number = opened(table, robots=64)
    assert to_the_end(table, number, think=True) == ["open 0", "running 1", "over 1"]
    with table.office.read() as session:
        lines = seasons.tables_of(session, league(table, number), 1)
        assert [len(one) for one in lines] == [4] * 16
        assert session.query(Game).filter(Game.status == GameStatus.OVER).count() == 16


def test_a_knock_out_ends_with_one_winner(table: Table) -> None:
    number = opened(table, robots=9, kind=LeagueKind.KNOCKOUT, pause_days=0)
    seen = to_the_end(table, number)
    assert seen[-1] == "over 3"
    counts = Counter(member.status for member in everybody(table, number) if not member.stand_in)
    assert counts == {MemberStatus.BEATEN: 8, MemberStatus.IN: 1}
    with table.office.read() as session:
        (final,) = seasons.tables_of(session, league(table, number), 3)
        winner = next(m for m in everybody(table, number) if m.status == MemberStatus.IN)
        real = [line.member for line in final if not session.get_one(LeagueMember, line.member).stand_in]
    assert real[0] == winner.id


def test_people_join_and_get_divisions_by_their_ratings_and_letters(table: Table) -> None:
    number = opened(table, tables_of=4)
    people = {name: table.account(name) for name in ("Ana", "Ben", "Cleo", "Davi", "Emil")}
    for who in people.values():
        members.join(table.office, number, who, table.now)
        members.join(table.office, number, who, table.now)
    assert [letter.data["what"] for letter in table.letters("league-news")] == ["joined"] * 5
    with table.office.write() as session:
        row = {"game": "age-of-steam", "mu": 40_000_000, "sigma": 10**6, "shown": 37_000_000, "games": 9}
        session.add(Rating(who=f"a{people['Emil']}", account_id=people["Emil"], last_at=table.now, **row))
    table.later(days=2, minutes=1)
    tick(table)
    found = {member.name: member for member in everybody(table, number)}
    assert (found["Emil"].division, found["Emil"].seed) == (1, 0)
    assert (found["Davi"].division, [m.stand_in for m in found.values() if m.division == 2].count(True)) == (2, 3)
    tick(table)
    assert len(running(table)) == 2
    assert Counter(letter.data["what"] for letter in table.letters("league-news"))["begins"] == 5
    seated = table.rows(select(Seat.status).where(Seat.account_id.in_(people.values())))
    assert set(seated) == {SeatStatus.ACCEPTED}
    assert len(table.letters("game-started")) == 5
    assert table.letters("invitation") == []


def test_the_same_look_twice_opens_no_game_twice(table: Table) -> None:
    number = opened(table, robots=4)
    table.later(days=3)
    for _ in range(3):
        tick(table)
    assert len(table.rows(select(LeagueGame))) == 1
    assert not seasons.step(table.office, number, table.now)
    assert not seasons.open_game(table.office, 1, table.now)
    assert not seasons.note_result(table.office, 1, table.now)


@pytest.mark.parametrize("rule", [IfLeft.WAITING, IfLeft.ROBOT])
def test_who_leaves_a_game_is_replaced_by_the_rule_that_was_said(table: Table, rule: IfLeft) -> None:
    number = opened(table, robots=2, if_left=rule)
    ana, ben = table.account("Ana"), table.account("Ben")
    for who in (ana, ben):
        members.join(table.office, number, who, table.now)
    table.later(days=3)
    tick(table)
    members.join(table.office, number, table.account("Zoe"), table.now)
    (game,) = running(table)
    (seat,) = table.rows(select(Seat).where(Seat.account_id == ana))
    departures.resign(table.office, game, seat.number, table.now)
    tick(table)
    with table.office.read() as session:
        now = session.get_one(Seat, seat.id)
        place = session.get_one(LeagueSeat, (1, seat.number))
        successor = session.get_one(LeagueMember, place.member_id)
    assert {m.name: m.status for m in everybody(table, number)}["Ana"] == MemberStatus.LEFT
    if rule == IfLeft.WAITING:
        assert (now.name, successor.name, successor.stand_in) == ("Zoe", "Zoe", False)
    else:
        assert (bool(now.robot), bool(successor.robot), successor.stand_in) == (True, True, True)
    with pytest.raises(NotNow):
        members.join(table.office, number, ana, table.now)


def test_who_leaves_the_league_leaves_its_games(table: Table) -> None:
    number = opened(table, robots=2)
    ana, ben = table.account("Ana"), table.account("Ben")
    for who in (ana, ben):
        members.join(table.office, number, who, table.now)
    table.later(days=3)
    tick(table)
    members.leave(table.office, number, ana, table.now)
    tick(table)
    with table.office.read() as session:
        assert session.scalars(select(Seat).where(Seat.account_id == ana)).all() == []
        assert len(session.scalars(select(Seat).where(Seat.robot != "")).all()) == 3


def test_a_league_without_members_is_called_off_and_says_so(table: Table) -> None:
    number = opened(table)
    ana = table.account("Ana")
    members.join(table.office, number, ana, table.now)
    table.later(days=3)
    tick(table)
    assert league(table, number).status == LeagueStatus.CANCELLED
    assert table.letters("league-news")[-1].data["what"] == "off"


def test_invited_people_answer_with_their_link(table: Table) -> None:
    number = opened(table, invited=("zoe@example.org", "yan@example.org"))
    first, second = [member for member in everybody(table, number) if member.status == MemberStatus.INVITED]
    assert len(table.letters("league-invitation")) == 2
    assert members.answer(table.office, first.id, True, table.now) == number
    members.answer(table.office, second.id, False, table.now)
    found = {member.id: member.status for member in everybody(table, number)}
    assert found == {first.id: MemberStatus.IN, second.id: MemberStatus.DECLINED}
    with pytest.raises(BadToken):
        members.answer(table.office, 999, True, table.now)


def test_all_that_is_wrong_with_a_league_is_told_at_once(table: Table) -> None:
    wrong = {"title": " ", "maps": ("barbados",), "begins": table.now, "games": 0, "robots": 999, "tables_of": 7}
    with pytest.raises(BadInput) as bad:
        opened(table, **wrong)
    assert {problem.field for problem in bad.value.problems} >= set(wrong)


def test_the_host_ends_a_league_after_its_season(table: Table) -> None:
    number = opened(table, robots=4, seasons=5)
    (host,) = table.rows(select(Account.id).where(Account.name == "Hana"))
    table.later(days=3)
    tick(table)
    with pytest.raises(NotNow):
        members.call_off(table.office, number, host + 1, table.now)
    members.call_off(table.office, number, host, table.now)
    assert to_the_end(table, number)[-1] == "over 1"


@pytest.mark.postgresql
def test_a_league_begins_and_its_results_are_noted_on_both_databases(table: Table) -> None:
    number = opened(table, robots=4)
    table.later(days=3)
    tick(table)
    (game,) = running(table)
    with table.office.game(game, table.now) as work:
        work.session.execute(update(Game).where(Game.id == game).values(status=GameStatus.OVER, ended_at=table.now))
    tick(table)
    tick(table)
    assert league(table, number).status == LeagueStatus.OVER


def game(*places: tuple[int, int, int | None]) -> list[Seated]:
    return [Seated(*line) for line in places]


def test_everybody_gets_a_point_for_each_player_behind() -> None:
    lines = table([1, 2, 3, 4], [game((1, 3, 20), (2, 1, 60), (3, 2, 50), (4, 4, None))])
    assert [(line.member, line.points, line.won) for line in lines] == [(2, 3, 1), (3, 2, 0), (1, 1, 0), (4, 0, 0)]


def test_a_shared_place_gives_no_point_against_each_other() -> None:
    lines = table([1, 2, 3], [game((1, 1, 50), (2, 1, 50), (3, 3, 10))])
    assert {line.member: line.points for line in lines} == {1: 1, 2: 1, 3: 0}


@pytest.mark.parametrize(
    ("games", "order"),
    [
        # equal points: who has won a game comes first, and of two who have, the one with more points in the games
        ([((1, 2, 50), (2, 1, 60), (3, 3, 40)), ((1, 2, 50), (2, 3, 10), (3, 1, 55))], [3, 2, 1]),
        # equal points and wins: more points in the games
        ([((1, 1, 50), (2, 2, 49), (3, 3, 10)), ((1, 2, 40), (2, 1, 60), (3, 3, 10))], [2, 1, 3]),
        # nothing tells them apart: as they were placed before
        ([((1, 1, 50), (2, 1, 50), (3, 1, 50))], [1, 2, 3]),
    ],
)
def test_equals_are_told_apart_by_wins_then_points_then_their_places_before(
    games: list[tuple[tuple[int, int, int | None], ...]], order: list[int]
) -> None:
    assert [line.member for line in table([1, 2, 3], [game(*one) for one in games])] == order


def test_who_went_out_wins_nothing_even_on_the_first_place() -> None:
    (line, *_) = table([1, 2], [game((1, 1, None), (2, 2, None))])
    assert (line.member, line.points, line.won) == (1, 1, 0)


def test_the_last_go_down_and_the_first_come_up() -> None:
    tables = [["a", "b", "c", "d"], ["e", "f", "g", "h"], ["i", "j", "k", "l"]]
    numbers = [[ord(one) for one in lines] for lines in tables]
    assert "".join(map(chr, moved(numbers, 1))) == "abce" + "dfgi" + "hjkl"
    assert "".join(map(chr, moved(numbers, 2))) == "abef" + "cdij" + "ghkl"
    assert moved([[1, 2, 3, 4]], 2) == [1, 2, 3, 4]
    assert moved([[1, 2, 3, 4], [5]], 1) == [1, 2, 3, 4, 5]


def test_nobody_is_lost_or_doubled_by_moving() -> None:
    for count in range(2, 40):
        for size in (4, 5, 6):
            for moves in (0, 1, 2):
                assert sorted(moved(divisions(range(count), size), moves)) == list(range(count))


def test_the_best_sit_at_different_tables_of_a_knock_out() -> None:
    assert spread(range(8), 4) == [[0, 3, 4, 7], [1, 2, 5, 6]]
    assert sorted(len(one) for one in spread(range(9), 4)) == [3, 3, 3]


def test_the_better_half_of_every_table_goes_on_until_one_is_left() -> None:
    assert advance([[1, 2, 3, 4], [5, 6, 7, 8]], 4) == [1, 5, 2, 6]
    assert advance([[6, 1, 5, 2]], 4) == [6]
    for size in (4, 5, 6):
        for count in range(2, 65):
            left, played = list(range(count)), 0
            while len(left) > 1:
                left, played = advance(spread(left, size), size), played + 1
            assert played == rounds(count, size)


@pytest.mark.postgresql
def test_a_cup_begins_when_it_is_full_and_who_comes_later_waits(table: Table) -> None:
    number = opened(table, kind=LeagueKind.KNOCKOUT, robots=6, full_at=8)
    date = league(table, number).step_at
    members.join(table.office, number, table.account("Eva"), table.now)
    assert league(table, number).step_at == date
    members.join(table.office, number, table.account("Fay"), table.now)
    assert league(table, number).step_at == table.now
    tick(table)
    assert (league(table, number).status, league(table, number).season) == (LeagueStatus.RUNNING, 1)
    members.join(table.office, number, table.account("Gus"), table.now)
    assert [one.status for one in everybody(table, number) if one.name == "Gus"] == [MemberStatus.WAITING]
    told = [table.read(letter).own for letter in table.letters("league-news")]
    assert [(own.what, own.goes_on) for own in told if own.what == "joined"] == [("joined", date), ("joined", None)]


def test_a_cup_that_is_not_full_begins_on_its_date(table: Table) -> None:
    number = opened(table, kind=LeagueKind.KNOCKOUT, robots=5, full_at=16)
    tick(table)
    assert league(table, number).status == LeagueStatus.OPEN
    table.now += 2 * DAY
    tick(table)
    assert league(table, number).status == LeagueStatus.RUNNING


def test_robots_alone_can_fill_a_cup(table: Table) -> None:
    number = opened(table, kind=LeagueKind.KNOCKOUT, robots=8, full_at=8)
    tick(table)
    assert league(table, number).status == LeagueStatus.RUNNING


@pytest.mark.parametrize("full_at", [-1, 3, 121, 10**9])
def test_a_cup_has_places_for_one_table_at_least_and_not_for_everybody(table: Table, full_at: int) -> None:
    with pytest.raises(BadInput) as caught:
        opened(table, kind=LeagueKind.KNOCKOUT, full_at=full_at)
    assert [problem.field for problem in caught.value.problems] == ["full_at"]
