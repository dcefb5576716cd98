"""Measurements of robots go on where they were interrupted, and their tables are made of what was kept."""

from pathlib import Path

import pytest

from bench.robots import FIRST_GAME, LINES, Kept, Line, main, tasks
from bench.tournament import Played

LUCIA = next(line for line in LINES if line.name == "st_lucia:2:against")
ALONE = Line("age-of-steam", "barbados", 1, 1)


def played(number: int, *scores: int, won: float = 1.0, others: tuple[int, ...] = (20,)) -> Played:
    return Played(number, won, scores, others, 0, 0, 40, 2.0, 0.5)


def kept(path: Path, line: Line, *games: Played) -> None:
    book = Kept.read(path)
    for game in games:
        (task,) = tasks([(line, range(game.number, game.number + 1))], 1, "classic", watched=False)
        book.add(task, game)


def test_a_game_that_is_kept_is_not_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games"
    command = ["st_lucia:2:against", "--robot", "classic", "--games", "2", "--file", str(path)]
    kept(path, LUCIA, played(FIRST_GAME, 60))
    assert main(command) == 0
    said = capsys.readouterr()
    assert said.err.count("st_lucia:2:against") == 1
    assert f"1 of 1: st_lucia:2:against {FIRST_GAME + 1}" in said.err
    assert main([*command, "--table"]) == 0
    assert capsys.readouterr() == (said.out, "")


def test_a_line_that_was_cut_off_is_taken_for_a_game_not_played(tmp_path: Path) -> None:
    path = tmp_path / "games"
    kept(path, LUCIA, played(FIRST_GAME, 60), played(FIRST_GAME + 1, 70))
    path.write_text(path.read_text()[:-20])
    kept(path, LUCIA, played(FIRST_GAME + 2, 80))
    assert [game.scores for game in Kept.read(path).games.values()] == [(60,), (80,)]


def test_the_tables_are_those_of_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games"
    kept(path, LUCIA, played(FIRST_GAME, 60), played(FIRST_GAME + 1, 70, won=0.0, others=(80,)))
    kept(path, ALONE, played(FIRST_GAME, 30, others=()))
    assert main(["--robot", "classic", "--file", str(path), "--table"]) == 0
    against, alone = capsys.readouterr().out.strip().split("\n\n")
    assert against.splitlines()[2] == ("| St. Lucia, 2 | 2 | 0.50 | 0.09 to 0.91 | 0.80 | 65.0 ± 9.8 | 50.0 | 0.00 |")
    assert alone.splitlines()[2] == "| Barbados, 1 | 1 | 30.0 ± 0.0 |  | 0.00 |"
    widths = {line.count("|") for line in against.splitlines()}
    assert len(widths) == 1
    assert main(["--robot", "classic", "--file", str(path), "--table", "--costs"]) == 0
    assert capsys.readouterr().out.splitlines()[2] == "| St. Lucia, 2, against | 2 | 2.0 | 0.050 | 0.5 |"


def test_games_with_robots_in_all_seats_are_watched_by_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    class Watcher:
        def watch(self, *order: object) -> None:
            seen.append(order)

    monkeypatch.setattr("bench.tournament.referee", lambda *_: Watcher())
    assert main(["--every", "--games", "1", "--robot", "classic", "barbados"]) == 0
    assert len(seen) > 20
