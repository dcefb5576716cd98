"""Points, tables, promotion and rounds of a knock-out."""

from __future__ import annotations

import pytest

from pbem.service.leagues.standings import Seated, advance, divisions, moved, rounds, spread, table


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
